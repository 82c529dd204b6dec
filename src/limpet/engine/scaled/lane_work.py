"""What a worker does with a lane it was handed: one shift, and a word about when to go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from limpet.engine.app import Monitor
from limpet.engine.runs import RunDesk
from limpet.engine.shift import LONGEST_SHIFT_SECONDS, Shift
from limpet.engine.watcher import Watcher
from limpet.record.entry import Run
from limpet.record.leasing import LaneWaiting
from limpet.target.outcome import RunState

# Somebody else holds what is left of the lane: a worker that died, whose leases have not run out yet.
_HELD_ELSEWHERE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class GoOn:
    """The lane has work left; it should be taken up again after so many seconds."""

    seconds: float
    rests: int = 0


@dataclass(frozen=True, slots=True)
class LaneWork:
    """Walks lanes of any run. All it knows between two shifts is what the ledger knows."""

    desk: RunDesk
    watcher: Watcher
    wait_ahead: Callable[[str], Awaitable[float]]
    monitors: Mapping[str, Monitor] = field(default_factory=dict)  # by app

    async def walk(
        self, run_id: int, lane: str, *, rests: int = 0, recall: asyncio.Event | None = None
    ) -> GoOn | None:
        """Walk the lane for a shift; return when to go on with it, or None when nothing of it is left."""
        run = await self.desk.ledger.run_head(run_id)
        waiting = await self._waiting(run, lane)
        if waiting is None:
            return None
        clock = self.desk.clock
        ends_at = clock.monotonic() + LONGEST_SHIFT_SECONDS
        shift = Shift(clock, ends_at, self.wait_ahead, rests=rests, recall=recall or asyncio.Event())
        await self._walk(run, waiting, shift)
        left = await self._waiting(await self.desk.ledger.run_head(run_id), lane)
        if left is None:
            # Our own task still stands in the queue, so that what follows cannot be queued: we go on ourselves.
            return GoOn(0.0, shift.rests) if await self._goes_on(run) else None
        is_stuck = left.pending == waiting.pending and shift.resume_in is None and not shift.is_over
        return GoOn(_HELD_ELSEWHERE_SECONDS if is_stuck else shift.resume_in or 0.0, shift.rests)

    async def watch(self, recall: asyncio.Event) -> None:
        """Watch what is live until called back; the queue's lock lets one worker do it at a time."""
        async with asyncio.TaskGroup() as group:
            for monitor in self.monitors.values():
                if monitor.has_work:
                    group.create_task(monitor.serve(recall))

    async def prepare(self, run_id: int) -> None:
        """Find out what the run goes over; its lanes are queued with its jobs."""
        run = await self.desk.ledger.run_head(run_id)
        if run.state is RunState.RUNNING:
            await self.desk.walking.prepare(run, self.desk.apps[run.app])

    async def conclude(self, run_id: int) -> bool:
        """End the run when nothing of it is left; tell whether that is so."""
        run = await self.desk.ledger.run_head(run_id)
        if run.state is not RunState.RUNNING:
            return True
        if not run.is_prepared or await self.desk.ledger.has_open_jobs(run_id):
            return False
        app = self.desk.apps[run.app]
        if await self._goes_on(run):
            return False
        async with self.desk.walking.accompanied(run, app, self.watcher) as onlookers:
            await self.desk.walking.conclude(run, app, onlookers)
        return True

    async def _goes_on(self, run: Run) -> bool:
        return await self.desk.walking.goes_on(run, self.desk.apps[run.app])

    async def _walk(self, run: Run, waiting: LaneWaiting, shift: Shift) -> None:
        app = self.desk.apps[run.app]
        itineraries, vigil = await self.desk.walking.set_out(run, app, lane=waiting.lane)
        left: LaneWaiting | None = waiting
        async with self.desk.walking.accompanied(run, app, self.watcher) as onlookers:
            while left is not None:
                await self.desk.crew.walk_lane(
                    run, left, itineraries, watcher=onlookers, vigil=vigil, shift=shift
                )
                is_followed = not shift.is_over and await self._goes_on(run)
                left = await self._waiting(run, waiting.lane) if is_followed else None

    async def _waiting(self, run: Run, lane: str) -> LaneWaiting | None:
        if run.state is not RunState.RUNNING:
            return None
        return await self.desk.ledger.lane(run.id, lane)
