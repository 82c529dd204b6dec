"""Published documents: which are still to be fetched, as targets of their own."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Boolean, Connection, Integer, column, select, table

from limpet.apps.dockets.addresses import document_address
from limpet.apps.dockets.tables import docket_cases, docket_documents
from limpet.extract.parse.case_number import CaseNumber
from limpet.record.types import Json, RowId
from limpet.source import Source
from limpet.target import Target
from limpet.target.address import lane_of

ENTRIES_NOW = table(
    "docket_entries_now",
    column("docket_case_id", RowId),
    column("entry_id", Integer),
    column("is_published", Boolean),
    column("details", Json),
)


def documents_to_fetch(
    connection: Connection, source: Source, *, is_wanted: Callable[[CaseNumber], bool]
) -> list[Target]:
    """Return a target for every document that may be had, that is wanted, and that we do not hold."""
    held = select(docket_documents.c.docket_case_id, docket_documents.c.document_number)
    have = {(row.docket_case_id, row.document_number) for row in connection.execute(held)}
    cases = docket_cases.c
    question = (
        select(
            cases.id, cases.prefix, cases.year, cases.number, ENTRIES_NOW.c.entry_id, ENTRIES_NOW.c.details
        )
        .join(ENTRIES_NOW, ENTRIES_NOW.c.docket_case_id == cases.id)
        .where(cases.source_id == source.id, ENTRIES_NOW.c.is_published.is_(True))
        .order_by(cases.prefix, cases.year, cases.number, ENTRIES_NOW.c.entry_id)
    )
    found = []
    for row in connection.execute(question):
        case = CaseNumber(row.prefix, row.year, row.number)
        number = str(row.details.get("FOREMOST_NUMBER") or "")
        if number and (row.id, number) not in have and is_wanted(case):
            found.append(_target(source, case, row.entry_id, number))
    return found


def _target(source: Source, case: CaseNumber, entry_id: int, number: str) -> Target:
    address = document_address(source, number)
    params = {"case_id": str(case), "entry_id": entry_id}
    return Target(source_id=source.id, address=address, url=address, lane=lane_of(address), params=params)
