"""What words are looked for in, of each case: kept apart and small, so that a search reads nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from limpet.apps.judgments.index.row import IndexRow
from limpet.apps.judgments.tables import cases
from limpet.record.bulk import BulkInsert
from limpet.record.storable import storable

_SEARCHES = BulkInsert(
    "case_searches",
    ("id", "searched"),
    on_conflict="ON CONFLICT (id) DO UPDATE SET searched = excluded.searched",
)


def make_findable(connection: Connection, source: str, rows: Sequence[IndexRow]) -> None:
    """Write down what can be found of these cases, as an index states them now."""
    texts = {storable(row.token): searched_text(row) for row in rows}
    question = select(cases.c.id, cases.c.action_token_raw)
    asked = (cases.c.source == source) & cases.c.action_token_raw.in_(texts)
    known = connection.execute(question.where(asked))
    _SEARCHES.run(connection, [(case_id, texts[token]) for case_id, token in known])


def searched_text(row: IndexRow) -> str:
    """Return what can be found of a case; a line each, so that no word spans two statements."""
    said = (row.token, row.title, row.cause_number, row.neutral_citation, row.subject)
    return searchable(storable("\n".join(each or "" for each in said)))


def searchable(text: str) -> str:
    """Return the text in the one case both sides of a search are written in, the same in every database."""
    return text.lower()
