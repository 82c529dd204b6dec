"""Everything at once: Chromium killed, a source down, 429s, Redis gone and back - and no ball is missed.

Half a minute by default; SOAK_MINUTES=10 for the long version (`make soak`).
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import psutil
import pytest

from limpet.apps.matches.care_log import recoveries
from limpet.apps.matches.grading import HealthGrade
from limpet.apps.matches.views import resolve_id

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.xdist_group("matchday")]
MINUTES = float(os.environ.get("SOAK_MINUTES", "0"))
IS_LONG = MINUTES > 0
SECONDS = MINUTES * 60 if IS_LONG else 22.0
TICK_SECONDS = 0.5 if IS_LONG else 0.25
RECOVERED_WITHIN_SECONDS = 30.0
TELLS_LATE_TICKS = 20  # a ball may take that long to be told and fetched
CREX = "crexapi.tidepool.localhost"


@dataclass
class Troublemaker:
    """Breaks one thing after the other, and measures how long each takes to be well again."""

    arena: Any
    house: Any
    redis: Any
    kills: int = 0
    took: dict[str, list[float]] = field(default_factory=dict)

    async def kill_chromium(self) -> None:
        victims = chromium_processes()
        if not victims:
            return
        self.kills += 1
        for victim in victims:
            victim.send_signal(signal.SIGKILL)
        await self._well_again("chromium", lambda at: (self.room.browser_succeeded_at or 0.0) > at)

    async def source_down(self, seconds: float) -> None:
        self.arena.pool.set_fault("crexapi", "server_error_500", host=CREX)
        await asyncio.sleep(seconds)
        self.arena.pool.clear_faults("crexapi")
        await self._well_again("source", lambda at: all(seen > at for seen in self._seen("crex")))

    async def too_many_requests(self) -> None:
        host = "pavilion.reef.localhost"
        self.arena.pool.set_fault("pavilion", "rate_limited_seconds", host=host, times=3, retry_after=2)
        await self._well_again("429", lambda at: all(seen > at + 2 for seen in self._seen("pavilion")))

    async def redis_restart(self) -> None:
        await asyncio.to_thread(self.redis.crash_and_return)
        await self._well_again("redis", lambda at: all(seen > at for seen in self._seen("crex")))

    @property
    def room(self) -> Any:
        return self.house.monitor.room

    def _seen(self, domain: str) -> list[float]:
        """When each match of a domain that is being played was last fetched."""
        watches = [watch for watch in self.room.watches.values() if watch.domain.id == domain]
        return [watch.fetched_at or 0.0 for watch in watches if watch.is_playing]

    async def _well_again(self, what: str, is_well: Callable[[float], bool]) -> None:
        began = time.monotonic()
        async with asyncio.timeout(4 * RECOVERED_WITHIN_SECONDS):
            while not is_well(began):
                await asyncio.sleep(0.05)
        self.took.setdefault(what, []).append(time.monotonic() - began)


async def test_nothing_is_lost_while_everything_breaks(
    build_arena: Callable[..., Any], own_redis: Any, chromium: str
) -> None:
    async with build_arena(matches=10, tick_seconds=TICK_SECONDS, code_book_seconds=0.2) as arena:
        arena.write_config("crex", "crex_browser", "pavilion", browser_matches=2)
        async with at_work(arena, own_redis, chromium) as trouble:
            await wreak(trouble)
            healthy = await grade_is(trouble.house, HealthGrade.HEALTHY)
            ended = arena.pool.tick

        assert healthy
        slow = {what: times for what, times in trouble.took.items() if max(times) > RECOVERED_WITHIN_SECONDS}
        assert slow == {}, trouble.took
        assert chromium_processes() == [], "no browser outlives its house"
        async with arena.open() as house:
            audit = await house.ledger.read(recoveries)
            assert len([row for row in audit if row["action_type"] == "browser_recycle"]) >= trouble.kills > 0
            for match in arena.pool.world.matches():
                true = arena.truth(match["key"], until=ended - TELLS_LATE_TICKS)
                ours = await house.ledger.read(partial(resolve_id, match_id=match["key"]))
                known = await arena.known(house, ours)
                assert true.keys() <= known.keys(), (match["key"], sorted(true.keys() - known.keys()))
            await arena.prove(house)


async def wreak(trouble: Troublemaker) -> None:
    """Break things for as long as was asked: short, each once and one after the other; long, on top of each other."""
    await trouble.arena.until(lambda: trouble.room.browser_succeeded_at)
    async with asyncio.TaskGroup() as troubles:
        troubles.create_task(again_and_again(trouble.kill_chromium, every=30.0 if IS_LONG else 10.0))
        troubles.create_task(one_after_the_other(trouble))


async def again_and_again(act: Callable[[], Any], *, every: float) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        await act()
        await asyncio.sleep(every)


async def one_after_the_other(trouble: Troublemaker) -> None:
    until = time.monotonic() + SECONDS
    await trouble.source_down(120.0 if IS_LONG else 5.0)
    await trouble.too_many_requests()
    await trouble.redis_restart()
    while IS_LONG and time.monotonic() < until - 60:
        await trouble.too_many_requests()
        await asyncio.sleep(30)


@asynccontextmanager
async def at_work(arena: Any, redis: Any, chromium: str) -> AsyncIterator[Troublemaker]:
    settings = {"redis_url": redis.url, "chromium": chromium, "circuit_breaker_timeout_seconds": 5}
    async with arena.watching(polling_interval_seconds=0.5, **settings) as house:
        yield Troublemaker(arena, house, redis)


async def grade_is(house: Any, grade: HealthGrade) -> bool:
    """Whether the monitor comes to that grade by itself."""
    async with asyncio.timeout(60):
        while house.monitor.room.grading.grade is not grade:
            await asyncio.sleep(0.2)
    return True


def chromium_processes() -> list[psutil.Process]:
    """The browsers this process started, without those that are already dead."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            is_browser = "chrom" in process.name().lower() or "headless" in process.name().lower()
            if is_browser and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found
