"""Reading again: which job first brought the page a later one reads, and which price is a newer version of which."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.migrations.ledger_views import create_scrape_runs
from limpet.record.types import RowId

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_IS_REREAD = sa.text("rereads IS NOT NULL")


def upgrade() -> None:
    op.add_column("jobs", sa.Column("rereads", RowId))
    op.add_column("prices", sa.Column("rereads", RowId))
    op.create_index(
        "ix_jobs_rereads", "jobs", ["rereads", "id"], sqlite_where=_IS_REREAD, postgresql_where=_IS_REREAD
    )

    # What is only read again was not attempted: the seed's queries count visits.
    _put_scrape_runs("WHERE r.mode <> 'reread'\n")


def downgrade() -> None:
    _put_scrape_runs("")
    op.drop_index("ix_jobs_rereads", "jobs")
    op.drop_column("prices", "rereads")
    op.drop_column("jobs", "rereads")


def _put_scrape_runs(where: str) -> None:
    op.execute("DROP VIEW scrape_runs")
    create_scrape_runs(op.get_bind(), where=where)
