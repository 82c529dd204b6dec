"""The timetable: which targets are due, by their schedules in UTC. Two schedulers never fire twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import structlog

from limpet.engine.backoff import EVERYBODY, Backoff
from limpet.engine.runs import RunDesk
from limpet.errors import ConfigError, NothingToDo, QueueFull, RecordError, SourceRefused
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Selection
from limpet.record.lives import is_walked, latest_fire, target_schedules
from limpet.source import Source
from limpet.source.catalogue import check_source
from limpet.target.outcome import Trigger
from limpet.target.schedule import parse_schedule

_log = structlog.get_logger("limpet.timetable")
# A fire older than this was missed while nobody was there, and is history.
_LOOK_BACK = timedelta(days=7)


@dataclass(slots=True)
class Timetable:
    """Plans a run for every source whose time has come; targets with a schedule of their own follow that one.

    However many fires were missed, one run answers them all: what counts is today's page, not yesterday's.
    """

    desk: RunDesk
    backoff: Backoff = field(default_factory=Backoff)

    async def plan_due(self, now: datetime) -> list[Run]:
        """Return the runs planned now; sources that are shut or still being walked wait for another look."""
        if self.backoff.holds(EVERYBODY, now):
            return []
        own = await self.desk.ledger.read(target_schedules)
        planned: list[Run] = []
        refusals: list[QueueFull] = []
        for source in self.desk.catalogue.list():
            fires = latest_fires(source, own.get(source.id, ()), now)
            if fires and is_open(source) and not self.backoff.holds(source.id, now):
                try:
                    run = await self._plan_if_due(source, fires)
                except QueueFull as full:
                    refusals.append(full)
                    await self._keep_away(source.id, full, now)
                else:
                    planned += [run] if run else []
        await self._look_at_the_whole(planned, refusals, now)
        return planned

    async def _plan_if_due(self, source: Source, fires: dict[str | None, datetime]) -> Run | None:
        answered = await self.desk.ledger.read(partial(latest_fire, source_id=source.id))
        due = {schedule: at for schedule, at in fires.items() if answered is None or at > answered}
        if not due or await self.desk.ledger.read(partial(is_walked, source_id=source.id)):
            return None
        # A run answers every fire up to the latest: the unique key on it is what two schedulers meet at.
        at = max(due.values())
        # The schedule of today is written down: how well it was kept is judged long after it was changed.
        new = NewRun(
            app=source.app,
            source_id=source.id,
            trigger=Trigger.SCHEDULE,
            params={"schedule": source.schedule} if source.schedule else {},
            due_at=at,
        )
        # What an app finds out for itself it finds out when the run is walked, not while the timetable waits.
        chosen = None if self.desk.prepares(source.app) else Selection([source.id], schedules=list(due))
        try:
            run = await self.desk.plan(new, chosen=chosen)
        except (NothingToDo, RecordError, SourceRefused):
            return None  # no targets yet, shut meanwhile, or another scheduler answered this very fire first
        await self._come_back(source.id)
        return run

    async def _keep_away(self, key: str, full: QueueFull, now: datetime) -> None:
        if self.backoff.refused(key, full.retry_after, now=now):
            payload = {"seconds": self.backoff.seconds(key), "details": str(full)}
            await self.desk.ledger.log_event(
                "alert_scheduler_backoff", source_id=key or None, payload=payload
            )

    async def _look_at_the_whole(self, planned: list[Run], refusals: list[QueueFull], now: datetime) -> None:
        """When more is refused than taken, the queue is full for everybody: nobody asks for a while."""
        if len(refusals) > len(planned):
            await self._keep_away(EVERYBODY, refusals[-1], now)
        elif planned:
            await self._come_back(EVERYBODY)

    async def _come_back(self, key: str) -> None:
        """Forget the refusals of before, and say so when somebody had been told of them."""
        if self.backoff.holds_back(key):
            await self.desk.ledger.log_event("scheduler_resumed", source_id=key or None)
        self.backoff.accepted(key)


def latest_fires(source: Source, own: Iterable[str], now: datetime) -> dict[str | None, datetime]:
    """Return the latest fire of every schedule of a source; None stands for the source's own."""
    schedules: dict[str | None, str] = {text: text for text in own}
    if source.schedule:
        schedules[None] = source.schedule
    found = {}
    for key, text in schedules.items():
        try:
            at = parse_schedule(text).last_fire(now)
        except ConfigError as wrong:
            _log.warning("schedule_unreadable", source=source.id, message=str(wrong))
            continue
        if now - at <= _LOOK_BACK:
            found[key] = at
    return found


def is_open(source: Source) -> bool:
    """Whether the source's gate lets anybody through now."""
    try:
        check_source(source)
    except SourceRefused:
        return False
    return True
