"""Mends what crashes leave: lanes of dead workers are taken up again, and lanes missing from the queue return to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import structlog
from procrastinate import App as Queue
from sqlalchemy import Connection

from limpet.engine.runs import RunDesk
from limpet.errors import LimpetError
from limpet.record.lane_queue import hand_over
from limpet.record.reading import list_runs
from limpet.record.workers import reclaim_silent, walks_it_himself
from limpet.target.outcome import RunState

_log = structlog.get_logger("limpet.mender")
_LOOKS_PER_SILENCE = 3  # a death is noticed by the third look after it
_SILENCES_BEFORE_STRUCK_OFF = 4  # long enough that one which only slept finds itself still on the list
_MOST_RUNS = 1_000


@dataclass(frozen=True, slots=True)
class Mender:
    """Every worker has one, and several at once do no harm: each step is one transaction that repeats nothing."""

    desk: RunDesk
    queue: Queue

    async def mend_for_ever(self) -> None:
        """Look every few seconds; trouble with the ledger passes, and is not ours to die of."""
        while True:
            try:
                await self.look()
            except LimpetError as error:
                _log.warning("mending_failed", code=error.code, message=str(error))
            await asyncio.sleep(self.desk.crew.silence_seconds / _LOOKS_PER_SILENCE)

    async def look(self) -> None:
        """Mend what is broken now."""
        await self._retry_stalled()
        await self.desk.ledger.write(partial(mend, desk=self.desk))

    async def tidy(self, timestamp: int) -> None:
        """Strike workers off the queue's list that are long gone; `timestamp` is the minute it was due."""
        silence = self.desk.crew.silence_seconds * _SILENCES_BEFORE_STRUCK_OFF
        gone = await self.queue.job_manager.prune_stalled_workers(silence)
        _log.debug("queue_tidied", minute=timestamp, struck_off=len(gone))

    async def _retry_stalled(self) -> None:
        stalled = await self.queue.job_manager.get_stalled_jobs(
            seconds_since_heartbeat=self.desk.crew.silence_seconds
        )
        for job in stalled:
            _log.info("lane_taken_up_again", job=job.id, lane=job.task_kwargs.get("lane"))
            await self.queue.job_manager.retry_job(job)


def mend(connection: Connection, *, desk: RunDesk) -> None:
    """Put back what silent workers hold, and queue every open lane that is in no queue."""
    now = desk.clock.now()
    silent_since = now - timedelta(seconds=desk.crew.silence_seconds)
    reclaim_silent(connection, silent_since=silent_since, now=now)
    for run in list_runs(connection, state=RunState.RUNNING, limit=_MOST_RUNS):
        if not walks_it_himself(connection, run.id, heard_since=silent_since):
            hand_over(connection, run)
