"""The scheduler: plans what is due, hands it to the workers, and tells alerts. Any number may be started; one leads."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import structlog
from sqlalchemy import Connection

from limpet.clock import is_set_within
from limpet.engine.alert_keeper import AlertKeeper
from limpet.engine.housekeeping import Housekeeping
from limpet.engine.retention_keeper import RetentionKeeper
from limpet.engine.runs import RunDesk
from limpet.engine.telling import Telling
from limpet.engine.timetable import Timetable
from limpet.errors import LimpetError
from limpet.record.leadership import Lead, give_up_the_lead, take_the_lead
from limpet.record.workers import heartbeat

_log = structlog.get_logger("limpet.scheduler")
ROLE = "scheduler"
LEAD_SECONDS = 15.0  # what a take-over after a death costs at most
_LOOK_EVERY_SECONDS = 2.0


@dataclass(slots=True)
class Scheduler:
    """Looks every two seconds. A fire is answered once even when two believe to lead: its key is unique."""

    desk: RunDesk
    alerts: AlertKeeper | None = None
    retention: RetentionKeeper | None = None
    _timetable: Timetable = field(init=False)
    _housekeeping: Housekeeping = field(init=False)
    _telling: Telling = field(init=False)
    _lead: Lead | None = None

    def __post_init__(self) -> None:
        self._telling = Telling(self.alerts)
        self._timetable = Timetable(self.desk)
        self._housekeeping = Housekeeping(self.desk)

    async def serve(self, stop: asyncio.Event) -> None:
        """Lead whenever nobody else does, until `stop` is set."""
        await self.desk.ledger.enlist(self.desk.crew.worker)
        try:
            async with asyncio.TaskGroup() as group:
                while not stop.is_set():
                    await self._look(group, stop)
                    await is_set_within(stop, _LOOK_EVERY_SECONDS)
        finally:
            if self._lead is not None:
                await self.desk.ledger.write(partial(give_up_the_lead, lead=self._lead))

    async def _look(self, group: asyncio.TaskGroup, stop: asyncio.Event) -> None:
        try:
            if await self._leads():
                await self.desk.switchboard.refresh()
                await self._timetable.plan_due(self.desk.clock.now())
                await self._housekeeping.look(self.desk.clock.now())
                await self._telling.look(group)
                if self.retention is not None:
                    await self.retention.look(group, stop, now=self.desk.clock.now())
        except LimpetError as error:
            # A database that went away comes back; a scheduler that died of it would not.
            _log.error("look_failed", code=error.code, message=str(error))

    async def _leads(self) -> bool:
        holder = self.desk.crew.worker
        lead = await self.desk.ledger.write(partial(_live_and_lead, holder=holder, now=self.desk.clock.now()))
        if lead is not None and (self._lead is None or lead.fence != self._lead.fence):
            _log.info("leads", holder=holder, fence=lead.fence)
        self._lead = lead
        return lead is not None


def _live_and_lead(connection: Connection, *, holder: str, now: datetime) -> Lead | None:
    heartbeat(connection, holder, now=now)
    return take_the_lead(connection, ROLE, holder=holder, seconds=LEAD_SECONDS)
