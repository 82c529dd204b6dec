"""The archive leafed through by people: the newest judgment first, a page at a time, fast at any depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, func, select

from limpet.apps.judgments.case_filter import FAILED_STATES, IS_STORED, CaseFilter, State, conditions
from limpet.apps.judgments.tables import DAY, cases
from limpet.apps.judgments.views import ArchivedCase, cases_by_id
from limpet.record.tables import jobs, targets


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A case on a list, and how it stands in a word."""

    case: ArchivedCase
    last_state: str | None  # of its last job
    last_details: str | None

    @property
    def state(self) -> State:
        """`stored`, or why it is not: `removed`, `criminal`, `failed`, `waiting`."""
        if self.case.is_downloaded:
            return "stored"
        if not self.case.is_active:
            return "removed"
        if self.case.is_criminal:
            return "criminal"
        return "failed" if self.last_state in FAILED_STATES else "waiting"


@dataclass(frozen=True, slots=True)
class Figures:
    """The archive, or one source of it, in numbers; and the words its cases can be chosen by."""

    total: int
    stored: int
    waiting: int
    criminal: int
    removed: int
    courts: Sequence[str]
    categories: Sequence[str]


def listed_cases(
    connection: Connection, *, wanted: CaseFilter, after: int = 0, limit: int = 60
) -> list[ListedCase]:
    """Return a page of cases, the newest judgment first; `after` is the last case of the page before."""
    # Ids first: a sort over a hundred thousand cases then carries no titles along.
    question = select(cases.c.id).where(*conditions(wanted), *_beyond(connection, after))
    ids = connection.execute(question.order_by(DAY.desc(), cases.c.id.desc()).limit(limit)).scalars().all()
    found = {case.id: case for case in cases_by_id(connection, ids)}
    last = last_jobs(connection, ids)
    return [ListedCase(found[each], *last.get(each, (None, None))) for each in ids]


def last_jobs(connection: Connection, case_ids: Sequence[int]) -> dict[int, tuple[str, str | None]]:
    """Return state and details of the last job of each of these cases that ever had one."""
    its_target = (targets.c.source_id == cases.c.source) & (targets.c.canonical_url == cases.c.address)
    last = (
        select(cases.c.id.label("case_id"), func.max(jobs.c.id).label("job_id"))
        .join_from(cases, targets, its_target)
        .join(jobs, jobs.c.target_id == targets.c.id)
        .where(cases.c.id.in_(case_ids))
        .group_by(cases.c.id)
        .subquery()
    )
    question = select(last.c.case_id, jobs.c.state, jobs.c.details).join(jobs, jobs.c.id == last.c.job_id)
    return {row.case_id: (row.state, row.details) for row in connection.execute(question)}


def figures_by_source(connection: Connection) -> dict[str, Figures]:
    """Return the figures of every source that has a case; one look at each of them, so remember the answer."""
    said = (cases.c.source, cases.c.court, cases.c.category, cases.c.is_active, cases.c.is_criminal)
    is_stored = IS_STORED.label("is_stored")
    question = select(*said, is_stored, func.count().label("cases")).group_by(*said, is_stored)
    by_source: dict[str, list[_Kind]] = {}
    for row in connection.execute(question):
        kind = _Kind(row.court, row.category, bool(row.is_active), bool(row.is_criminal), bool(row.is_stored))
        by_source.setdefault(row.source, []).append(kind.counted(row.cases))
    return {source: _figures(kinds) for source, kinds in sorted(by_source.items())}


def together(figures: Sequence[Figures]) -> Figures:
    """Return the figures of several sources as one."""
    counts: Counter[str] = Counter()
    for each in figures:
        counts.update({name: getattr(each, name) for name in _COUNTS})
    return Figures(
        **{name: counts[name] for name in _COUNTS},
        courts=sorted({court for each in figures for court in each.courts}),
        categories=sorted({category for each in figures for category in each.categories}),
    )


_COUNTS = ("total", "stored", "waiting", "criminal", "removed")


@dataclass(frozen=True, slots=True)
class _Kind:
    """Cases that stand alike."""

    court: str | None
    category: str | None
    is_active: bool
    is_criminal: bool
    is_stored: bool
    count: int = 0

    def counted(self, count: int) -> _Kind:
        return _Kind(self.court, self.category, self.is_active, self.is_criminal, self.is_stored, count)


def _figures(kinds: Sequence[_Kind]) -> Figures:
    def count(*marks: str) -> int:
        return sum(kind.count for kind in kinds if all(getattr(kind, mark) for mark in marks))

    waiting = (kind for kind in kinds if kind.is_active and not (kind.is_criminal or kind.is_stored))
    return Figures(
        total=count(),
        stored=count("is_stored"),
        waiting=sum(kind.count for kind in waiting),
        criminal=count("is_criminal"),
        removed=sum(kind.count for kind in kinds if not kind.is_active),
        courts=sorted({kind.court for kind in kinds if kind.court}),
        categories=sorted({kind.category for kind in kinds if kind.category}),
    )


def _beyond(connection: Connection, after: int) -> list[ColumnElement[bool]]:
    """Return what is true of the cases that come after this one."""
    if not after:
        return []
    day = connection.execute(select(DAY).where(cases.c.id == after)).scalar() or ""
    return [day >= DAY, (day > DAY) | (cases.c.id < after)]
