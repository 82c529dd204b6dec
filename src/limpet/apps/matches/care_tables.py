"""What the monitor remembers about itself: its health, its recoveries, orders to it, and how far it has pushed."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, Numeric, Table, Text

from limpet.record.tables import metadata
from limpet.record.types import Json, RowId, UtcTime

scraper_health_log = Table(
    "scraper_health_log",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("scraper_id", Text, nullable=False),
    Column("match_id", Text),
    Column("timestamp", UtcTime, nullable=False),
    Column("health_status", Text, nullable=False),
    Column("error_count", Integer, nullable=False, server_default="0"),
    Column("memory_mb", Numeric(10, 2)),
    Column("cpu_percent", Numeric(7, 2)),
    Column("update_latency_ms", Integer),
    Column("polling_interval_seconds", Numeric(7, 2)),
    Column("uptime_seconds", Integer),
    Column("last_update_age_seconds", Integer),
    # Index names are unique in a database: scraper_errors has the shorter one.
    Index("idx_health_scraper_timestamp", "scraper_id", "timestamp"),
    Index("idx_match_timestamp", "match_id", "timestamp"),
    Index("idx_health_status", "health_status", "timestamp"),
)

recovery_audit = Table(
    "recovery_audit",
    metadata,
    Column("entry_id", Text, primary_key=True),
    Column("timestamp", UtcTime, nullable=False),
    Column("action_type", Text, nullable=False),
    Column("trigger_condition", Text, nullable=False),
    Column("outcome", Text),  # none until it is judged, two minutes later at most
    Column("duration_seconds", Float, nullable=False),
    Column("metadata", Json, nullable=False),
    Column("judged_at", UtcTime),
    Index("ix_recovery_audit_timestamp", "timestamp"),
)

match_orders = Table(
    "match_orders",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("action", Text, nullable=False),  # pause, resume, recycle
    Column("match_id", Text),
    Column("requested_by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("requested_at", UtcTime, nullable=False),
    Column("done_at", UtcTime),
    Column("outcome", Text),
    Index("ix_match_orders_done_at", "done_at"),
)

push_cursors = Table(
    "push_cursors",
    metadata,
    # What is above the position was not delivered yet: the ledger itself is the outbox.
    Column("stream", Text, primary_key=True),
    Column("position", RowId, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)
