"""The timetable: which sources are due, by their schedules in UTC. Two schedulers never fire twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from limpet.engine.runs import RunDesk
from limpet.errors import NothingToDo, RecordError, SourceRefused
from limpet.record.entry import NewRun, Run
from limpet.source import Source
from limpet.source.catalogue import check_source
from limpet.target.outcome import Trigger
from limpet.target.schedule import parse_schedule

# A fire older than this was missed while nobody was there, and is history.
_LOOK_BACK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Timetable:
    """Plans a run for every source whose time has come.

    However many fires were missed, one run answers the latest: what counts is today's page, not yesterday's.
    """

    desk: RunDesk

    async def plan_due(self, now: datetime) -> list[Run]:
        """Return the runs planned now; sources that are shut or still being walked wait for another look."""
        planned = []
        for source in self.desk.catalogue.list():
            if source.schedule and _is_open(source):
                run = await self._plan_if_due(source, parse_schedule(source.schedule).last_fire(now), now)
                planned += [run] if run else []
        return planned

    async def _plan_if_due(self, source: Source, due_at: datetime, now: datetime) -> Run | None:
        if now - due_at > _LOOK_BACK or not await self.desk.ledger.is_due(source.id, due_at):
            return None
        new = NewRun(app=source.app, source_id=source.id, trigger=Trigger.SCHEDULE, due_at=due_at)
        try:
            return await self.desk.plan(new)
        except (NothingToDo, RecordError):
            return None  # no targets yet, or another scheduler answered this very fire first


def _is_open(source: Source) -> bool:
    try:
        check_source(source)
    except SourceRefused:
        return False
    return True
