"""The rows of one year, found by the number's own year and by nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, func, select

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.tables import (
    docket_bounds,
    docket_case_versions,
    docket_cases,
    docket_documents,
    docket_entries,
)
from limpet.record.tables import jobs, targets

# In the order they can be deleted in: children first.
TABLES = (docket_documents, docket_entries, docket_case_versions, docket_cases, docket_bounds)


@dataclass(frozen=True, slots=True)
class YearRows:
    """What the ledger holds of a year."""

    source_id: str
    year: int
    cases: tuple[int, ...]  # row ids
    case_ids: tuple[str, ...]
    counts: dict[str, int]
    targets: tuple[int, ...]
    snapshots: tuple[str, ...]  # pages judged for these targets, and for no others

    @property
    def has_bound(self) -> bool:
        return self.counts[docket_bounds.name] > 0


def rows_of(connection: Connection, *, source_id: str, year: int) -> YearRows:
    """Return the year as the ledger holds it."""
    columns = docket_cases.c
    asked = select(columns.id, columns.case_id).where(*_is_of(docket_cases, source_id, year))
    cases = connection.execute(asked.order_by(columns.prefix, columns.number)).all()
    meant = _targets(connection, source_id, year)
    return YearRows(
        source_id=source_id,
        year=year,
        cases=tuple(row.id for row in cases),
        case_ids=tuple(row.case_id for row in cases),
        counts={table.name: _count(connection, table, source_id, year) for table in TABLES},
        targets=meant,
        snapshots=_snapshots(connection, meant),
    )


def belongs(table: Table, source_id: str, year: int) -> ColumnElement[bool]:
    """Return what a row of the table must be to belong to this year of this source."""
    if "docket_case_id" in table.c:
        mine = select(docket_cases.c.id).where(*_is_of(docket_cases, source_id, year))
        return table.c.docket_case_id.in_(mine)
    owner, when = _is_of(table, source_id, year)
    return owner & when


def each_row(connection: Connection, table: Table, rows: YearRows) -> Iterator[Row[Any]]:
    """Yield the year's rows of a table, in order of its key."""
    asked = select(table).where(belongs(table, rows.source_id, rows.year))
    yield from connection.execute(asked.order_by(*table.primary_key.columns))


def _is_of(table: Table, source_id: str, year: int) -> list[ColumnElement[bool]]:
    return [table.c.source_id == source_id, table.c.year == year]


def _count(connection: Connection, table: Table, source_id: str, year: int) -> int:
    asked = select(func.count()).select_from(table).where(belongs(table, source_id, year))
    return connection.execute(asked).scalar_one()


def _targets(connection: Connection, source_id: str, year: int) -> tuple[int, ...]:
    """The addresses of the year's cases, and of the documents found in their dockets."""
    listed = connection.execute(
        select(targets.c.id, targets.c.canonical_url).where(targets.c.source_id == source_id)
    )
    of_cases = {row.id for row in listed if (case := case_at(row.canonical_url)) and case.year == year}
    of_documents = connection.execute(
        select(jobs.c.target_id)
        .join(docket_documents, docket_documents.c.job_id == jobs.c.id)
        .where(belongs(docket_documents, source_id, year))
    ).scalars()
    return tuple(sorted(of_cases | set(of_documents)))


def _snapshots(connection: Connection, meant: tuple[int, ...]) -> tuple[str, ...]:
    """Kept pages of these targets. One that another target was judged by as well is not ours to remove."""
    mine: set[str] = set()
    others: set[str] = set()
    wanted = set(meant)
    asked = select(jobs.c.target_id, jobs.c.snapshot).where(jobs.c.snapshot.is_not(None))
    for row in connection.execute(asked.execution_options(yield_per=5_000)):
        (mine if row.target_id in wanted else others).add(row.snapshot)
    return tuple(sorted(mine - others))
