"""Retention: what a page is evidence of, what lies in a pack, which packs may go, from when on rows are whole."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import UtcTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "leaving_packs",
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("pack", name=op.f("pk_leaving_packs")),
    )
    op.create_table(
        "retention_horizons",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("complete_since", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "source_id", name=op.f("pk_retention_horizons")),
    )
    op.add_column("snapshots", sa.Column("purged_by", sa.Text(), nullable=True))
    op.create_index("ix_jobs_snapshot", "jobs", ["snapshot"])
    op.create_index("ix_snapshots_pack_offset", "snapshots", ["pack", "offset"])


def downgrade() -> None:
    op.drop_index("ix_snapshots_pack_offset", "snapshots")
    op.drop_index("ix_jobs_snapshot", "jobs")
    op.drop_column("snapshots", "purged_by")
    op.drop_table("retention_horizons")
    op.drop_table("leaving_packs")
