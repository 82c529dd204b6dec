"""The latest ended runs of each source, counted once: an ended run does not change any more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, or_, select

from limpet.record.tables import jobs, runs
from limpet.source import Source
from limpet.target import JobState
from limpet.target.outcome import REASONS_EXEMPT_FROM_DRIFT, Mode, RunState

RUNS_KEPT = 2  # the latest, and the one before it: one good run after trouble is not yet health
_NEWEST_RUNS = 300
_REMEMBERED_RUNS = 2_000


@dataclass(frozen=True, slots=True)
class RunTally:
    """One ended run as it went for one source."""

    run_id: int
    state: RunState
    ended_at: datetime | None
    counts: Mapping[str, int]
    exempt_drops: int = 0  # sold out without a price, seen twice: not the site breaking

    def count(self, state: JobState) -> int:
        """Return how many jobs ended, or stand, like this."""
        return self.counts.get(state.value, 0)

    @property
    def tried(self) -> int:
        """How many targets were asked for; a skipped one never was."""
        return sum(self.counts.values()) - self.count(JobState.SKIPPED) - self.exempt_drops

    @property
    def troubled(self) -> int:
        """How many ended in a way that hints at the site, or our reading of it, having changed."""
        bad = self.count(JobState.FAILED) + self.count(JobState.QUARANTINED) + self.count(JobState.DROPPED)
        return bad - self.exempt_drops

    @property
    def answered(self) -> int:
        """How many gave a record, or the knowledge that there is none."""
        return self.count(JobState.SUCCEEDED) + self.count(JobState.NO_RECORD)


class RunTallies:
    """Counts ended runs per source, and remembers what it counted."""

    def __init__(self) -> None:
        # By run and by when it ended: a run that was reopened ends at another time, and is counted anew.
        self._known: OrderedDict[tuple[int, datetime | None], dict[str, RunTally]] = OrderedDict()

    def recent(self, connection: Connection, sources: Sequence[Source]) -> dict[str, list[RunTally]]:
        """Return each source's latest ended runs, newest first.

        A run over a whole app counts for each of its sources that had a job in it.
        """
        newest = connection.execute(_ended_runs().limit(_NEWEST_RUNS)).all()
        return {source.id: self._of_source(connection, source, newest) for source in sources}

    def _of_source(
        self, connection: Connection, source: Source, newest: Sequence[Row[Any]]
    ) -> list[RunTally]:
        found = self._tallied(connection, source, newest)
        if len(found) < RUNS_KEPT and len(newest) == _NEWEST_RUNS:
            # A source that runs once a month has long left the newest runs of the others.
            found = self._tallied(connection, source, connection.execute(_ended_runs(source)).all())
        return found

    def _tallied(self, connection: Connection, source: Source, rows: Sequence[Row[Any]]) -> list[RunTally]:
        found: list[RunTally] = []
        for row in rows:
            if row.app == source.app and row.source_id in (source.id, None):
                tally = self._count(connection, row).get(source.id)
                found += [tally] if tally is not None else []
            if len(found) == RUNS_KEPT:
                break
        return found

    def _count(self, connection: Connection, row: Row[Any]) -> Mapping[str, RunTally]:
        key = (row.id, row.ended_at)
        if key not in self._known:
            self._known[key] = _count_run(connection, row)
            if len(self._known) > _REMEMBERED_RUNS:
                self._known.popitem(last=False)
        return self._known[key]


def _ended_runs(source: Source | None = None) -> Select[Any]:
    question = (
        select(runs.c.id, runs.c.app, runs.c.source_id, runs.c.state, runs.c.ended_at)
        .where(
            runs.c.state != RunState.RUNNING.value,
            runs.c.dry_run.is_(False),
            runs.c.mode != Mode.REREAD.value,  # it says how the past reads today, not how the site is
        )
        .order_by(runs.c.id.desc())
    )
    if source is None:
        return question
    its_own = or_(runs.c.source_id == source.id, runs.c.source_id.is_(None))
    return question.where(runs.c.app == source.app, its_own).limit(RUNS_KEPT * 10)


def _count_run(connection: Connection, row: Row[Any]) -> dict[str, RunTally]:
    exempt = func.coalesce(jobs.c.reason, "").in_(REASONS_EXEMPT_FROM_DRIFT)
    question = select(jobs.c.source_id, jobs.c.state, exempt, func.count()).where(jobs.c.run_id == row.id)
    counts: dict[str, dict[str, int]] = {}
    exempt_drops: dict[str, int] = {}
    for source_id, state, is_exempt, count in connection.execute(
        question.group_by(*question.selected_columns[:3])
    ):
        of_source = counts.setdefault(source_id, {})
        of_source[state] = of_source.get(state, 0) + count
        if is_exempt and state == JobState.DROPPED.value:
            exempt_drops[source_id] = exempt_drops.get(source_id, 0) + count
    state = RunState(row.state)
    return {
        source_id: RunTally(row.id, state, row.ended_at, of_source, exempt_drops.get(source_id, 0))
        for source_id, of_source in counts.items()
    }
