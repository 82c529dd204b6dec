"""Alerts, the events behind them and whom we told; and how long pages took to be read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import Json, RowId, UtcTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_IS_ALIVE = "status <> 'resolved'"


def upgrade() -> None:
    """Create them."""
    _alerts()
    _occurrences()
    _deliveries()
    op.add_column("attempts", sa.Column("extract_ms", sa.Float(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("attempts", "extract_ms")
    for table in ("alert_deliveries", "alert_occurrences", "alerts"):
        op.drop_table(table)


def _alerts() -> None:
    op.create_table(
        "alerts",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("kind", "subject", "severity", "status")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("title", "details", "fix")),
        sa.Column("source_id", sa.Text(), nullable=True),
        sa.Column("run_id", RowId, nullable=True),
        sa.Column("evidence", Json, nullable=False),
        sa.Column("occurrences", sa.Integer(), nullable=False),
        sa.Column("first_seen_at", UtcTime(), nullable=False),
        sa.Column("last_seen_at", UtcTime(), nullable=False),
        sa.Column("acknowledged_at", UtcTime(), nullable=True),
        sa.Column("acknowledged_by", sa.Text(), nullable=True),
        sa.Column("resolved_at", UtcTime(), nullable=True),
        sa.Column("resolved_by", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.CheckConstraint("severity IN ('P1', 'P2', 'P3')", name=op.f("ck_alerts_severity")),
        sa.CheckConstraint("status IN ('open', 'acknowledged', 'resolved')", name=op.f("ck_alerts_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alerts")),
    )
    op.create_index(
        "uq_alerts_alive",
        "alerts",
        ["kind", "subject"],
        unique=True,
        sqlite_where=sa.text(_IS_ALIVE),
        postgresql_where=sa.text(_IS_ALIVE),
    )
    op.create_index("ix_alerts_status_last_seen_at", "alerts", ["status", "last_seen_at"], unique=False)


def _occurrences() -> None:
    op.create_table(
        "alert_occurrences",
        sa.Column("event_id", RowId, autoincrement=False, nullable=False),
        sa.Column("alert_id", RowId, nullable=True),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["alert_id"], ["alerts.id"], name=op.f("fk_alert_occurrences_alert_id_alerts")
        ),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_alert_occurrences")),
    )
    op.create_index("ix_alert_occurrences_alert_id", "alert_occurrences", ["alert_id"], unique=False)
    op.create_index("ix_alert_occurrences_at", "alert_occurrences", ["at"], unique=False)


def _deliveries() -> None:
    op.create_table(
        "alert_deliveries",
        sa.Column("id", RowId, autoincrement=True, nullable=False),
        sa.Column("alert_id", RowId, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("destination", "news", "state")),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("not_before", UtcTime(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("sent_at", UtcTime(), nullable=True),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'failed')", name=op.f("ck_alert_deliveries_state")),
        sa.ForeignKeyConstraint(
            ["alert_id"], ["alerts.id"], name=op.f("fk_alert_deliveries_alert_id_alerts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_deliveries")),
        sa.UniqueConstraint(
            "alert_id", "destination", "news", name=op.f("uq_alert_deliveries_alert_id_destination_news")
        ),
    )
    op.create_index(
        "ix_alert_deliveries_state_not_before", "alert_deliveries", ["state", "not_before"], unique=False
    )
