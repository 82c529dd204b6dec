"""Broken documents: the view of downloads tells `malformed_pdf` as what it is, where the seed had only `unknown`."""

from __future__ import annotations

from alembic import op

from limpet.record.migrations.judgment_views import create_downloads

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _put_downloads(", 'malformed_pdf'")


def downgrade() -> None:
    _put_downloads("")


def _put_downloads(more_codes: str) -> None:
    op.execute("DROP VIEW downloads")
    create_downloads(op.get_bind(), more_codes=more_codes)
