"""Runs that are opened first and filled once their app knows what they go over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import UtcTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("prepared_at", UtcTime))
    op.execute("UPDATE runs SET prepared_at = started_at")


def downgrade() -> None:
    with op.batch_alter_table("runs") as runs:
        runs.drop_column("prepared_at")
