"""One case told whole: what every index said about it, the files it was stored as, and its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from limpet.apps.judgments.tables import case_changes, case_files, cases, csv_versions
from limpet.apps.judgments.views import ArchivedCase, cases_by_id
from limpet.record.tables import targets


@dataclass(frozen=True, slots=True)
class CaseChange:
    """What one version of the index said otherwise; `field` is empty when the case came or went."""

    version_id: int
    changed_at: datetime
    kind: str  # new, changed, removed, reappeared
    field: str | None = None
    old_value: str | None = None
    new_value: str | None = None


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One file the case was stored as; the newest counts."""

    run_id: int
    job_id: int
    path: str
    sha256: str
    size_bytes: int
    box_url: str | None
    was_adopted: bool
    stored_at: datetime


@dataclass(frozen=True, slots=True)
class CaseStory:
    """Everything the ledger knows about one case."""

    case: ArchivedCase
    first_version_id: int
    last_version_id: int  # the newest that names it
    last_version_at: datetime
    target_id: int | None  # none until a run planned it
    changes: Sequence[CaseChange]  # newest first, down to when it was first seen
    files: Sequence[CaseFile]  # newest first


def story_of(connection: Connection, *, case_id: int) -> CaseStory | None:
    """Return the story of a case, or None when there is none."""
    found = cases_by_id(connection, [case_id])
    if not found:
        return None
    row = connection.execute(select(cases).where(cases.c.id == case_id)).one()
    bounds = csv_versions.c.id.in_([row.first_seen_version_id, row.last_seen_version_id])
    dated = select(csv_versions.c.id, csv_versions.c.fetched_at).where(bounds)
    at = {version.id: version.fetched_at for version in connection.execute(dated)}
    first = CaseChange(row.first_seen_version_id, at[row.first_seen_version_id], "new")
    its_target = (targets.c.source_id == row.source) & (targets.c.canonical_url == row.address)
    return CaseStory(
        case=found[0],
        first_version_id=row.first_seen_version_id,
        last_version_id=row.last_seen_version_id,
        last_version_at=at[row.last_seen_version_id],
        target_id=connection.execute(select(targets.c.id).where(its_target)).scalar(),
        changes=[*_changes(connection, case_id), first],
        files=_files(connection, case_id),
    )


def _changes(connection: Connection, case_id: int) -> list[CaseChange]:
    columns = [case_changes.c[name] for name in CaseChange.__slots__]
    question = select(*columns).where(case_changes.c.case_id == case_id)
    newest_first = question.order_by(case_changes.c.version_id.desc(), case_changes.c.id)
    return [CaseChange(**row._mapping) for row in connection.execute(newest_first)]


def _files(connection: Connection, case_id: int) -> list[CaseFile]:
    columns = [case_files.c[name] for name in CaseFile.__slots__]
    question = select(*columns).where(case_files.c.case_id == case_id).order_by(case_files.c.id.desc())
    return [CaseFile(**row._mapping) for row in connection.execute(question)]
