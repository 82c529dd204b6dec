"""The book of promises, kept from the ledger: how well each source kept its schedule in the last month."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, case, func, select

from limpet.observe.freshness import GAVE_A_PAGE, lanes_of
from limpet.observe.promise import LONGEST, WINDOWS, ErrorBudget, Visits
from limpet.observe.promise_page import PromisePage, Walk, hour_of
from limpet.observe.run_watch import RunWatch
from limpet.record.log_tables import requests
from limpet.record.making_room import TAKEN_OVER
from limpet.record.run_deeds import CANCELLED
from limpet.record.tables import jobs, runs
from limpet.source import Source
from limpet.target import JobState
from limpet.target.outcome import RunState

_LOOK_BACK = max(WINDOWS.values())
_HOUR = timedelta(hours=1)
# What was thought of the page is the judge's business: here it counts that one came.
_A_PAGE_CAME = [
    state.value for state in (JobState.SUCCEEDED, JobState.NO_RECORD, JobState.DROPPED, JobState.QUARANTINED)
]
# Somebody called it off, or a later run goes over it: no visit was owed any more.
_NOT_OWED = and_(jobs.c.state == JobState.SKIPPED.value, jobs.c.reason.in_((CANCELLED, TAKEN_OVER)))


class PromiseBook:
    """Counts ended runs once; asking again costs only what ended since."""

    def __init__(self, *, objective: float) -> None:
        self._objective = objective
        self._runs = RunWatch()
        self._pages: dict[str, PromisePage] = {}
        self._watched: dict[str, PromisePage] = {}

    def read(
        self, connection: Connection, sources: Iterable[Source], *, watched: Collection[str], now: datetime
    ) -> dict[str, ErrorBudget]:
        """Return the budget of each source that promised anything; `watched` ones are visited without a schedule."""
        seen, listed = self._runs.look(connection), list(sources)
        if seen.starts_anew:
            self._pages.clear()
        for source_id, walk in _walks(connection, seen.ended, since=now - _LOOK_BACK):
            self._pages.setdefault(source_id, PromisePage()).enter(walk)
        under_way = _under_way(connection, seen.open)
        for source in listed:
            if source.id in watched:
                self._look_at_requests(connection, source, now)
        found = {each.id: self._budget(each, under_way.get(each.id), now) for each in listed}
        return {source_id: budget for source_id, budget in found.items() if budget.visits[LONGEST].due}

    def _budget(self, source: Source, answered: datetime | None, now: datetime) -> ErrorBudget:
        page = self._watched.get(source.id) or self._pages.get(source.id) or PromisePage()
        page.forget_before(now - _LOOK_BACK)
        sums = page.sums(now, schedule=source.schedule, answered=answered)
        return ErrorBudget(self._objective, sums, page.since)

    def _look_at_requests(self, connection: Connection, source: Source, now: datetime) -> None:
        """Count the hours not yet counted, and the two newest again: they still grow."""
        page = self._watched.get(source.id)
        first = hour_of(now) - _HOUR if page is not None else hour_of(now - _LOOK_BACK)
        page = self._watched.setdefault(source.id, PromisePage())
        hour = min(first, max(page.hours, default=first))
        while hour <= now:
            visits = _visits_within(connection, source, hour)
            if visits.due:
                page.hours[hour] = visits
                page.first_at = page.first_at or _first_within(connection, source, hour)
            hour += _HOUR


def _walks(
    connection: Connection, ended: ColumnElement[bool], *, since: datetime
) -> Iterator[tuple[str, Walk]]:
    """Yield the runs that answered a schedule, in the order they were due."""
    answers = and_(ended, runs.c.due_at >= since, runs.c.ended_at.is_not(None), runs.c.dry_run.is_(False))
    counted = _visits_by_run(connection, answers)
    question = select(
        runs.c.id, runs.c.source_id, runs.c.state, runs.c.due_at, runs.c.ended_at, runs.c.params
    )
    for row in connection.execute(question.where(answers).order_by(runs.c.due_at)):
        # Nothing was new: the visit to the index is the one that was due.
        alone = Visits(1, int(row.state == RunState.COMPLETED.value))
        schedule = (row.params or {}).get("schedule")
        yield row.source_id, Walk(row.due_at, row.ended_at, counted.get(row.id, alone), schedule)


def _visits_by_run(connection: Connection, which: ColumnElement[bool]) -> Mapping[int, Visits]:
    came = func.sum(case((jobs.c.state.in_(_A_PAGE_CAME), 1), else_=0))
    question = (
        select(jobs.c.run_id, func.count(), came)
        .where(jobs.c.run_id.in_(select(runs.c.id).where(which)), func.coalesce(~_NOT_OWED, True))
        .group_by(jobs.c.run_id)
    )
    return {run_id: Visits(due, int(kept)) for run_id, due, kept in connection.execute(question)}


def _under_way(connection: Connection, ids: Collection[int]) -> dict[str, datetime]:
    """Return which fire each source is being visited for now."""
    question = select(runs.c.source_id, func.min(runs.c.due_at)).where(runs.c.id.in_(ids))
    question = question.where(runs.c.due_at.is_not(None)).group_by(runs.c.source_id)
    return {row[0]: row[1] for row in connection.execute(question)}


def _visits_within(connection: Connection, source: Source, hour: datetime) -> Visits:
    came = func.sum(case((requests.c.outcome.in_(GAVE_A_PAGE), 1), else_=0))
    due, kept = connection.execute(select(func.count(), came).where(_pages_within(source, hour))).one()
    return Visits(due, int(kept or 0))


def _first_within(connection: Connection, source: Source, hour: datetime) -> datetime | None:
    asked = select(func.min(requests.c.started_at)).where(_pages_within(source, hour))
    first: datetime | None = connection.execute(asked).scalar()
    return first


def _pages_within(source: Source, hour: datetime) -> ColumnElement[bool]:
    return and_(
        requests.c.domain.in_(lanes_of(source)),
        requests.c.started_at >= hour,
        requests.c.started_at < hour + _HOUR,
        requests.c.source_id == source.id,
        requests.c.kind == "page",
    )
