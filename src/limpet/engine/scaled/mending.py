"""Mends what crashes leave: lanes of dead workers are taken up again, and lanes missing from the queue return to it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

import structlog
from procrastinate import App as Queue
from procrastinate.exceptions import UniqueViolation
from procrastinate.jobs import Status
from sqlalchemy import Connection

from limpet.engine.app import Monitor
from limpet.engine.runs import RunDesk
from limpet.errors import LimpetError
from limpet.record.lane_queue import call_for_a_watcher, hand_over
from limpet.record.reading import open_run_heads
from limpet.record.workers import reclaim_silent, walks_it_himself

_log = structlog.get_logger("limpet.mender")
_LOOKS_PER_SILENCE = 3  # a death is noticed by the third look after it
_SILENCES_BEFORE_STRUCK_OFF = 4  # long enough that one which only slept finds itself still on the list


@dataclass(frozen=True, slots=True)
class Mender:
    """Every worker has one, and several at once do no harm: each step is one transaction that repeats nothing."""

    desk: RunDesk
    queue: Queue
    monitors: Mapping[str, Monitor] = field(default_factory=dict)  # by app

    async def mend_for_ever(self) -> None:
        """Look every few seconds; trouble with the ledger passes, and is not ours to die of."""
        while True:
            try:
                await self.look()
            except LimpetError as error:
                _log.warning("mending_failed", code=error.code, message=str(error))
            await asyncio.sleep(self.desk.crew.silence_seconds / _LOOKS_PER_SILENCE)

    async def look(self) -> None:
        """Take from the dead what they hold, in the ledger and in the queue."""
        await self.desk.ledger.write(partial(reclaim, desk=self.desk))
        await self._retry_stalled()

    async def tidy(self, timestamp: int) -> None:
        """Fill the queue from the ledger, and strike off workers long gone; `timestamp` is when it was due.

        This reads every open lane, so it is done once for all workers: the queue makes a periodic job of it.
        """
        await self.desk.ledger.write(partial(refill, desk=self.desk))
        for app in [app for app, monitor in self.monitors.items() if monitor.has_work]:
            await self.desk.ledger.write(partial(call_for_a_watcher, app=app))
        silence = self.desk.crew.silence_seconds * _SILENCES_BEFORE_STRUCK_OFF
        gone = await self.queue.job_manager.prune_stalled_workers(silence)
        _log.debug("queue_tidied", due=timestamp, struck_off=len(gone))

    async def _retry_stalled(self) -> None:
        stalled = await self.queue.job_manager.get_stalled_jobs(
            seconds_since_heartbeat=self.desk.crew.silence_seconds
        )
        for job in stalled:
            _log.info("lane_taken_up_again", job=job.id, lane=job.task_kwargs.get("lane"))
            try:
                await self.queue.job_manager.retry_job(job)
            except UniqueViolation:
                # It had queued what follows it and was cut off before its own end: the lock it holds is in the way.
                await self.queue.job_manager.finish_job(job, Status.ABORTED, delete_job=True)


def reclaim(connection: Connection, *, desk: RunDesk) -> None:
    """Put back what silent workers hold."""
    now = desk.clock.now()
    reclaim_silent(connection, silent_since=now - timedelta(seconds=desk.crew.silence_seconds), now=now)


def refill(connection: Connection, *, desk: RunDesk) -> None:
    """Queue every open lane, and every step of a run, that is in no queue."""
    heard_since = desk.clock.now() - timedelta(seconds=desk.crew.silence_seconds)
    for run in open_run_heads(connection):
        app = desk.apps.get(run.app)
        is_theirs = app is None or app.is_monitored
        if not is_theirs and not walks_it_himself(connection, run.id, heard_since=heard_since):
            hand_over(connection, run)
