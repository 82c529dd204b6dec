"""The ledger's core tables: who we visit, what we watch, and every run, job and attempt.

Evidence and logs (snapshots, requests, events, ...) are in `log_tables`; apps add their own to `metadata`.
"""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    desc,
    text,
)

from limpet.record.types import Json, RowId, UtcTime
from limpet.target import JobState
from limpet.target.outcome import RunState

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def only(column: str, words: type[StrEnum]) -> CheckConstraint:
    """Close a column's vocabulary in SQL."""
    listed = ", ".join(f"'{word.value}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


sources = Table(
    "sources",
    metadata,
    Column("id", Text, primary_key=True),
    Column("app", Text, nullable=False),
    Column("adapter_id", Text, nullable=False),  # the site that reads this source
    Column("name", Text, nullable=False),
    Column("hosts", Json, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("disabled_reason", Text),
    Column("tos_reviewed_at", UtcTime),
    Column("tos_approved_by", Text),
    Column("tos_notes", Text, nullable=False),
    Column("robots_compliant", Boolean, nullable=False),
    Column("scrape_config", Json, nullable=False),  # pace, fetcher, patience and the other terms of a visit
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

targets = Table(
    "targets",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("source_id", Text, ForeignKey("sources.id"), nullable=False),
    Column("canonical_url", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("adapter_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("lane", Text, nullable=False),
    Column("schedule", Text),
    Column("priority", Integer, nullable=False, server_default="0"),
    Column(
        "status",
        Text,
        CheckConstraint("status IN ('active', 'paused', 'broken', 'stale')", name="status"),
        nullable=False,
        server_default="active",
    ),
    Column("enabled", Boolean, nullable=False),
    Column("robots_path_blocked", Boolean, nullable=False),
    Column("last_scraped_at", UtcTime),
    Column("last_status", Text),
    Column("consecutive_failures", Integer, nullable=False, server_default="0"),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("last_snapshot", Text),
    Column("params", Json),
    Column("tags", Json),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    Column("created_by", Text),
    Column("notes", Text),
    UniqueConstraint("source_id", "canonical_url"),
    Index("ix_targets_adapter_id", "adapter_id"),
    Index("ix_targets_status", "status"),
    # Few targets have a schedule of their own, and the scheduler asks for them every few seconds.
    Index(
        "ix_targets_schedule",
        "source_id",
        "schedule",
        sqlite_where=text("schedule IS NOT NULL"),
        postgresql_where=text("schedule IS NOT NULL"),
    ),
)

runs = Table(
    "runs",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("app", Text, nullable=False),
    Column("source_id", Text),  # none when the run spans several sources
    Column("trigger", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("state", Text, only("state", RunState), nullable=False),
    Column("planned", Integer, nullable=False),
    Column("dry_run", Boolean, nullable=False),
    Column("params", Json, nullable=False),
    Column("started_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    Column("error_code", Text),
    Column("error_message", Text),
    Column("worker", Text),
    Column("due_at", UtcTime),  # the fire of the schedule it answers: each is answered once
    Column("prepared_at", UtcTime),  # none while its app still has to find out what it goes over
    UniqueConstraint("source_id", "due_at"),
    Index("ix_runs_started_at", "started_at"),
    Index("ix_runs_state", "state"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("run_id", RowId, ForeignKey("runs.id"), nullable=False),
    Column("target_id", RowId, ForeignKey("targets.id"), nullable=False),
    Column("source_id", Text, nullable=False),
    Column("lane", Text, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", Text, only("state", JobState), nullable=False),
    Column("reason", Text),
    Column("details", Text),
    Column("attempts", Integer, nullable=False),
    Column("fence", Integer, nullable=False),
    Column("worker", Text),
    Column("lease_until", UtcTime),
    Column("not_before", UtcTime),
    Column("planned_at", UtcTime, nullable=False),
    Column("started_at", UtcTime),
    Column("ended_at", UtcTime),
    Column(
        "snapshot", Text
    ),  # sha256 of the body that was judged; retention may remove the body, not the hash
    Column("site_id", Text),
    Column("site_version", Text),
    Column("rereads", RowId),  # the job whose visit brought the page, when this one only read it again
    UniqueConstraint("run_id", "target_id"),
)
Index("ix_jobs_leasing", jobs.c.run_id, jobs.c.lane, jobs.c.state, desc(jobs.c.priority), jobs.c.id)
Index("ix_jobs_target_id", jobs.c.target_id)
# Which jobs a page is the evidence of: asked before it may be removed.
Index("ix_jobs_snapshot", jobs.c.snapshot)
Index(
    "ix_jobs_running_worker",
    jobs.c.worker,
    sqlite_where=text("state = 'running'"),
    postgresql_where=text("state = 'running'"),
)
Index(
    "ix_jobs_rereads",
    jobs.c.rereads,
    jobs.c.id,
    sqlite_where=text("rereads IS NOT NULL"),
    postgresql_where=text("rereads IS NOT NULL"),
)
# Few rows ever end so; they are asked for each time another one does.
IS_BLOCK = "reason IN ('blocked', 'blocked_page', 'rate_limited', 'robots_blocked')"
Index(
    "ix_jobs_blocks",
    jobs.c.source_id,
    jobs.c.ended_at,
    sqlite_where=text(IS_BLOCK),
    postgresql_where=text(IS_BLOCK),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("job_id", RowId, ForeignKey("jobs.id"), nullable=False),
    Column("fence", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("started_at", UtcTime, nullable=False),
    Column("elapsed_ms", Float, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("error_code", Text),
    Column("error_message", Text),
    Column("status", Integer),
    Column("extract_ms", Float),  # how long the page took to be read; none when none came
    UniqueConstraint("job_id", "fence", "number"),
)

workers = Table(
    "workers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started_at", UtcTime, nullable=False),
    Column("heartbeat_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
)

# Who may act in a role that only one process at a time has, such as scheduling.
leaderships = Table(
    "leaderships",
    metadata,
    Column("role", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("fence", Integer, nullable=False),  # grows with every change of holder
    Column("held_until", UtcTime, nullable=False),
)
