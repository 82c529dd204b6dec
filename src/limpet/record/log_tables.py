"""Evidence and what happened: snapshots, artefacts, requests, events, errors, audit, adapter health."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from limpet.record.tables import metadata
from limpet.record.types import Json, RowId, UtcTime

requests = Table(
    "requests",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("job_id", RowId),  # none for requests outside a run, such as one asked for by hand
    Column("source_id", Text, nullable=False),
    Column("domain", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("started_at", UtcTime, nullable=False),
    Column("elapsed_ms", Float, nullable=False),
    Column("waited_ms", Float, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("status", Integer),
    Column("error_code", Text),
    Column("bytes_received", RowId, nullable=False),
    Column("robots_verdict", Text),
    Column("robots_hash", Text),
    Column("retry_after_seconds", Float),
    Index("ix_requests_domain_started_at", "domain", "started_at"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("pack", Text, nullable=False),
    Column("offset", RowId, nullable=False),
    Column("stored_bytes", RowId, nullable=False),
    Column("raw_bytes", RowId, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("charset", Text),
    Column("first_seen_at", UtcTime, nullable=False),
    Column("purged_at", UtcTime),  # the body was removed; the hash stays
    Column("purged_by", Text),  # what removed it: retention, purge
    Index("ix_snapshots_pack_offset", "pack", "offset"),
)

# Compressed bodies in the database itself, where several hosts must read the evidence of one another.
snapshot_frames = Table(
    "snapshot_frames",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("frame", LargeBinary, nullable=False),
)

# Packs that may be removed as soon as no row points into them; no other pack ever is. A name is written here before
# the pack it speaks of is emptied, or filled with what was in another: whatever a crash leaves can be found again.
leaving_packs = Table(
    "leaving_packs",
    metadata,
    Column("pack", Text, primary_key=True),
    Column("since", UtcTime, nullable=False),
)

# From when on the rows of a kind are all there: retention may have removed older ones.
retention_horizons = Table(
    "retention_horizons",
    metadata,
    Column("kind", Text, primary_key=True),  # requests, attempts, events
    Column("source_id", Text, primary_key=True),  # empty for rows that belong to no source
    Column("complete_since", UtcTime, nullable=False),
)

artefacts = Table(
    "artefacts",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False),  # our own key as given, before it was made a file name
    Column("path", Text, nullable=False),  # relative to the artefact folder
    Column("sha256", Text, nullable=False),
    Column("size_bytes", RowId, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("job_id", RowId),
    Column("stored_at", UtcTime, nullable=False),
    Column("purged_at", UtcTime),
    UniqueConstraint("path"),
    UniqueConstraint("kind", "key", "sha256"),
)

events = Table(
    "events",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("run_id", RowId),
    Column("target_id", RowId),
    Column("source_id", Text),
    Column("event_type", Text, nullable=False),
    Column("payload", Json, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Index("ix_events_run_id_id", "run_id", "id"),
    Index("ix_events_event_type_created_at", "event_type", "created_at"),
)

scraper_errors = Table(
    "scraper_errors",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("scraper_id", Text, nullable=False),
    Column("match_id", Text),
    Column("timestamp", UtcTime, nullable=False),
    Column("error_type", Text, nullable=False),
    Column("error_message", Text),
    Column("stack_trace", Text),
    Column("url", Text),
    Column("operation", Text),
    Column("retry_attempt", Integer, nullable=False, server_default="0"),
    Column("resolved", Boolean, nullable=False),
    Column("resolution_time", UtcTime),
    Column("resolution_method", Text),
    Index("idx_scraper_timestamp", "scraper_id", "timestamp"),
    Index("idx_error_type", "error_type", "timestamp"),
    Index("idx_unresolved", "resolved", "timestamp"),
)

scrape_adapter_status = Table(
    "scrape_adapter_status",
    metadata,
    Column("adapter_id", Text, primary_key=True),
    Column("enabled", Boolean, nullable=False),
    Column("disabled_at", UtcTime),
    Column("disabled_reason", Text),
    Column("disabled_by", Text),
    Column("baseline_failure_rate", Float),
    Column("baseline_yield_rate", Float),
    Column("baseline_sample_size", Integer, nullable=False, server_default="0"),
    Column("baseline_updated_at", UtcTime),
    Column("consecutive_failed_batches", Integer, nullable=False, server_default="0"),
    Column("last_batch_failure_rate", Float),
    Column("disabled_details", Text),
    Column("consecutive_zero_offer_runs", Integer, nullable=False, server_default="0"),
    Column("consecutive_zero_price_runs", Integer, nullable=False, server_default="0"),
    Column("watched_since", UtcTime),  # switched on again, and not yet proven by its canary
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

source_switches = Table(
    "source_switches",
    metadata,
    # A row means off. The configuration neither makes nor removes one.
    Column("source_id", Text, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("switched_off_at", UtcTime, nullable=False),
    Column("switched_off_by", Text, nullable=False),
)

scrape_batches = Table(
    "scrape_batches",
    metadata,
    # How a run went for one adapter, judged once: the key is what makes it once.
    Column("run_id", RowId, ForeignKey("runs.id"), primary_key=True, autoincrement=False),
    Column("adapter_id", Text, primary_key=True),
    Column("adapter_version", Text),
    Column("urls_attempted", Integer, nullable=False),
    Column("urls_succeeded", Integer, nullable=False),
    Column("urls_failed", Integer, nullable=False),
    Column("offers_extracted", Integer, nullable=False),
    Column("offers_valid", Integer, nullable=False),
    Column("offers_dropped", Integer, nullable=False),
    Column("offers_quarantined", Integer, nullable=False),
    Column("zero_price_count", Integer, nullable=False),
    Column("lost_price_count", Integer, nullable=False),
    Column("oos_no_price_count", Integer, nullable=False),
    Column("duplicate_count", Integer, nullable=False),
    Column("no_record_count", Integer, nullable=False),
    Column("urls_judged", Integer, nullable=False),  # attempted, without what is exempt from drift
    Column("failure_rate", Float, nullable=False),
    Column("drop_rate", Float, nullable=False),
    Column("yield_rate", Float, nullable=False),
    Column("counts_toward_drift", Boolean, nullable=False),  # a recheck of broken targets does not
    Column("decision", Text, nullable=False),
    Column("reasons", Json, nullable=False),
    Column("concluded_at", UtcTime, nullable=False),
    Index("ix_scrape_batches_adapter_id_concluded_at", "adapter_id", "concluded_at"),
)

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("at", UtcTime, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("details", Json, nullable=False),
    Index("ix_audit_log_subject_at", "subject", "at"),
)

robots_files = Table(
    "robots_files",
    metadata,
    # One row per body ever served: the newest `fetched_at` of a host is the last known good one,
    # the older ones explain the hashes in `requests`.
    Column("host", Text, primary_key=True),  # scheme://host[:port]
    Column("sha256", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("status", Integer, nullable=False),
    Column("fetched_at", UtcTime, nullable=False),
)
