"""Many hosts: who leads among several processes that could, and bodies that all of them can read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import UtcTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "leaderships",
        sa.Column("role", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("fence", sa.Integer, nullable=False),
        sa.Column("held_until", UtcTime, nullable=False),
    )
    op.create_table(
        "snapshot_frames",
        sa.Column("sha256", sa.Text, primary_key=True),
        sa.Column("frame", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("snapshot_frames")
    op.drop_table("leaderships")
