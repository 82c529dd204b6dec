"""A year in numbers: how many of its numbers were asked for, and how they ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, case, func, select

from limpet.apps.dockets.account.crawl import CrawlStats
from limpet.apps.dockets.documents import ENTRIES_NOW
from limpet.apps.dockets.tables import docket_case_versions, docket_cases, docket_documents
from limpet.extract.parse.case_number import CaseNumber


@dataclass(frozen=True, slots=True)
class YearStats:
    """One register of one year at one source; `crawl` adds up over every number that was ever asked for."""

    source_id: str
    prefix: str
    year: int
    crawl: CrawlStats
    entries: int
    versions: int
    documents: int
    vanished: int
    last_attempt_at: datetime


def year_stats(
    connection: Connection, *, year: int | None = None, source_id: str | None = None
) -> list[YearStats]:
    """Return the registers on record, the latest year first."""
    cases = docket_cases.c
    question = (
        select(
            cases.source_id,
            cases.prefix,
            cases.year,
            func.min(cases.number).label("first"),
            func.max(cases.number).label("last"),
            func.count().label("total"),
            _how_many("succeeded"),
            _how_many("no_record"),
            _how_many("failed"),
            func.count(cases.vanished_at).label("vanished"),
            func.max(cases.last_attempt_at, type_=cases.last_attempt_at.type).label("last_attempt_at"),
        )
        .group_by(cases.source_id, cases.prefix, cases.year)
        .order_by(cases.year.desc(), cases.source_id, cases.prefix)
    )
    if year is not None:
        question = question.where(cases.year == year)
    if source_id is not None:
        question = question.where(cases.source_id == source_id)
    return [_stats_of(connection, row) for row in connection.execute(question)]


def _how_many(status: str) -> ColumnElement[int]:
    return func.sum(case((docket_cases.c.status == status, 1), else_=0)).label(status)


def _stats_of(connection: Connection, row: Row[Any]) -> YearStats:
    cases = docket_cases.c
    mine = select(cases.id).where(
        cases.source_id == row.source_id, cases.prefix == row.prefix, cases.year == row.year
    )

    def held(column: ColumnElement[Any]) -> int:
        return connection.execute(select(func.count()).where(column.in_(mine))).scalar_one()

    return YearStats(
        source_id=row.source_id,
        prefix=row.prefix,
        year=row.year,
        crawl=CrawlStats(
            start_id=str(CaseNumber(row.prefix, row.year, row.first)),
            end_id=str(CaseNumber(row.prefix, row.year, row.last)),
            total_attempted=row.total,
            success_count=int(row.succeeded),
            no_record_count=int(row.no_record),
            failed_count=int(row.failed),
        ),
        entries=held(ENTRIES_NOW.c.docket_case_id),
        versions=held(docket_case_versions.c.docket_case_id),
        documents=held(docket_documents.c.docket_case_id),
        vanished=row.vanished,
        last_attempt_at=row.last_attempt_at,
    )
