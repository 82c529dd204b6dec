"""The service: scheduler and crew of one process, running until told to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from limpet.clock import Clock, is_set_within
from limpet.engine.alert_keeper import AlertKeeper
from limpet.engine.app import App, Monitor
from limpet.engine.housekeeping import Housekeeping
from limpet.engine.retention_keeper import RetentionKeeper
from limpet.engine.runs import RunDesk
from limpet.engine.setbacks import Setbacks
from limpet.engine.telling import Telling
from limpet.engine.timetable import Timetable
from limpet.engine.watcher import Watcher
from limpet.errors import LimpetError, RunBusy
from limpet.record.entry import Run
from limpet.target.outcome import RunState

_log = structlog.get_logger("limpet.service")
_LOOK_EVERY_SECONDS = 2.0


@dataclass(slots=True)
class Service:
    """Plans what is due, walks it, and takes up what an earlier process left unfinished."""

    desk: RunDesk
    apps: Mapping[str, App]
    watcher: Watcher
    clock: Clock
    alerts: AlertKeeper | None = None
    monitors: Sequence[Monitor] = ()
    retention: RetentionKeeper | None = None
    look_every_seconds: float = _LOOK_EVERY_SECONDS
    _walking: set[int] = field(default_factory=set)
    _timetable: Timetable = field(init=False)
    _housekeeping: Housekeeping = field(init=False)
    _telling: Telling = field(init=False)
    _setbacks: Setbacks = field(init=False)

    def __post_init__(self) -> None:
        self._telling = Telling(self.alerts)
        self._setbacks = Setbacks(self.desk.ledger, self.clock)
        self._timetable = Timetable(self.desk)
        self._housekeeping = Housekeeping(self.desk)

    async def serve(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; runs under way are then handed back, to be resumed."""
        async with asyncio.TaskGroup() as group:
            for monitor in self.monitors:
                if monitor.has_work:
                    group.create_task(_keep_watching(monitor, stop))
            while not stop.is_set():
                await self._look(group, stop)
                await is_set_within(stop, self.look_every_seconds)

    async def _look(self, group: asyncio.TaskGroup, stop: asyncio.Event) -> None:
        try:
            await self.desk.ledger.reclaim_dead()
            await self.desk.switchboard.refresh()
            await self._timetable.plan_due(self.clock.now())
            await self._housekeeping.look(self.clock.now())
            await self._telling.look(group)
            if self.retention is not None:
                await self.retention.look(group, stop, now=self.clock.now())
            for run in await self._unattended():
                self._walking.add(run.id)
                group.create_task(self._walk(run))
        except LimpetError as error:
            # A full disk or a database that went away passes; a scheduler that died of it would not come back.
            _log.error("look_failed", code=error.code, message=str(error))

    async def _unattended(self) -> list[Run]:
        """Runs to be tried now: planned, left by a process that is gone, or walked by another one (it will say so)."""
        open_runs = await self.desk.ledger.runs(state=RunState.RUNNING, limit=1_000)
        return [run for run in open_runs if run.id not in self._walking and self._is_walked(run)]

    def _is_walked(self, run: Run) -> bool:
        is_ours = run.app in self.apps and not self.apps[run.app].is_monitored
        return is_ours and not self._setbacks.holds(run)

    async def _walk(self, run: Run) -> None:
        try:
            ended = await self.desk.walk(run, self.apps[run.app], self.watcher)
            _log.info("run_ended", run_id=run.id, state=ended.state.value, **ended.counts)
        except* RunBusy:
            pass  # a foreground run of somebody else
        except* LimpetError as errors:
            await self._setbacks.note(run, errors)
        else:
            await self._setbacks.clear(run)
        finally:
            self._walking.discard(run.id)


async def _keep_watching(monitor: Monitor, stop: asyncio.Event) -> None:
    """Let a monitor begin again after whatever ended it: a full disk, a database that went away."""
    while not stop.is_set():
        try:
            await monitor.serve(stop)
        except Exception as error:
            _log.error("monitor_ended", error=repr(error), exc_info=error)
            await is_set_within(stop, _LOOK_EVERY_SECONDS)
