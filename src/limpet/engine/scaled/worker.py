"""A worker: takes lanes from the queue, walks them, and hands on what is left."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import structlog
from procrastinate import App as Queue
from procrastinate import PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from psycopg import OperationalError

from limpet.engine.scaled.lane_work import LaneWork
from limpet.engine.scaled.mending import Mender
from limpet.errors import LimpetError
from limpet.record.lane_queue import CONCLUDE_RUN, PREPARE_RUN, WALK_LANE, priority_of

_log = structlog.get_logger("limpet.worker")
_POLL_SECONDS = 1.0  # a notification wakes us sooner; this is for lanes that become due
_BACK_OFF_SECONDS = 2.0
_LOST = (ConnectorException, OperationalError, OSError)


@dataclass(frozen=True, slots=True)
class LaneWorker:
    """Works until told to stop; a database that goes away is waited for."""

    work: LaneWork
    conninfo: str
    queues: Sequence[str]  # apps; empty means every app
    lanes_at_once: int
    drain_seconds: float

    async def serve(self, stop: asyncio.Event) -> None:
        """Take lanes until `stop` is set; those under way are handed on in good order."""
        watch = asyncio.create_task(self._keep_watch())
        try:
            while not stop.is_set():
                await self._take_lanes(stop)
        finally:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch

    async def _keep_watch(self) -> None:
        """Renew what our lanes hold; while the ledger is away there is nothing to renew, and afterwards there is."""
        desk = self.work.desk
        while True:
            try:
                await desk.crew.keep_watch(desk.switchboard.refresh)
            except* LimpetError as lost:
                _log.warning("ledger_lost", message=str(lost.exceptions[0])[:200])
            await asyncio.sleep(_BACK_OFF_SECONDS)

    async def _take_lanes(self, stop: asyncio.Event) -> None:
        queue = self._queue()
        try:
            async with queue.open_async(), asyncio.TaskGroup() as group:
                mender = group.create_task(Mender(self.work.desk, queue).mend_for_ever())
                worker = group.create_task(self._run_worker(queue))
                await stop.wait()
                mender.cancel()
                worker.cancel()  # the first cancellation lets what is under way end by itself
        except* _LOST as lost:
            _log.warning("queue_lost", message=str(lost.exceptions[0])[:200])
            with suppress(TimeoutError):
                async with asyncio.timeout(_BACK_OFF_SECONDS):
                    await stop.wait()

    async def _run_worker(self, queue: Queue) -> None:
        silence = self.work.desk.crew.silence_seconds
        await queue.run_worker_async(
            queues=list(self.queues) or sorted(self.work.desk.apps),
            name=self.work.desk.crew.worker,
            concurrency=self.lanes_at_once,
            install_signal_handlers=False,
            fetch_job_polling_interval=_POLL_SECONDS,
            update_heartbeat_interval=silence / 3,
            stalled_worker_timeout=silence,
            shutdown_graceful_timeout=self.drain_seconds,
            delete_jobs="always",
        )

    def _queue(self) -> Queue:
        queue = Queue(connector=PsycopgConnector(conninfo=self.conninfo, min_size=1, max_size=8))
        queue.task(name=WALK_LANE)(LaneTask(self.work, queue).walk)
        queue.task(name=PREPARE_RUN)(self.work.prepare)
        queue.task(name=CONCLUDE_RUN)(self.work.conclude)
        return queue


@dataclass(frozen=True, slots=True)
class LaneTask:
    """A lane as the queue knows it: walked for a shift, and queued again while anything of it is left."""

    work: LaneWork
    queue: Queue

    async def walk(self, run_id: int, lane: str, rests: int = 0) -> None:
        """Walk one shift of it."""
        go_on = await self.work.walk(run_id, lane, rests=rests)
        if go_on is None:
            await self.work.conclude(run_id)
            return
        run = await self.work.desk.ledger.run(run_id)
        later = self.queue.configure_task(
            WALK_LANE,
            queue=run.app,
            priority=priority_of(run),
            lock=f"lane:{lane}",
            queueing_lock=f"{run_id}:{lane}",
            schedule_in={"milliseconds": int(go_on.seconds * 1000)},
        )
        with suppress(AlreadyEnqueued):  # the mender was quicker
            await later.defer_async(run_id=run_id, lane=lane, rests=go_on.rests)
