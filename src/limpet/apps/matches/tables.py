"""What the match monitor remembers. Snapshots, balls, scorecards and conflicts are only ever appended."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from limpet.record.tables import metadata
from limpet.record.types import Json, RowId, UtcTime

matches = Table(
    "matches",
    metadata,
    Column("match_id", Text, primary_key=True),  # that of the source which showed it first
    Column("domain_id", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("status", Text, nullable=False),  # upcoming, live, completed, abandoned
    Column("state", Text, nullable=False),  # discovered, active, paused, completed, archived
    Column("start_time", UtcTime),
    Column("sequence_number", Integer, nullable=False, server_default="0"),
    Column("last_scraper_update", UtcTime),
    Column("data_freshness_seconds", Integer, nullable=False, server_default="0"),
    Column("scraper_status", Text, nullable=False, server_default="unknown"),  # active, stale, stopped, error
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    Index("idx_freshness", "data_freshness_seconds"),
    Index("idx_scraper_status", "scraper_status"),
    Index("ix_matches_state", "state"),
)

match_monitors = Table(
    "match_monitors",
    metadata,
    # One match as one source shows it: how it is watched there, and which match of ours it is.
    Column("monitor_id", Text, primary_key=True),
    Column("match_id", Text, ForeignKey("matches.match_id"), nullable=False),
    Column("domain_id", Text, nullable=False),
    Column("match_key", Text, nullable=False),  # the source's own id
    Column("url", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("priority_state", Text, nullable=False),  # live, imminent, completed
    Column("last_update_time", UtcTime),
    Column("consecutive_failure_count", Integer, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("pause_until", UtcTime),
    Column("total_scrapes", Integer, nullable=False),
    Column("total_failures", Integer, nullable=False),
    Column("metadata", Json, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    UniqueConstraint("domain_id", "match_key"),
    Index("ix_match_monitors_match_id", "match_id"),
)

live_match_data = Table(
    "live_match_data",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("match_id", Text, ForeignKey("matches.match_id"), nullable=False),
    Column("sequence_number", Integer, nullable=False),  # per match, without a gap
    Column("domain_id", Text, nullable=False),  # whose news it was
    Column("normalized_payload", Json, nullable=False),
    Column("provenance", Json, nullable=False),  # per field: source, confidence, timestamp
    Column("checksum", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("scraper_id", Text),
    Column("update_latency_ms", Integer),
    Column("data_source", Text, nullable=False, server_default="scraper"),
    UniqueConstraint("match_id", "sequence_number"),
    Index("idx_scraper", "scraper_id"),
)

match_balls = Table(
    "match_balls",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("match_id", Text, ForeignKey("matches.match_id"), nullable=False),
    Column("innings", Integer, nullable=False),
    Column("over", Integer, nullable=False),  # from 0, as in "9.3"
    Column("delivery", Integer, nullable=False),  # from 1 in its over; wides and no-balls count
    Column("version", Integer, nullable=False),  # 1, and one more for each correction
    Column("ball", Integer, nullable=False),  # as written: a wide repeats the number
    Column("legal_balls", Integer, nullable=False),  # of the innings, this one included
    Column("outcome", Text, nullable=False),  # as the source writes it: 0, 4, w, wd, lb1
    Column("runs", Integer, nullable=False),
    Column("extras", Integer, nullable=False),
    Column("extra_kind", Text),  # wide, no_ball, bye, leg_bye, penalty
    Column("is_wicket", Boolean, nullable=False),
    Column("is_legal", Boolean, nullable=False),
    Column("domain_id", Text, nullable=False),
    Column("found", Text, nullable=False),  # live, backfill, correction
    Column("observed_at", UtcTime, nullable=False),
    UniqueConstraint("match_id", "innings", "over", "delivery", "version"),
)

match_scorecards = Table(
    "match_scorecards",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("match_id", Text, ForeignKey("matches.match_id"), nullable=False),
    Column("innings", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("card", Json, nullable=False),
    Column("changes", Json, nullable=False),  # against the version before
    Column("domain_id", Text, nullable=False),
    Column("observed_at", UtcTime, nullable=False),
    UniqueConstraint("match_id", "innings", "version"),
)

match_conflicts = Table(
    "match_conflicts",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("match_id", Text, ForeignKey("matches.match_id"), nullable=False),
    Column("field", Text, nullable=False),
    Column("chosen_source", Text, nullable=False),
    Column("chosen_value", Text, nullable=False),
    Column("other_source", Text, nullable=False),
    Column("other_value", Text, nullable=False),
    Column("difference", Float, nullable=False),  # share of the larger value
    Column("created_at", UtcTime, nullable=False),
    Index("ix_match_conflicts_match_id", "match_id", "id"),
)
