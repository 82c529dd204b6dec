"""Which cases are asked for: by source, words, court, how they stand, and what an index changed about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, exists, func, select

from limpet.apps.judgments.searched import searchable
from limpet.apps.judgments.tables import case_changes, case_files, case_searches, cases, csv_versions
from limpet.record.storable import storable
from limpet.record.tables import jobs, targets
from limpet.target import JobState

State = Literal["stored", "waiting", "failed", "criminal", "removed"]
Change = Literal["new", "changed", "removed", "reappeared"]

FAILED_STATES = (JobState.FAILED.value, JobState.DROPPED.value, JobState.QUARANTINED.value)
_MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which cases to show; None leaves a question open."""

    source_id: str | None = None
    run_id: int | None = None  # only what this run stored
    is_downloaded: bool | None = None
    search: str | None = None  # every word must occur somewhere
    court: str | None = None
    category: str | None = None
    state: State | None = None
    change: Change | None = None
    version_id: int | None = None  # whose change; the versions the cases stand at when nobody says


_file = case_files.alias()  # of its own: the question around it may look at files too
IS_STORED = exists().where(_file.c.case_id == cases.c.id)
_IS_WANTED = (cases.c.is_active == 1) & (cases.c.is_criminal == 0)


def conditions(wanted: CaseFilter) -> list[ColumnElement[bool]]:
    """Return what must be true of a case; the run it was stored by is asked of its file elsewhere."""
    named = {"source": wanted.source_id, "court": wanted.court, "category": wanted.category}
    asked = [cases.c[name] == storable(value) for name, value in named.items() if value is not None]
    if wanted.is_downloaded is not None:
        asked.append(IS_STORED if wanted.is_downloaded else ~IS_STORED)
    if wanted.state is not None:
        asked.append(_stands(wanted.state))
    if wanted.change is not None:
        asked.append(_was(wanted.change, wanted.version_id))
    if words := (wanted.search or "").split()[:_MOST_WORDS]:
        asked.append(_says(words))
    return asked


def _stands(state: State) -> ColumnElement[bool]:
    known: dict[State, ColumnElement[bool]] = {
        "stored": IS_STORED,
        "waiting": _IS_WANTED & ~IS_STORED,
        "failed": _IS_WANTED & ~IS_STORED & _failed_last(),
        "criminal": cases.c.is_criminal == 1,
        "removed": cases.c.is_active == 0,
    }
    return known[state]


def _failed_last() -> ColumnElement[bool]:
    # Asked of one case at a time: Postgres takes a third of what it takes to join all jobs there ever were.
    its_target = (targets.c.source_id == cases.c.source) & (targets.c.canonical_url == cases.c.address)
    its_jobs = select(jobs.c.state).join(targets, targets.c.id == jobs.c.target_id).where(its_target)
    last_state = its_jobs.order_by(jobs.c.id.desc()).limit(1).correlate(cases).scalar_subquery()
    return last_state.in_(FAILED_STATES)


def _was(change: Change, version_id: int | None) -> ColumnElement[bool]:
    versions: list[int] | Select[Any] = standing_versions() if version_id is None else [version_id]
    if change == "new":
        return cases.c.first_seen_version_id.in_(versions)
    noted = select(case_changes.c.case_id).where(
        case_changes.c.version_id.in_(versions), case_changes.c.kind == change
    )
    return cases.c.id.in_(noted)


def standing_versions() -> Select[Any]:
    """Return the question which version of each source its cases stand at."""
    is_good = (csv_versions.c.valid == 1, csv_versions.c.is_held.is_(False))
    return select(func.max(csv_versions.c.id)).where(*is_good).group_by(csv_versions.c.source)


def _says(words: Sequence[str]) -> ColumnElement[bool]:
    found = (case_searches.c.searched.contains(searchable(storable(word)), autoescape=True) for word in words)
    return cases.c.id.in_(select(case_searches.c.id).where(*found))
