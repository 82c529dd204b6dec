"""A lane: the targets of one registrable domain in one run, walked at that domain's pace."""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from limpet.clock import Clock
from limpet.engine.journey import HELD_BACK, Itinerary, Journey
from limpet.engine.shift import Shift
from limpet.engine.vigil import Vigil
from limpet.engine.watcher import Watcher
from limpet.errors import BreakerOpen, BudgetUnavailable, GateRefused, LeaseLost, LimpetError
from limpet.fetch.exchange import SITE_TROUBLE_CODES
from limpet.fetch.policy.breaker import PROBE_UNDERWAY_SECONDS
from limpet.record import crash_points
from limpet.record.entry import Lease, Settlement
from limpet.record.ledger import Ledger

_RESTS_BEFORE_GIVING_UP = 3
_DEFAULT_REST_SECONDS = 15.0
_SHARED_PACE_AWAY_SECONDS = 5.0
_STAYED_SHUT = "the domain stayed shut; left for another run"


@dataclass(frozen=True, slots=True)
class LaneTerms:
    """How a lane works with the ledger."""

    worker: str
    lease_seconds: float
    width: int  # how many targets are under way at once

    @property
    def leases_at_once(self) -> int:
        # Enough that the ledger is asked rarely, few enough that a crash hands little back.
        return max(4, self.width * 4)


@dataclass(slots=True, eq=False)
class Lane:
    """Walks until nothing of its lane is left, the domain proves unreachable, or it is told to stop."""

    run_id: int
    name: str
    itinerary: Callable[[str], Itinerary]  # by source id: one domain may serve several sources
    ledger: Ledger
    terms: LaneTerms
    stop: asyncio.Event
    watcher: Watcher
    vigil: Vigil
    clock: Clock
    shift: Shift | None = None  # none when whoever walks it has all the time it takes
    _waiting: deque[Lease] = field(default_factory=deque)
    _leasing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _under_way: dict[asyncio.Task[None], Journey] = field(default_factory=dict)
    _held: dict[int, Journey] = field(default_factory=dict)  # by job: begun, stopped by a shut gate
    _unfinished: dict[int, tuple[Lease, Exception]] = field(default_factory=dict)  # its end cannot be written
    _is_exhausted: bool = False
    _rests: int = 0
    _resting_until: float = 0.0
    _given_up: str | None = None  # the code of the gate that stayed shut

    async def walk(self) -> None:
        """Walk the lane; every lease not settled on return has been handed back."""
        self._rests = self.shift.rests if self.shift is not None else 0
        try:
            async with asyncio.TaskGroup() as walkers:
                for _ in range(self.terms.width):
                    walkers.create_task(self._walk_one_by_one())
        finally:
            await self._hand_back()

    def interrupt_waiting(self) -> None:
        """Cut short the walkers that only wait; a request on the wire is left to finish."""
        for task, journey in self._under_way.items():
            if not journey.trail.is_sending:
                task.cancel()

    async def _walk_one_by_one(self) -> None:
        while not (self.stop.is_set() or self._given_up or await self._is_left()):
            lease = await self._next_lease()
            if lease is None:
                return
            await self._carry(lease)

    async def _is_left(self) -> bool:
        """Whether the shift is over, or the domain rests longer than it is worth waiting for."""
        return self.shift is not None and (self.shift.is_over or await self.shift.must_wait(self.name))

    async def _next_lease(self) -> Lease | None:
        async with self._leasing:
            if not self._waiting and not self._is_exhausted:
                self._waiting.extend(
                    await self.ledger.lease(
                        self.run_id,
                        lane=self.name,
                        worker=self.terms.worker,
                        limit=self.terms.leases_at_once,
                        seconds=self.terms.lease_seconds,
                    )
                )
                self._is_exhausted = not self._waiting  # the other walkers need not ask again
            return self._waiting.popleft() if self._waiting else None

    async def _carry(self, lease: Lease) -> None:
        async with self.vigil.accompany(self.itinerary(lease.target.source_id).site.id):
            if self.stop.is_set():  # while it waited for a canary
                self._waiting.appendleft(lease)
                return
            try:
                settlement = await self._travel(lease)
                if settlement is not None:
                    await self._settle(settlement)
            except LimpetError:
                self._waiting.append(lease)  # the ledger or the disk: the job has done nothing
                raise
            except Exception as error:
                self._unfinished[lease.job_id] = (lease, error)
                raise

    async def _settle(self, settlement: Settlement) -> None:
        if _was_reached(settlement):
            self._rests = 0
        crash_points.reach("before_settle")
        try:
            await self.ledger.settle(settlement)
        except LeaseLost:
            # Somebody else walks this target now, and theirs counts; what we hold beside it may be theirs as well.
            await self._release_waiting()
            return
        self.watcher.settled(settlement)
        await self.vigil.settled(settlement)

    async def _travel(self, lease: Lease) -> Settlement | None:
        """Return the journey's settlement, or None when a gate is shut and the journey is held."""
        if lease.withdrawn:
            untravelled = Journey(lease, self.itinerary(lease.target.source_id))
            return untravelled.give_up(lease.withdrawn, "taken out after the run was planned")
        task = asyncio.current_task()
        assert task is not None
        journey = self._held.pop(lease.job_id, None) or Journey(lease, self.itinerary(lease.target.source_id))
        self._under_way[task] = journey
        try:
            return await journey.travel()
        except HELD_BACK as gate:
            self._put_back(journey)
            await self._rest(gate)
            return None
        except asyncio.CancelledError:
            self._put_back(journey)
            raise
        finally:
            del self._under_way[task]

    def _put_back(self, journey: Journey) -> None:
        self._held[journey.lease.job_id] = journey
        self._waiting.appendleft(journey.lease)

    async def _rest(self, gate: GateRefused) -> None:
        """Wait for a shut gate together; a domain that stays shut is left for another run."""
        # What all workers share is away: no domain is to blame, so none is given up for it.
        is_everybodys = self.shift is not None and isinstance(gate, BudgetUnavailable)
        default = _SHARED_PACE_AWAY_SECONDS if is_everybodys else _DEFAULT_REST_SECONDS
        now, seconds = self.clock.monotonic(), gate.retry_after or default
        if now >= self._resting_until and not _is_being_probed(gate):
            self._rests += 0 if is_everybodys else 1
            self._resting_until = now + seconds
            self.watcher.held(self.name, gate.code, seconds)
        if self._rests > _RESTS_BEFORE_GIVING_UP:
            self._given_up = gate.code
            return
        if self.shift is not None:
            self.shift.rests, self.shift.resume_in = self._rests, seconds
            return
        await self.clock.sleep(seconds)

    async def _hand_back(self) -> None:
        for journey in self._held.values():
            await self._settle_held(journey)
        for lease, error in self._unfinished.values():
            await self.ledger.let_go(lease, why="".join(traceback.format_exception(error, limit=-3)))
        await self._release_waiting()
        if self._given_up:
            await self.ledger.skip_lane(self.run_id, self.name, reason=self._given_up)

    async def _release_waiting(self) -> None:
        leases = list(self._waiting)
        self._waiting.clear()
        await self.ledger.release(leases)

    async def _settle_held(self, journey: Journey) -> None:
        """What was asked of the origin stays on record, also when the journey goes no further now."""
        if self._given_up:
            self._waiting.remove(journey.lease)
            with suppress(LeaseLost):
                await self.ledger.settle(journey.give_up(self._given_up, _STAYED_SHUT))
        elif journey.trail.requests:
            await self.ledger.note_requests(journey.trail.requests)


def _was_reached(settlement: Settlement) -> bool:
    """Whether the site gave an answer that is not one more sign of its trouble."""
    last = settlement.attempts[-1].error_code if settlement.attempts else None
    return settlement.page is not None and last not in SITE_TROUBLE_CODES


def _is_being_probed(gate: GateRefused) -> bool:
    """Whether a fellow walker is trying the door: waiting for him is not another door found shut."""
    return isinstance(gate, BreakerOpen) and gate.retry_after == PROBE_UNDERWAY_SECONDS
