"""What the docket reader has on record of a page: the version of its case that was in force once it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, or_, select

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.docket import Docket, fingerprint
from limpet.apps.dockets.tables import docket_case_versions, docket_cases, docket_entries
from limpet.engine.comparing import Reading, Standing
from limpet.record.recorded_pages import RecordedPage
from limpet.record.storable import storable_or_none
from limpet.target import Outcome

_HEADER = (
    "style_of_cause",
    "case_type",
    "type_of_action",
    "nature_of_proceeding",
    "filing_date",
    "office",
    "language",
)


class DocketRereading:
    """Compares header and entries. A version belongs to the day it was recorded, so the past is not rewritten."""

    def standing(self, connection: Connection, pages: Sequence[RecordedPage]) -> Mapping[int, Standing]:
        """Return how each page was read; a document is a file, and no page is kept of it."""
        return {page.job_id: Standing(_reading(connection, page), page.job_id) for page in pages}

    def facts(self, record: Any) -> Mapping[str, Any]:
        """Return the header as it would be stored, and what its entries say."""
        docket: Docket = record
        header = docket.header()
        entries = sorted((entry.entry_id, fingerprint(entry.content())) for entry in docket.entries)
        return {name: storable_or_none(header[name]) for name in _HEADER} | _entries(entries)

    def is_first(self, connection: Connection, page: RecordedPage, identity: str) -> bool:
        """A number is one target: no run meets it twice."""
        return True


def _reading(connection: Connection, page: RecordedPage) -> Reading:
    version = _version(connection, page) if page.outcome is Outcome.SUCCEEDED else None
    facts = None if version is None else _facts(connection, version)
    return Reading(page.outcome, page.reason, facts, page.details)


def _version(connection: Connection, page: RecordedPage) -> Row[Any] | None:
    """Return the version this very job wrote, or the one it found unchanged."""
    its_case = (
        docket_cases.c.source_id == page.target.source_id,
        docket_cases.c.case_id == str(case_at(page.target.address)),
    )
    versions = docket_case_versions.c
    question = (
        select(docket_case_versions)
        .join(docket_cases, docket_cases.c.id == versions.docket_case_id)
        .where(*its_case, or_(versions.job_id == page.job_id, versions.recorded_at <= page.ended_at))
    )
    return connection.execute(question.order_by(versions.version.desc()).limit(1)).one_or_none()


def _facts(connection: Connection, version: Row[Any]) -> dict[str, Any]:
    entries = docket_entries.c
    of_case = entries.docket_case_id == version.docket_case_id, entries.case_version <= version.version
    newest = select(entries.entry_id, func.max(entries.version).label("version")).where(*of_case)
    latest = newest.group_by(entries.entry_id).subquery()
    question = (
        select(entries.entry_id, entries.content_sha256)
        .join(latest, (latest.c.entry_id == entries.entry_id) & (latest.c.version == entries.version))
        .where(*of_case, entries.is_removed.is_(False))
        .order_by(entries.entry_id)
    )
    held = [(row.entry_id, row.content_sha256) for row in connection.execute(question)]
    return {name: getattr(version, name) for name in _HEADER} | _entries(held)


def _entries(held: Sequence[tuple[int, str]]) -> dict[str, Any]:
    return {"entry_count": len(held), "entries_sha256": fingerprint([list(each) for each in held])}
