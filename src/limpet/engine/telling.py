"""Alerts with every round of whoever schedules: looked at in step, told to people beside it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from limpet.engine.alert_keeper import AlertKeeper
from limpet.errors import LimpetError

_log = structlog.get_logger("limpet.service")


@dataclass(slots=True)
class Telling:
    """Sends in a task of its own: a destination that does not answer must not hold up the timetable."""

    alerts: AlertKeeper | None
    _is_telling: bool = False

    async def look(self, group: asyncio.TaskGroup) -> None:
        """Look what asks for a person, and see to it that they are told."""
        if self.alerts is None:
            return
        await self.alerts.look()
        if not self._is_telling:
            self._is_telling = True
            group.create_task(self._tell(self.alerts))

    async def _tell(self, alerts: AlertKeeper) -> None:
        try:
            await alerts.tell()
        except LimpetError as error:
            _log.error("alerts_not_told", code=error.code, message=str(error))
        finally:
            self._is_telling = False
