"""The crew: walks the lanes of a run side by side, and stops in good order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from limpet.clock import Clock
from limpet.engine.journey import Itinerary
from limpet.engine.lane import Lane, LaneTerms
from limpet.engine.shift import Shift
from limpet.engine.vigil import Vigil
from limpet.engine.watcher import Watcher
from limpet.record.entry import Run
from limpet.record.leasing import LaneWaiting
from limpet.record.ledger import Ledger

_CUT_INTERVAL_SECONDS = 0.05


@dataclass(slots=True)
class Crew:
    """Walks runs. `stop` lets requests on the wire finish and hands every other target back."""

    ledger: Ledger
    worker: str
    lease_seconds: float
    clock: Clock
    # A lane that waits costs a task and a few leases: a run over very many domains must be bounded.
    lanes_at_once: int = 2_000
    silence_seconds: float = 25.0  # who is not heard of so long is taken for dead by workers on other hosts
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    _lanes: set[Lane] = field(default_factory=set)

    async def walk(
        self, run: Run, itinerary: Callable[[str], Itinerary], watcher: Watcher, vigil: Vigil
    ) -> None:
        """Return when nothing of the run is left to walk, or when told to stop."""
        async with asyncio.TaskGroup() as group:
            watch = group.create_task(self.keep_watch(vigil.look))
            try:
                await self._walk_lanes(run, itinerary, watcher, vigil)
            finally:
                watch.cancel()

    async def walk_lane(
        self,
        run: Run,
        waiting: LaneWaiting,
        itinerary: Callable[[str], Itinerary],
        *,
        watcher: Watcher,
        vigil: Vigil,
        shift: Shift,
    ) -> None:
        """Walk one lane for one shift; `keep_watch` must be under way meanwhile."""
        width = itinerary(waiting.source_id).source.pace.max_concurrent
        lane = self._lane(run, waiting.lane, width=width, itinerary=itinerary, watcher=watcher, vigil=vigil)
        lane.shift = shift
        self._lanes.add(lane)
        try:
            await lane.walk()
        finally:
            self._lanes.discard(lane)

    async def keep_watch(self, look: Callable[[], Awaitable[None]]) -> None:
        """Renew what lanes hold, and cut those that only wait once told to stop; returns when cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._keep_leases(look))
            group.create_task(self._cut_waiting_on_stop())

    async def _walk_lanes(
        self, run: Run, itinerary: Callable[[str], Itinerary], watcher: Watcher, vigil: Vigil
    ) -> None:
        room = asyncio.Semaphore(self.lanes_at_once)
        async with asyncio.TaskGroup() as group:
            for waiting in await self.ledger.lanes(run.id):
                await room.acquire()
                if self.stop.is_set():
                    break
                width = itinerary(waiting.source_id).source.pace.max_concurrent
                lane = self._lane(
                    run, waiting.lane, width=width, itinerary=itinerary, watcher=watcher, vigil=vigil
                )
                group.create_task(self._walk_lane(lane, room))

    def _lane(
        self,
        run: Run,
        name: str,
        *,
        width: int,
        itinerary: Callable[[str], Itinerary],
        watcher: Watcher,
        vigil: Vigil,
    ) -> Lane:
        terms = LaneTerms(worker=self.worker, lease_seconds=self.lease_seconds, width=width)
        return Lane(
            run_id=run.id,
            name=name,
            itinerary=itinerary,
            ledger=self.ledger,
            terms=terms,
            stop=self.stop,
            watcher=watcher,
            vigil=vigil,
            clock=self.clock,
        )

    async def _walk_lane(self, lane: Lane, room: asyncio.Semaphore) -> None:
        self._lanes.add(lane)
        try:
            await lane.walk()
        finally:
            self._lanes.discard(lane)
            room.release()

    async def _keep_leases(self, look: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(min(self.lease_seconds, self.silence_seconds) / 3)
            await self.ledger.renew(self.worker, seconds=self.lease_seconds)
            await look()

    async def _cut_waiting_on_stop(self) -> None:
        await self.stop.wait()
        while True:
            for lane in list(self._lanes):
                lane.interrupt_waiting()
            await asyncio.sleep(_CUT_INTERVAL_SECONDS)
