"""Searching: what words are looked for in, of each judgment, apart from everything else known about it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from limpet.record.types import RowId

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_AT_ONCE = 2_000
_STATED = "action_token_raw, title, cause_number, neutral_citation, subject"


def upgrade() -> None:
    op.create_table(
        "case_searches",
        sa.Column("id", RowId, sa.ForeignKey("cases.id"), primary_key=True, autoincrement=False),
        sa.Column("searched", sa.Text, nullable=False),
    )
    connection, last = op.get_bind(), 0
    page = sa.text(f"SELECT id, {_STATED} FROM cases WHERE id > :last ORDER BY id LIMIT {_AT_ONCE}")
    while rows := connection.execute(page, {"last": last}).all():
        # In Python, because one of the databases knows no letters but A to Z.
        told = [{"id": row[0], "searched": "\n".join(text or "" for text in row[1:]).lower()} for row in rows]
        connection.execute(sa.text("INSERT INTO case_searches (id, searched) VALUES (:id, :searched)"), told)
        last = rows[-1][0]


def downgrade() -> None:
    op.drop_table("case_searches")
