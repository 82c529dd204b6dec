"""Leafing: cases by day, newest first, over all sources and within one; and one source's cases in their order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_DAY = sa.text("coalesce(judgment_date, '')")


def upgrade() -> None:
    op.drop_index("idx_cases_source", "cases")
    op.create_index("idx_cases_source", "cases", ["source", "id"])
    op.create_index("ix_cases_newest", "cases", [_DAY, "id"])
    op.create_index("ix_cases_newest_of_source", "cases", ["source", _DAY, "id"])


def downgrade() -> None:
    op.drop_index("ix_cases_newest_of_source", "cases")
    op.drop_index("ix_cases_newest", "cases")
    op.drop_index("idx_cases_source", "cases")
    op.create_index("idx_cases_source", "cases", ["source", "is_active"])
