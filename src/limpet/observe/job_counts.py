"""How many jobs stand or ended how, and why: counted from job rows, but those of ended runs only once."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from limpet.observe.run_watch import RunWatch
from limpet.record.tables import jobs, runs


class Ended(NamedTuple):
    """What jobs are counted by; `site_id` and `reason` are none while a job waits."""

    app: str
    source_id: str
    site_id: str | None
    state: str  # JobState
    reason: str | None


Counts = Counter[Ended]


class JobCounter:
    """Keeps the sum over every run that ended; only those under way are counted again."""

    def __init__(self) -> None:
        self._runs = RunWatch()
        self._ended: Counts = Counter()

    def count(self, connection: Connection) -> Counts:
        """Return the counts as the ledger stands now."""
        seen = self._runs.look(connection)
        if seen.starts_anew:
            self._ended = Counter()
        self._ended += _count(connection, seen.ended)
        return self._ended + _count(connection, runs.c.id.in_(seen.open))


def _count(connection: Connection, which: ColumnElement[bool]) -> Counts:
    """Count by run first: the rows of one run lie together."""
    chosen = select(runs.c.id).where(which)
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
