"""Dockets looked at: a register's numbers are counted by how they stand without reading their rows."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_COLUMNS = ["source_id", "prefix", "year", "status", "number"]


def upgrade() -> None:
    op.create_index("ix_docket_cases_standing", "docket_cases", _COLUMNS, unique=False)


def downgrade() -> None:
    op.drop_index("ix_docket_cases_standing", "docket_cases")
