"""The budget of every domain, shared by all processes that work on one data directory."""

from __future__ import annotations

import asyncio
import random as chance
from contextlib import suppress
from pathlib import Path
from random import Random

from limpet.clock import Clock, SystemClock
from limpet.errors import BudgetUnavailable
from limpet.fetch.policy.rate import Permit, Rests, clamp_pause, spacing_seconds
from limpet.record.domain_file import PAUSED_UNTIL, DomainFile, Turn, Wait
from limpet.source.source import Pace

LONGEST_SLEEP = 60.0  # wall clocks are corrected and pauses lengthened: look again at least this often
OPEN_FILES = 100  # three descriptors each, and many machines allow 1,024


class Lane:
    """One domain as this process sees it: its file, the line of those who wait, the count of those inside."""

    __slots__ = ("file", "freed", "inside", "line", "numbers", "pins")

    def __init__(self, file: DomainFile) -> None:
        self.file = file
        self.numbers = file.page.doubles
        self.line = asyncio.Lock()  # first come, first served: only the head of the line looks at the file
        self.freed = asyncio.Event()
        self.inside = 0
        self.pins = 0  # those who use the file without standing in line

    @property
    def is_idle(self) -> bool:
        return not (self.inside or self.pins) and not self.line.locked() and self.file.is_idle


class FreePermit(Permit):
    """A place on a domain of our own that nothing spaces."""

    __slots__ = ("_lane",)

    def __init__(self, lane: Lane, waited_seconds: float = 0.0) -> None:
        lane.inside += 1
        self._lane: Lane | None = lane
        self.waited_seconds = waited_seconds

    async def reached(self) -> None:
        """Nothing is spaced, so there is nothing to count."""

    async def leave(self) -> None:
        self._give_back()

    def __del__(self) -> None:
        # asyncio.wait_for can drop a result when cancelled at that moment: the place must not stay taken.
        self._give_back()

    def _give_back(self) -> None:
        lane, self._lane = self._lane, None
        if lane is not None:
            lane.inside -= 1
            lane.freed.set()


class SlotPermit(Permit):
    """A place in a domain's file; the kernel gives it back when the process dies."""

    __slots__ = ("_clock", "_file", "_has_reached", "_rest", "_slot")

    def __init__(self, file: DomainFile, slot: int, *, clock: Clock, rest: float, waited: float) -> None:
        super().__init__(waited)
        self._file, self._slot = file, slot
        self._clock, self._rest = clock, rest
        self._has_reached = False

    async def reached(self) -> None:
        self._reach()

    async def leave(self) -> None:
        self._give_back()

    def __del__(self) -> None:
        self._give_back()

    def _reach(self) -> None:
        if self._slot >= 0 and not self._has_reached:
            self._has_reached = True
            self._file.reached(self._slot, now=self._clock.monotonic(), rest=self._rest)

    def _give_back(self) -> None:
        self._reach()
        slot, self._slot = self._slot, -1
        if slot >= 0:
            self._file.leave(slot)


class FileBudget:
    """Budgets in `<data_dir>/domains`; the clock's monotonic time must be the one all processes share."""

    def __init__(self, data_dir: Path, *, clock: Clock | None = None, random: Random | None = None) -> None:
        self._folder = data_dir / "domains"
        self._clock = clock or SystemClock()
        self._rests = Rests(random or chance.Random())
        self._lanes: dict[str, Lane] = {}

    async def enter(self, domain: str, pace: Pace, *, crawl_delay: float = 0.0) -> FreePermit | SlotPermit:
        lane = self._lanes.get(domain) or self._open(domain)
        if crawl_delay <= 0 and pace.is_unlimited:
            is_clear = not lane.numbers[PAUSED_UNTIL] and not lane.line.locked()
            if is_clear and lane.inside < pace.max_concurrent:
                return FreePermit(lane)
            return await self._stand_in_line_freely(lane, max(pace.max_concurrent, 1))
        return await self._stand_in_line(domain, pace, spacing=spacing_seconds(pace, crawl_delay))

    async def pause(self, domain: str, seconds: float) -> None:
        lane = self._lane_in_order(domain)
        lane.file.pause(clamp_pause(seconds), wall=self._wall())
        lane.pins += 1
        try:
            # Every process keeps to the pause already; a disk that fails now only loses it with the power.
            with suppress(OSError):
                await asyncio.to_thread(lane.file.page.sync)
        finally:
            lane.pins -= 1

    async def paused_for(self, domain: str) -> float:
        lane = self._lanes.get(domain) or self._open(domain)
        return lane.file.paused_for(self._wall())

    def close(self) -> None:
        """Give back every place and every file; whoever still waits must be cancelled first."""
        for lane in self._lanes.values():
            lane.file.close()
        self._lanes.clear()

    async def _stand_in_line_freely(self, lane: Lane, max_concurrent: int) -> FreePermit:
        began = self._clock.monotonic()
        async with lane.line:
            while True:
                if pause := lane.file.settle_pause(self._wall()):
                    await self._clock.sleep(min(pause, LONGEST_SLEEP))
                elif lane.inside < max_concurrent:
                    return FreePermit(lane, self._clock.monotonic() - began)
                else:
                    lane.freed.clear()
                    await lane.freed.wait()

    async def _stand_in_line(self, domain: str, pace: Pace, *, spacing: float) -> SlotPermit:
        began = self._clock.monotonic()
        rest = self._rests.after_next(domain, pace, spacing)
        turn = Turn(spacing=spacing, rest=rest, max_concurrent=pace.max_concurrent)
        async with self._lane_in_order(domain).line:
            while True:
                # No place is claimed ahead: who wakes asks anew, so a pause that came meanwhile holds all.
                lane = self._lane_in_order(domain)
                found = self._try(lane, turn)
                if not isinstance(found, Wait):
                    waited = self._clock.monotonic() - began
                    return SlotPermit(lane.file, found, clock=self._clock, rest=rest, waited=waited)
                await self._clock.sleep(min(found.seconds, LONGEST_SLEEP))

    def _try(self, lane: Lane, turn: Turn) -> int | Wait:
        try:
            return lane.file.try_enter(turn, now=self._clock.monotonic(), wall=self._wall())
        except OSError as error:
            raise self._unavailable(error) from error

    def _lane_in_order(self, domain: str) -> Lane:
        lane = self._lanes.get(domain) or self._open(domain)
        if (
            lane.file.page.is_lost
        ):  # somebody emptied the data directory: count in the new file, with the others
            lane.file = self._file(domain)
            lane.numbers = lane.file.page.doubles
        return lane

    def _open(self, domain: str) -> Lane:
        self._close_idle_lanes()
        lane = self._lanes[domain] = Lane(self._file(domain))
        return lane

    def _close_idle_lanes(self) -> None:
        if len(self._lanes) < OPEN_FILES:
            return
        for domain in [name for name, lane in self._lanes.items() if lane.is_idle][: OPEN_FILES // 4]:
            self._lanes.pop(domain).file.close()

    def _file(self, domain: str) -> DomainFile:
        try:
            return DomainFile(self._folder, domain)
        except OSError as error:
            raise self._unavailable(error) from error

    def _wall(self) -> float:
        return self._clock.now().timestamp()

    def _unavailable(self, error: Exception) -> BudgetUnavailable:
        return BudgetUnavailable(
            f"the pace of domains cannot be kept in {self._folder}: {error}",
            fix="make the data directory writable and give it free space",
        )
