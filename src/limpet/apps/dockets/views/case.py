"""One case with its past: what stands on its docket now, and every version of the case and of each entry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from limpet.apps.dockets.docket import stated_confidential
from limpet.apps.dockets.tables import docket_case_versions, docket_cases, docket_documents, docket_entries
from limpet.apps.dockets.views.cases import CaseLine
from limpet.record.storable import storable
from limpet.record.tables import jobs

HEADER = (
    *("style_of_cause", "case_type", "type_of_action", "nature_of_proceeding"),
    *("filing_date", "office", "language"),
)


@dataclass(frozen=True, slots=True)
class EntryVersion:
    """An entry as it stood from one moment on."""

    entry_id: int
    version: int
    case_version: int
    date_filed: str | None
    office: str | None
    summary: str
    is_published: bool
    is_removed: bool
    recorded_at: datetime
    is_confidential: bool | None  # None when it was read from the page, which does not tell


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry with everything it ever said, oldest first."""

    versions: tuple[EntryVersion, ...]

    @property
    def now(self) -> EntryVersion:
        """How it stands."""
        return self.versions[-1]

    @property
    def last_stated(self) -> EntryVersion:
        """What it said last: one that was withdrawn says nothing any more."""
        return next((each for each in reversed(self.versions) if not each.is_removed), self.now)

    @property
    def is_edited(self) -> bool:
        return len(self.versions) > 1


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of the header that was changed."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class CaseVersion:
    """The case as it stood from one moment on, and what had changed."""

    version: int
    recorded_at: datetime
    entry_count: int
    job_id: int
    adapter_version: str
    url: str
    saved_path: str | None
    header: dict[str, str | None]
    parties: list[dict[str, Any]] | None
    related_cases: list[dict[str, Any]] | None
    changes: tuple[FieldChange, ...] = ()
    entries_changed: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A published document that is kept."""

    id: int
    entry_id: int
    document_number: str
    sha256: str
    path: str
    size_bytes: int
    stored_at: datetime


@dataclass(frozen=True, slots=True)
class CaseView:
    """Everything known about one case."""

    line: CaseLine
    first_attempt_at: datetime
    known_from: str | None  # another ledger's run, when its checkpoint told us
    target_id: int | None
    versions: tuple[CaseVersion, ...]  # newest first
    entries: tuple[Entry, ...]  # highest ID first, withdrawn ones included
    documents: tuple[Document, ...]

    @property
    def now(self) -> CaseVersion | None:
        """The newest version; none when no docket is on record."""
        return self.versions[0] if self.versions else None


def case_view(connection: Connection, source_id: str, case_id: str) -> CaseView | None:
    """Return the case, or None when it was never asked for."""
    cases = docket_cases.c
    wanted = select(docket_cases).where(
        cases.source_id == storable(source_id), cases.case_id == storable(case_id)
    )
    row = connection.execute(wanted).one_or_none()
    if row is None:
        return None
    entries = _entries(connection, row.id)
    versions = _versions(connection, row.id, entries)
    return CaseView(
        line=_line(row, versions),
        first_attempt_at=row.first_attempt_at,
        known_from=row.known_from,
        target_id=_target(connection, row.last_job_id),
        versions=versions,
        entries=entries,
        documents=_documents(connection, row.id),
    )


def find_document(connection: Connection, document_id: int) -> Document | None:
    """Return a kept document by its row."""
    columns = [docket_documents.c[name] for name in Document.__slots__]
    row = connection.execute(select(*columns).where(docket_documents.c.id == document_id)).one_or_none()
    return None if row is None else Document(*row)


def _line(row: Row[Any], versions: Sequence[CaseVersion]) -> CaseLine:
    header = versions[0].header if versions else {}
    stated: dict[str, Any] = {
        "style_of_cause": header.get("style_of_cause"),
        "nature_of_proceeding": header.get("nature_of_proceeding"),
        "filing_date": header.get("filing_date"),
        "entry_count": versions[0].entry_count if versions else None,
    }
    own = {name: getattr(row, name) for name in CaseLine.__slots__ if name not in stated}
    return CaseLine(**own, **stated)


def _entries(connection: Connection, case_row: int) -> tuple[Entry, ...]:
    columns = docket_entries.c
    question = select(docket_entries).where(columns.docket_case_id == case_row)
    by_id: dict[int, list[EntryVersion]] = defaultdict(list)
    for row in connection.execute(question.order_by(columns.entry_id, columns.version)):
        known = {name: getattr(row, name) for name in EntryVersion.__slots__ if name != "is_confidential"}
        is_confidential = stated_confidential(row.details or {})
        by_id[row.entry_id].append(EntryVersion(**known, is_confidential=is_confidential))
    return tuple(Entry(tuple(by_id[entry_id])) for entry_id in sorted(by_id, reverse=True))


def _versions(connection: Connection, case_row: int, entries: Sequence[Entry]) -> tuple[CaseVersion, ...]:
    columns = docket_case_versions.c
    question = select(docket_case_versions).where(columns.docket_case_id == case_row)
    changed: dict[int, int] = defaultdict(int)
    for each in (version for entry in entries for version in entry.versions):
        changed[each.case_version] += 1
    found: list[CaseVersion] = []
    for row in connection.execute(question.order_by(columns.version)):
        header = {name: getattr(row, name) for name in HEADER}
        before = found[-1].header if found else header
        found.append(
            CaseVersion(
                version=row.version,
                recorded_at=row.recorded_at,
                entry_count=row.entry_count,
                job_id=row.job_id,
                adapter_version=row.adapter_version,
                url=row.url,
                saved_path=row.saved_path,
                header=header,
                parties=row.parties,
                related_cases=row.related_cases,
                changes=_changes(before, header),
                entries_changed=changed[row.version],
            )
        )
    return tuple(reversed(found))


def _changes(before: dict[str, str | None], after: dict[str, str | None]) -> tuple[FieldChange, ...]:
    return tuple(
        FieldChange(name, before[name], after[name]) for name in HEADER if before[name] != after[name]
    )


def _documents(connection: Connection, case_row: int) -> tuple[Document, ...]:
    columns = [docket_documents.c[name] for name in Document.__slots__]
    question = select(*columns).where(docket_documents.c.docket_case_id == case_row)
    return tuple(Document(*row) for row in connection.execute(question.order_by(docket_documents.c.id)))


def _target(connection: Connection, job_id: int | None) -> int | None:
    if job_id is None:
        return None
    return connection.execute(select(jobs.c.target_id).where(jobs.c.id == job_id)).scalar_one_or_none()
