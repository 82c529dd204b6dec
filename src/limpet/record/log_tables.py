"""Evidence and what happened: snapshots, artefacts, requests, events, errors, audit, adapter health."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, LargeBinary, Table, Text, UniqueConstraint

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
    Column("purged_at", UtcTime),  # retention removed the body; the hash stays
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
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
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
