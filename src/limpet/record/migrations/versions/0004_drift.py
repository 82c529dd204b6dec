"""What notices breakage: batches judged once, adapters under watch, sources switched off, blocks found quickly."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import Json, RowId, UtcTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_IS_BLOCK = "reason IN ('blocked', 'blocked_page', 'rate_limited', 'robots_blocked')"
_COUNTS = (
    "urls_attempted",
    "urls_succeeded",
    "urls_failed",
    "offers_extracted",
    "offers_valid",
    "offers_dropped",
    "offers_quarantined",
    "zero_price_count",
    "lost_price_count",
    "oos_no_price_count",
    "duplicate_count",
    "no_record_count",
    "urls_judged",
)


def upgrade() -> None:
    _adapter_status()
    _switches()
    _batches()
    op.create_index(
        "ix_targets_schedule",
        "targets",
        ["source_id", "schedule"],
        unique=False,
        sqlite_where=sa.text("schedule IS NOT NULL"),
        postgresql_where=sa.text("schedule IS NOT NULL"),
    )
    op.create_index(
        "ix_jobs_blocks",
        "jobs",
        ["source_id", "ended_at"],
        unique=False,
        sqlite_where=sa.text(_IS_BLOCK),
        postgresql_where=sa.text(_IS_BLOCK),
    )


def downgrade() -> None:
    op.drop_index("ix_jobs_blocks", table_name="jobs")
    op.drop_index("ix_targets_schedule", table_name="targets")
    op.drop_table("scrape_batches")
    op.drop_table("source_switches")
    for name in (
        "watched_since",
        "consecutive_zero_price_runs",
        "consecutive_zero_offer_runs",
        "disabled_details",
    ):
        op.drop_column("scrape_adapter_status", name)


def _adapter_status() -> None:
    table = "scrape_adapter_status"
    op.add_column(table, sa.Column("disabled_details", sa.Text(), nullable=True))
    for name in ("consecutive_zero_offer_runs", "consecutive_zero_price_runs"):
        op.add_column(table, sa.Column(name, sa.Integer(), server_default="0", nullable=False))
    op.add_column(table, sa.Column("watched_since", UtcTime(), nullable=True))


def _switches() -> None:
    op.create_table(
        "source_switches",
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("switched_off_at", UtcTime(), nullable=False),
        sa.Column("switched_off_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("source_id", name=op.f("pk_source_switches")),
    )


def _batches() -> None:
    op.create_table(
        "scrape_batches",
        sa.Column("run_id", RowId, autoincrement=False, nullable=False),
        sa.Column("adapter_id", sa.Text(), nullable=False),
        sa.Column("adapter_version", sa.Text(), nullable=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _COUNTS),
        sa.Column("failure_rate", sa.Float(), nullable=False),
        sa.Column("drop_rate", sa.Float(), nullable=False),
        sa.Column("yield_rate", sa.Float(), nullable=False),
        sa.Column("counts_toward_drift", sa.Boolean(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("reasons", Json, nullable=False),
        sa.Column("concluded_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_scrape_batches_run_id_runs")),
        sa.PrimaryKeyConstraint("run_id", "adapter_id", name=op.f("pk_scrape_batches")),
    )
    op.create_index(
        "ix_scrape_batches_adapter_id_concluded_at",
        "scrape_batches",
        ["adapter_id", "concluded_at"],
        unique=False,
    )
