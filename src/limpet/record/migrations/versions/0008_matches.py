"""Tables of the match monitor: matches and how they are watched, snapshots, balls, scorecards, health."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import Json, RowId, UtcTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TABLES = (
    "matches",
    "match_monitors",
    "live_match_data",
    "match_balls",
    "match_scorecards",
    "match_conflicts",
    "scraper_health_log",
    "recovery_audit",
    "match_orders",
    "push_cursors",
)


def upgrade() -> None:
    """Create them."""
    _matches()
    _match_monitors()
    _live_match_data()
    _match_balls()
    _match_scorecards()
    _match_conflicts()
    _scraper_health_log()
    _recovery_audit()
    _match_orders()
    _push_cursors()


def downgrade() -> None:
    """Drop them."""
    for table in reversed(TABLES):
        op.drop_table(table)


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("domain_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("start_time", UtcTime(), nullable=True),
        sa.Column("sequence_number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_scraper_update", UtcTime(), nullable=True),
        sa.Column("data_freshness_seconds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("scraper_status", sa.Text(), server_default="unknown", nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_matches")),
    )
    op.create_index("idx_freshness", "matches", ["data_freshness_seconds"], unique=False)
    op.create_index("idx_scraper_status", "matches", ["scraper_status"], unique=False)
    op.create_index("ix_matches_state", "matches", ["state"], unique=False)


def _match_monitors() -> None:
    op.create_table(
        "match_monitors",
        sa.Column("monitor_id", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("domain_id", sa.Text(), nullable=False),
        sa.Column("match_key", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("priority_state", sa.Text(), nullable=False),
        sa.Column("last_update_time", UtcTime(), nullable=True),
        sa.Column("consecutive_failure_count", sa.Integer(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("pause_until", UtcTime(), nullable=True),
        sa.Column("total_scrapes", sa.Integer(), nullable=False),
        sa.Column("total_failures", sa.Integer(), nullable=False),
        sa.Column("metadata", Json, nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_match_monitors_match_id_matches")
        ),
        sa.PrimaryKeyConstraint("monitor_id", name=op.f("pk_match_monitors")),
        sa.UniqueConstraint("domain_id", "match_key", name=op.f("uq_match_monitors_domain_id_match_key")),
    )
    op.create_index("ix_match_monitors_match_id", "match_monitors", ["match_id"], unique=False)


def _live_match_data() -> None:
    op.create_table(
        "live_match_data",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("sequence_number", sa.Integer(), nullable=False),
        sa.Column("domain_id", sa.Text(), nullable=False),
        sa.Column("normalized_payload", Json, nullable=False),
        sa.Column("provenance", Json, nullable=False),
        sa.Column("checksum", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("scraper_id", sa.Text(), nullable=True),
        sa.Column("update_latency_ms", sa.Integer(), nullable=True),
        sa.Column("data_source", sa.Text(), server_default="scraper", nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_live_match_data_match_id_matches")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_live_match_data")),
        sa.UniqueConstraint(
            "match_id", "sequence_number", name=op.f("uq_live_match_data_match_id_sequence_number")
        ),
    )
    op.create_index("idx_scraper", "live_match_data", ["scraper_id"], unique=False)


def _match_balls() -> None:
    op.create_table(
        "match_balls",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("innings", sa.Integer(), nullable=False),
        sa.Column("over", sa.Integer(), nullable=False),
        sa.Column("delivery", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ball", sa.Integer(), nullable=False),
        sa.Column("legal_balls", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("extras", sa.Integer(), nullable=False),
        sa.Column("extra_kind", sa.Text(), nullable=True),
        sa.Column("is_wicket", sa.Boolean(), nullable=False),
        sa.Column("is_legal", sa.Boolean(), nullable=False),
        sa.Column("domain_id", sa.Text(), nullable=False),
        sa.Column("found", sa.Text(), nullable=False),
        sa.Column("observed_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_match_balls_match_id_matches")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match_balls")),
        sa.UniqueConstraint(
            "match_id",
            "innings",
            "over",
            "delivery",
            "version",
            name=op.f("uq_match_balls_match_id_innings_over_delivery_version"),
        ),
    )


def _match_scorecards() -> None:
    op.create_table(
        "match_scorecards",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("innings", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("card", Json, nullable=False),
        sa.Column("changes", Json, nullable=False),
        sa.Column("domain_id", sa.Text(), nullable=False),
        sa.Column("observed_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_match_scorecards_match_id_matches")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match_scorecards")),
        sa.UniqueConstraint(
            "match_id", "innings", "version", name=op.f("uq_match_scorecards_match_id_innings_version")
        ),
    )


def _match_conflicts() -> None:
    op.create_table(
        "match_conflicts",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("chosen_source", sa.Text(), nullable=False),
        sa.Column("chosen_value", sa.Text(), nullable=False),
        sa.Column("other_source", sa.Text(), nullable=False),
        sa.Column("other_value", sa.Text(), nullable=False),
        sa.Column("difference", sa.Float(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_match_conflicts_match_id_matches")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match_conflicts")),
    )
    op.create_index("ix_match_conflicts_match_id", "match_conflicts", ["match_id", "id"], unique=False)


def _scraper_health_log() -> None:
    op.create_table(
        "scraper_health_log",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("scraper_id", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.Column("timestamp", UtcTime(), nullable=False),
        sa.Column("health_status", sa.Text(), nullable=False),
        sa.Column("error_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("memory_mb", sa.Numeric(precision=10, scale=2), nullable=True),
        sa.Column("cpu_percent", sa.Numeric(precision=7, scale=2), nullable=True),
        sa.Column("update_latency_ms", sa.Integer(), nullable=True),
        sa.Column("polling_interval_seconds", sa.Numeric(precision=7, scale=2), nullable=True),
        sa.Column("uptime_seconds", sa.Integer(), nullable=True),
        sa.Column("last_update_age_seconds", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scraper_health_log")),
    )
    op.create_index(
        "idx_health_scraper_timestamp", "scraper_health_log", ["scraper_id", "timestamp"], unique=False
    )
    op.create_index("idx_health_status", "scraper_health_log", ["health_status", "timestamp"], unique=False)
    op.create_index("idx_match_timestamp", "scraper_health_log", ["match_id", "timestamp"], unique=False)


def _recovery_audit() -> None:
    op.create_table(
        "recovery_audit",
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("timestamp", UtcTime(), nullable=False),
        sa.Column("action_type", sa.Text(), nullable=False),
        sa.Column("trigger_condition", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("duration_seconds", sa.Float(), nullable=False),
        sa.Column("metadata", Json, nullable=False),
        sa.Column("judged_at", UtcTime(), nullable=True),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_recovery_audit")),
    )
    op.create_index("ix_recovery_audit_timestamp", "recovery_audit", ["timestamp"], unique=False)


def _match_orders() -> None:
    op.create_table(
        "match_orders",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.Column("requested_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("requested_at", UtcTime(), nullable=False),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match_orders")),
    )
    op.create_index("ix_match_orders_done_at", "match_orders", ["done_at"], unique=False)


def _push_cursors() -> None:
    op.create_table(
        "push_cursors",
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("position", RowId, nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("stream", name=op.f("pk_push_cursors")),
    )
