"""Cases and their entries as tables for other programs: CSV, JSON lines or Parquet."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol

import orjson
from sqlalchemy import Connection, Row, Select, and_, select, tuple_

from limpet.apps.dockets.docket import stated_confidential
from limpet.apps.dockets.tables import docket_case_versions, docket_cases, docket_entries
from limpet.record.ledger import Ledger
from limpet.record.parquet import Kind, ParquetSheet
from limpet.record.sheets import CsvSheet, JsonLines

Format = Literal["csv", "jsonl", "parquet"]
ROWS_AT_ONCE = 1_000

CASE_COLUMNS: Mapping[str, Kind] = {
    "source_id": Kind.TEXT,
    "case_id": Kind.TEXT,
    "prefix": Kind.TEXT,
    "year": Kind.INT64,
    "number": Kind.INT64,
    "status": Kind.TEXT,
    "version": Kind.INT64,
    "style_of_cause": Kind.TEXT,
    "case_type": Kind.TEXT,
    "type_of_action": Kind.TEXT,
    "nature_of_proceeding": Kind.TEXT,
    "filing_date": Kind.TEXT,
    "office": Kind.TEXT,
    "language": Kind.TEXT,
    "entry_count": Kind.INT64,
    "parties": Kind.TEXT,  # JSON
    "related_cases": Kind.TEXT,  # JSON
    "attempts": Kind.INT64,
    "last_error": Kind.TEXT,
    "last_attempt_at": Kind.TEXT,
    "recorded_at": Kind.TEXT,
    "url": Kind.TEXT,
    "saved_path": Kind.TEXT,
}
ENTRY_COLUMNS: Mapping[str, Kind] = {
    "source_id": Kind.TEXT,
    "case_id": Kind.TEXT,
    "entry_id": Kind.INT64,
    "version": Kind.INT64,
    "date_filed": Kind.TEXT,
    "office": Kind.TEXT,
    "summary": Kind.TEXT,
    "is_published": Kind.BOOLEAN,
    "is_confidential": Kind.BOOLEAN,
    "is_removed": Kind.BOOLEAN,
    "doc_id": Kind.TEXT,
    "document_number": Kind.TEXT,
    "recorded_at": Kind.TEXT,
}


class Sheet(Protocol):
    """A file being written in pieces."""

    def begin(self) -> bytes: ...

    def rows(self, rows: Any) -> bytes: ...

    def end(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of the archive."""

    source_id: str | None = None
    prefix: str | None = None
    year: int | None = None
    history: bool = False  # every version of an entry, not only the one that stands


@dataclass(frozen=True, slots=True)
class ExportTable:
    """One of the tables: its columns, and how a page of it is read."""

    name: str
    columns: Mapping[str, Kind]
    page: Callable[..., tuple[list[dict[str, Any]], Any]]


def sheet_for(form: Format, columns: Mapping[str, Kind]) -> Sheet:
    """Return an empty sheet of the format."""
    if form == "parquet":
        return ParquetSheet(columns)
    return CsvSheet(list(columns)) if form == "csv" else JsonLines(list(columns))


async def export(ledger: Ledger, form: Format, table: ExportTable, wanted: Wanted) -> AsyncIterator[bytes]:
    """Yield the file piece by piece; no more than a page of it is in memory."""
    sheet, after = sheet_for(form, table.columns), None
    yield sheet.begin()
    while True:
        rows, after = await ledger.read(partial(table.page, wanted=wanted, after=after))
        if not rows:
            break
        yield sheet.rows(rows)
    yield sheet.end()


def case_page(connection: Connection, wanted: Wanted, after: Any) -> tuple[list[dict[str, Any]], Any]:
    """Return a page of cases by their id, and where the next one begins."""
    cases, versions = docket_cases.c, docket_case_versions.c
    newest = and_(versions.docket_case_id == cases.id, versions.version == cases.version)
    own = [
        column
        for column in versions
        if column.name not in {"id", "version", "docket_case_id", "content_sha256"}
    ]
    question = select(docket_cases, *own).outerjoin(docket_case_versions, newest)
    rows = list(
        connection.execute(_page_of(question, wanted).where(cases.id > (after or 0)).order_by(cases.id))
    )
    return [_case_row(row) for row in rows], rows[-1].id if rows else after


def entry_page(connection: Connection, wanted: Wanted, after: Any) -> tuple[list[dict[str, Any]], Any]:
    """Return a page of entries by case and their own id, and where the next one begins."""
    cases, entries = docket_cases.c, docket_entries.c
    question = select(docket_entries, cases.source_id, cases.case_id).join(
        docket_cases, cases.id == entries.docket_case_id
    )
    if not wanted.history:
        later = docket_entries.alias("later")
        is_superseded = select(later.c.id).where(
            later.c.docket_case_id == entries.docket_case_id,
            later.c.entry_id == entries.entry_id,
            later.c.version > entries.version,
        )
        question = question.where(entries.is_removed.is_(False), ~is_superseded.exists())
    place = tuple_(entries.docket_case_id, entries.entry_id, entries.version)
    if after is not None:
        question = question.where(place > tuple_(*after))
    ordered = question.order_by(entries.docket_case_id, entries.entry_id, entries.version)
    rows = list(connection.execute(_page_of(ordered, wanted)))
    last = rows[-1] if rows else None
    return [_entry_row(row) for row in rows], (
        (last.docket_case_id, last.entry_id, last.version) if last else after
    )


CASES = ExportTable("cases", CASE_COLUMNS, case_page)
ENTRIES = ExportTable("docket_entries", ENTRY_COLUMNS, entry_page)


def _page_of(question: Select[Any], wanted: Wanted) -> Select[Any]:
    cases = docket_cases.c
    asked = ((cases.source_id, wanted.source_id), (cases.prefix, wanted.prefix), (cases.year, wanted.year))
    for column, value in asked:
        if value is not None:
            question = question.where(column == value)
    return question.limit(ROWS_AT_ONCE)


def _case_row(row: Row[Any]) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in CASE_COLUMNS}
    for name in ("parties", "related_cases"):
        values[name] = None if values[name] is None else orjson.dumps(values[name]).decode()
    for name in ("last_attempt_at", "recorded_at"):
        values[name] = values[name].isoformat() if values[name] else None
    return values


def _entry_row(row: Row[Any]) -> dict[str, Any]:
    details = row.details or {}
    document = details.get("DOCNO")
    return {
        "source_id": row.source_id,
        "case_id": row.case_id,
        "entry_id": row.entry_id,
        "version": row.version,
        "date_filed": row.date_filed,
        "office": row.office,
        "summary": row.summary,
        "is_published": row.is_published,
        "is_confidential": stated_confidential(details),
        "is_removed": row.is_removed,
        "doc_id": None if document is None else str(document),
        "document_number": details.get("FOREMOST_NUMBER"),
        "recorded_at": row.recorded_at.isoformat(),
    }
