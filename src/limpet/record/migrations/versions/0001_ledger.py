"""The ledger's first schema: sources, targets, runs, jobs, attempts, evidence and logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.migrations.ledger_views import create_ledger_views, drop_ledger_views
from limpet.record.types import Json, RowId, UtcTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    "sources",
    "targets",
    "runs",
    "jobs",
    "attempts",
    "workers",
    "snapshots",
    "artefacts",
    "requests",
    "robots_files",
    "events",
    "scraper_errors",
    "scrape_adapter_status",
    "audit_log",
)


def upgrade() -> None:
    _who_and_what()
    _runs_and_jobs()
    _evidence()
    _what_happened()
    create_ledger_views(op.get_bind())


def downgrade() -> None:
    drop_ledger_views(op.get_bind())
    for table in reversed(TABLES):
        op.drop_table(table)


def _who_and_what() -> None:
    op.create_table(
        "sources",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("app", sa.Text(), nullable=False),
        sa.Column("adapter_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hosts", Json, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("disabled_reason", sa.Text(), nullable=True),
        sa.Column("tos_reviewed_at", UtcTime(), nullable=True),
        sa.Column("tos_approved_by", sa.Text(), nullable=True),
        sa.Column("tos_notes", sa.Text(), nullable=False),
        sa.Column("robots_compliant", sa.Boolean(), nullable=False),
        sa.Column("scrape_config", Json, nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sources")),
    )
    op.create_table(
        "targets",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("canonical_url", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("adapter_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("schedule", sa.Text(), nullable=True),
        sa.Column("priority", sa.Integer(), server_default="0", nullable=False),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("robots_path_blocked", sa.Boolean(), nullable=False),
        sa.Column("last_scraped_at", UtcTime(), nullable=True),
        sa.Column("last_status", sa.Text(), nullable=True),
        sa.Column("consecutive_failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("last_snapshot", sa.Text(), nullable=True),
        sa.Column("params", Json, nullable=True),
        sa.Column("tags", Json, nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_targets_source_id_sources")),
        sa.CheckConstraint(
            "status IN ('active', 'paused', 'broken', 'stale')", name=op.f("ck_targets_status")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_targets")),
        sa.UniqueConstraint("source_id", "canonical_url", name=op.f("uq_targets_source_id_canonical_url")),
    )
    op.create_index("ix_targets_adapter_id", "targets", ["adapter_id"], unique=False)
    op.create_index("ix_targets_status", "targets", ["status"], unique=False)


def _runs_and_jobs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("app", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=True),
        sa.Column("trigger", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("planned", sa.Integer(), nullable=False),
        sa.Column("dry_run", sa.Boolean(), nullable=False),
        sa.Column("params", Json, nullable=False),
        sa.Column("started_at", UtcTime(), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("due_at", UtcTime(), nullable=True),
        sa.CheckConstraint(
            "state IN ('running', 'completed', 'failed', 'aborted', 'quarantined')",
            name=op.f("ck_runs_state"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("source_id", "due_at", name=op.f("uq_runs_source_id_due_at")),
    )
    op.create_index("ix_runs_started_at", "runs", ["started_at"], unique=False)
    op.create_index("ix_runs_state", "runs", ["state"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("run_id", RowId, nullable=False),
        sa.Column("target_id", RowId, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("details", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcTime(), nullable=True),
        sa.Column("not_before", UtcTime(), nullable=True),
        sa.Column("planned_at", UtcTime(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=True),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.Column("snapshot", sa.Text(), nullable=True),
        sa.Column("site_id", sa.Text(), nullable=True),
        sa.Column("site_version", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_jobs_run_id_runs")),
        sa.ForeignKeyConstraint(["target_id"], ["targets.id"], name=op.f("fk_jobs_target_id_targets")),
        sa.CheckConstraint(
            "state IN ('pending', 'running', 'succeeded', 'no_record', 'skipped', 'failed', 'dropped', "
            "'quarantined')",
            name=op.f("ck_jobs_state"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("run_id", "target_id", name=op.f("uq_jobs_run_id_target_id")),
    )
    op.create_index(
        "ix_jobs_leasing",
        "jobs",
        ["run_id", "lane", "state", sa.literal_column("priority DESC"), "id"],
        unique=False,
    )
    op.create_index(
        "ix_jobs_running_worker",
        "jobs",
        ["worker"],
        unique=False,
        sqlite_where=sa.text("state = 'running'"),
        postgresql_where=sa.text("state = 'running'"),
    )
    op.create_index("ix_jobs_target_id", "jobs", ["target_id"], unique=False)
    op.create_table(
        "attempts",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("job_id", RowId, nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=False),
        sa.Column("elapsed_ms", sa.Float(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_attempts_job_id_jobs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
        sa.UniqueConstraint("job_id", "fence", "number", name=op.f("uq_attempts_job_id_fence_number")),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=False),
        sa.Column("heartbeat_at", UtcTime(), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
    )


def _evidence() -> None:
    op.create_table(
        "snapshots",
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("offset", RowId, nullable=False),
        sa.Column("stored_bytes", RowId, nullable=False),
        sa.Column("raw_bytes", RowId, nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("charset", sa.Text(), nullable=True),
        sa.Column("first_seen_at", UtcTime(), nullable=False),
        sa.Column("purged_at", UtcTime(), nullable=True),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_snapshots")),
    )
    op.create_table(
        "artefacts",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size_bytes", RowId, nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("job_id", RowId, nullable=True),
        sa.Column("stored_at", UtcTime(), nullable=False),
        sa.Column("purged_at", UtcTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artefacts")),
        sa.UniqueConstraint("kind", "key", "sha256", name=op.f("uq_artefacts_kind_key_sha256")),
        sa.UniqueConstraint("path", name=op.f("uq_artefacts_path")),
    )
    op.create_table(
        "requests",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("job_id", RowId, nullable=True),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=False),
        sa.Column("elapsed_ms", sa.Float(), nullable=False),
        sa.Column("waited_ms", sa.Float(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("bytes_received", RowId, nullable=False),
        sa.Column("robots_verdict", sa.Text(), nullable=True),
        sa.Column("robots_hash", sa.Text(), nullable=True),
        sa.Column("retry_after_seconds", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requests")),
    )
    op.create_index("ix_requests_domain_started_at", "requests", ["domain", "started_at"], unique=False)
    op.create_table(
        "robots_files",
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("fetched_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("host", "sha256", name=op.f("pk_robots_files")),
    )


def _what_happened() -> None:
    op.create_table(
        "events",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("run_id", RowId, nullable=True),
        sa.Column("target_id", RowId, nullable=True),
        sa.Column("source_id", sa.Text(), nullable=True),
        sa.Column("event_type", sa.Text(), nullable=False),
        sa.Column("payload", Json, nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index("ix_events_event_type_created_at", "events", ["event_type", "created_at"], unique=False)
    op.create_index("ix_events_run_id_id", "events", ["run_id", "id"], unique=False)
    op.create_table(
        "scraper_errors",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("scraper_id", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.Column("timestamp", UtcTime(), nullable=False),
        sa.Column("error_type", sa.Text(), nullable=False),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("stack_trace", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("operation", sa.Text(), nullable=True),
        sa.Column("retry_attempt", sa.Integer(), server_default="0", nullable=False),
        sa.Column("resolved", sa.Boolean(), nullable=False),
        sa.Column("resolution_time", UtcTime(), nullable=True),
        sa.Column("resolution_method", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scraper_errors")),
    )
    op.create_index("idx_error_type", "scraper_errors", ["error_type", "timestamp"], unique=False)
    op.create_index("idx_scraper_timestamp", "scraper_errors", ["scraper_id", "timestamp"], unique=False)
    op.create_index("idx_unresolved", "scraper_errors", ["resolved", "timestamp"], unique=False)
    op.create_table(
        "scrape_adapter_status",
        sa.Column("adapter_id", sa.Text(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("disabled_at", UtcTime(), nullable=True),
        sa.Column("disabled_reason", sa.Text(), nullable=True),
        sa.Column("disabled_by", sa.Text(), nullable=True),
        sa.Column("baseline_failure_rate", sa.Float(), nullable=True),
        sa.Column("baseline_yield_rate", sa.Float(), nullable=True),
        sa.Column("baseline_sample_size", sa.Integer(), server_default="0", nullable=False),
        sa.Column("baseline_updated_at", UtcTime(), nullable=True),
        sa.Column("consecutive_failed_batches", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_batch_failure_rate", sa.Float(), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("adapter_id", name=op.f("pk_scrape_adapter_status")),
    )
    op.create_table(
        "audit_log",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("details", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index("ix_audit_log_subject_at", "audit_log", ["subject", "at"], unique=False)
