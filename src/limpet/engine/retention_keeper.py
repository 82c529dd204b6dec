"""Applies the retention rules once a day, beside everything else, by one process of all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from limpet.errors import LimpetError
from limpet.record.retention.holdings import last_applied_whole_at
from limpet.record.retention.policy import RetentionPolicy
from limpet.record.retention.work import RetentionWork

_log = structlog.get_logger("limpet.retention")
EVERY = timedelta(days=1)
_LOOK_EVERY = timedelta(minutes=10)
BY = "retention"


@dataclass(slots=True)
class RetentionKeeper:
    """Works in a task of its own: millions of rows must not hold up the timetable."""

    policy: RetentionPolicy
    bring_work: Callable[[Callable[[], bool]], RetentionWork]  # given how to know that it is time to stop
    _next_at: datetime | None = None
    _is_working: bool = False

    async def look(self, group: asyncio.TaskGroup, stop: asyncio.Event, *, now: datetime) -> None:
        """Begin when a day has passed since anybody did it; the first look counts."""
        is_early = self._next_at is not None and now < self._next_at
        if self.policy.is_off or self._is_working or is_early:
            return
        self._next_at = now + _LOOK_EVERY
        work = self.bring_work(stop.is_set)
        applied_at = await work.ledger.read(last_applied_whole_at)
        if applied_at is None or now - applied_at >= EVERY:
            self._is_working = True
            group.create_task(self._apply(work))

    async def _apply(self, work: RetentionWork) -> None:
        try:
            account = await work.apply(by=BY)
            if account is not None:
                _log.info("retention_applied", **account.to_json())
        except LimpetError as error:
            # A full disk passes, and what is left to do is done tomorrow.
            _log.error("retention_failed", code=error.code, message=str(error))
        finally:
            self._is_working = False
