"""A worker: takes lanes from the queue, walks them, and hands on what is left."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import structlog
from procrastinate import App as Queue
from procrastinate import PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.worker import Worker
from psycopg import OperationalError

from limpet.clock import is_set_within
from limpet.engine.scaled.lane_work import GoOn, LaneWork
from limpet.engine.scaled.mending import Mender
from limpet.errors import LimpetError, leaves
from limpet.record.lane_queue import (
    CONCLUDE_RUN,
    PREPARE_RUN,
    TIDY_QUEUE,
    UPKEEP,
    WALK_LANE,
    WATCH,
    priority_of,
)

_log = structlog.get_logger("limpet.worker")
_POLL_SECONDS = 1.0  # a notification wakes us sooner; this is for lanes that become due
_BACK_OFF_SECONDS = 2.0
_AFTER_TROUBLE_SECONDS = 3.0
_TIDY_EVERY_TEN_SECONDS = "* * * * * */10"  # the sixth field is seconds
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
                _log.warning("ledger_lost", message=str(next(leaves(lost)))[:200])
            await asyncio.sleep(_BACK_OFF_SECONDS)

    async def _take_lanes(self, stop: asyncio.Event) -> None:
        """Take lanes until told to stop, or until the queue is lost: then everything is connected anew."""
        session = Session(self.work, Queue(connector=self._connector()))
        try:
            async with session.queue.open_async(), asyncio.TaskGroup() as group:
                mender = group.create_task(session.mender.mend_for_ever())
                taker = group.create_task(self._taker(session).run())
                told = group.create_task(stop.wait())
                # The queue's own worker ends without a word when its listener cannot reconnect.
                await asyncio.wait((taker, told), return_when=asyncio.FIRST_COMPLETED)
                for task in (mender, taker, told):
                    task.cancel()  # the first cancellation lets what is under way end by itself
        except* _LOST as lost:
            _log.warning("queue_lost", message=str(next(leaves(lost)))[:200])
        else:
            if not stop.is_set():
                _log.warning("queue_lost", message="the queue stopped telling what is new")
        await is_set_within(stop, _BACK_OFF_SECONDS)

    def _taker(self, session: Session) -> Taker:
        silence = self.work.desk.crew.silence_seconds
        return Taker(
            session,
            queues=[*(self.queues or sorted(self.work.desk.apps)), UPKEEP],
            name=self.work.desk.crew.worker,
            concurrency=self.lanes_at_once,
            install_signal_handlers=False,
            fetch_job_polling_interval=_POLL_SECONDS,
            update_heartbeat_interval=silence / 3,
            stalled_worker_timeout=silence,
            shutdown_graceful_timeout=self.drain_seconds,
            delete_jobs="always",
        )

    def _connector(self) -> PsycopgConnector:
        return PsycopgConnector(conninfo=self.conninfo, min_size=1, max_size=8)


@dataclass(frozen=True, slots=True)
class Session:
    """One connection to the queue, from its opening to its loss, and the lanes taken through it."""

    work: LaneWork
    queue: Queue
    recall: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.queue.task(name=WALK_LANE)(LaneTask(self).walk)
        self.queue.task(name=PREPARE_RUN)(self.work.prepare)
        self.queue.task(name=CONCLUDE_RUN)(self.work.conclude)
        self.queue.task(name=WATCH)(self.watch)
        # The queue looks after its own heartbeat and listener only while it has something periodic to do.
        self.queue.periodic(cron=_TIDY_EVERY_TEN_SECONDS)(
            self.queue.task(name=TIDY_QUEUE, queue=UPKEEP)(self.mender.tidy)
        )

    @property
    def mender(self) -> Mender:
        """Who mends the queue we are connected to."""
        return Mender(self.work.desk, self.queue, self.work.monitors)

    async def watch(self) -> None:
        """Watch what is live for as long as the queue lets us."""
        await self.work.watch(self.recall)


class Taker(Worker):
    """The queue's own worker. Whatever makes it stop calls its lanes back: nobody else may walk them meanwhile."""

    def __init__(self, session: Session, **options: Any) -> None:
        super().__init__(session.queue, **options)
        self._session = session

    def stop(self) -> None:
        """Take nothing more, and let every lane end after the target it is at."""
        super().stop()
        self._session.recall.set()


@dataclass(frozen=True, slots=True)
class LaneTask:
    """A lane as the queue knows it: walked for a shift, and queued again while anything of it is left."""

    session: Session

    async def walk(self, run_id: int, lane: str, rests: int = 0) -> None:
        """Walk one shift of it."""
        work = self.session.work
        try:
            go_on = await work.walk(run_id, lane, rests=rests, recall=self.session.recall)
        except Exception as error:  # whatever it was, the ledger knows what is left of the lane
            _log.error("lane_failed", run_id=run_id, lane=lane, error=_told(error), exc_info=error)
            go_on = GoOn(_AFTER_TROUBLE_SECONDS, rests)
        if go_on is None:
            await work.conclude(run_id)
            return
        run = await work.desk.ledger.run_head(run_id)
        later = self.session.queue.configure_task(
            WALK_LANE,
            queue=run.app,
            priority=priority_of(run),
            lock=f"lane:{lane}",
            queueing_lock=f"{run_id}:{lane}",
            schedule_in={"milliseconds": int(go_on.seconds * 1000)},
        )
        with suppress(AlreadyEnqueued):  # the mender was quicker
            await later.defer_async(run_id=run_id, lane=lane, rests=go_on.rests)


def _told(error: BaseException) -> str:
    """Return what went wrong itself; a group of errors says only how many there were."""
    return "; ".join(sorted({repr(each) for each in leaves(error)}))
