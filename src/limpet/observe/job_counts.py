"""How many jobs stand or ended how, and why: counted from job rows, but those of ended runs only once."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from limpet.record.tables import jobs, runs
from limpet.target.outcome import RunState

_IS_RUNNING = runs.c.state == RunState.RUNNING.value


class Ended(NamedTuple):
    """What jobs are counted by; `site_id` and `reason` are none while a job waits."""

    app: str
    source_id: str
    site_id: str | None
    state: str  # JobState
    reason: str | None


Counts = Counter[Ended]


class JobCounter:
    """Keeps the sum over all runs up to one below which every run has ended."""

    def __init__(self) -> None:
        self._ended: Counts = Counter()
        self._up_to = 0
        self._print: tuple[int, datetime | None] | None = None

    def count(self, connection: Connection) -> Counts:
        """Return the counts as the ledger stands now."""
        if self._up_to and self._fingerprint(connection) != self._print:
            self._ended, self._up_to = (
                Counter(),
                0,
            )  # an old run was opened again: what we know is no longer true
        self._advance(connection)
        return self._ended + _count(connection, runs.c.id > self._up_to)

    def _advance(self, connection: Connection) -> None:
        first_open = connection.execute(select(func.min(runs.c.id)).where(_IS_RUNNING)).scalar()
        newest = connection.execute(select(func.max(runs.c.id))).scalar() or 0
        up_to = newest if first_open is None else first_open - 1
        if up_to > self._up_to:
            self._ended += _count(connection, runs.c.id > self._up_to, runs.c.id <= up_to)
            self._up_to = up_to
        self._print = self._fingerprint(connection)

    def _fingerprint(self, connection: Connection) -> tuple[int, datetime | None]:
        question = select(func.count(runs.c.ended_at), func.max(runs.c.ended_at))
        count, newest = connection.execute(question.where(runs.c.id <= self._up_to)).one()
        return count, newest


def _count(connection: Connection, *which: ColumnElement[bool]) -> Counts:
    """Count by run first: the rows of one run lie together."""
    chosen = select(runs.c.id).where(*which)
    kinds = (jobs.c.source_id, jobs.c.site_id, jobs.c.state, jobs.c.reason)
    counted = (
        select(jobs.c.run_id, *kinds, func.count().label("count"))
        .where(jobs.c.run_id.in_(chosen), jobs.c.rereads.is_(None))  # a page read again was not asked for
        .group_by(jobs.c.run_id, *kinds)
        .subquery()
    )
    fewer = [runs.c.app, *(counted.c[column.name] for column in kinds)]
    question = (
        select(*fewer, func.sum(counted.c.count))
        .join_from(counted, runs, runs.c.id == counted.c.run_id)
        .group_by(*fewer)
    )
    return Counter({Ended(*row[:-1]): int(row[-1]) for row in connection.execute(question)})
