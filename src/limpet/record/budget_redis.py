"""The budget of every domain, shared through Redis by workers on any number of hosts."""

from __future__ import annotations

import asyncio
import math
import random as chance
import secrets
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError

from limpet.clock import Clock, SystemClock
from limpet.errors import BudgetUnavailable
from limpet.fetch.policy.rate import SURELY_THERE_SECONDS, Permit, Rests, clamp_pause, spacing_seconds
from limpet.record.budget_lua import ENTER, LOOK_AHEAD, MOVE_ON, PAUSE, RENEW
from limpet.source.source import Pace

if TYPE_CHECKING:
    from redis.asyncio import Redis

ENTERED, OCCUPIED = 1, 2
LEASE_SECONDS = 30.0  # renewed while the request is on its way; a dead worker keeps nobody waiting longer
LONGEST_SLEEP = 5.0  # Redis may vanish meanwhile, and whoever waits should hear of it
FAREWELL_SECONDS = 2.0
LOOK_AHEAD_EVERY_SECONDS = 2.0
PREFIX = "limpet:budget"
_LOST = (RedisError, OSError, asyncio.TimeoutError)


class RedisPermit(Permit):
    """A place leased in Redis; its lease runs out when the process dies."""

    __slots__ = ("_budget", "_domain", "_has_left", "_has_reached", "_rest", "_token")

    def __init__(self, budget: RedisBudget, domain: str, token: str, *, rest: float, waited: float) -> None:
        super().__init__(waited)
        self._budget, self._domain, self._token, self._rest = budget, domain, token, rest
        self._has_reached = self._has_left = False

    async def reached(self) -> None:
        if not self._has_reached:
            self._has_reached = True
            await self._budget.move_on(self._domain, self._token, rest=self._rest, counts=True)

    async def leave(self) -> None:
        if not self._has_left:
            self._has_left, counts = True, not self._has_reached
            await self._budget.move_on(self._domain, self._token, rest=self._rest, counts=counts, leaves=True)


class FreePermit(Permit):
    """A place on a domain of our own that nothing spaces; its count is this process's alone."""

    __slots__ = ("_room",)

    def __init__(self, room: asyncio.Semaphore, waited: float) -> None:
        super().__init__(waited)
        self._room: asyncio.Semaphore | None = room

    async def reached(self) -> None:
        """Nothing is spaced, so there is nothing to count."""

    async def leave(self) -> None:
        room, self._room = self._room, None
        if room is not None:
            room.release()


class RedisBudget:
    """Budgets in Redis; without Redis it refuses, and works again as soon as Redis does.

    A place is leased, and renewed for as long as its request takes: one nobody gives back, because its process is
    gone, is free after `lease_seconds`.
    """

    def __init__(
        self,
        client: Redis,
        *,
        clock: Clock | None = None,
        random: Random | None = None,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._client: Any = client
        self._clock = clock or SystemClock()
        self._rests = Rests(random or chance.Random())
        self._lease_seconds = lease_seconds
        self._enter, self._move_on, self._pause, self._look_ahead, self._renew = map(
            client.register_script, (ENTER, MOVE_ON, PAUSE, LOOK_AHEAD, RENEW)
        )
        self._lines: dict[str, asyncio.Lock] = {}
        self._rooms: dict[tuple[str, int], asyncio.Semaphore] = {}
        self._pauses: dict[str, float] = {}  # domain -> until, monotonic; outlives a Redis that forgets
        self._free_at: dict[str, float] = {}  # domain -> when it may be asked after us, monotonic
        self._looked_at: dict[str, float] = {}  # domain -> when Redis was last asked to look ahead, monotonic
        self._undelivered: set[str] = set()
        self._places: dict[str, str] = {}  # token -> domain, of everybody inside
        self._renewing: asyncio.Task[None] | None = None

    async def enter(self, domain: str, pace: Pace, *, crawl_delay: float = 0.0) -> Permit:
        began = self._clock.monotonic()
        if crawl_delay <= 0 and pace.is_unlimited:
            return await self._enter_freely(domain, pace, began=began)
        spacing = spacing_seconds(pace, crawl_delay)
        rest = self._rests.after_next(domain, pace, spacing)
        token = secrets.token_hex(8)
        # First come, first served, and only the head of the line asks Redis.
        async with self._lines.setdefault(domain, asyncio.Lock()):
            if known := self._known_rest(domain):  # waited for without asking; Redis still has the last word
                await self._clock.sleep(min(known, LONGEST_SLEEP))
            while wait := await self._wait_left(domain, token, pace=pace, spacing=spacing, rest=rest):
                await self._clock.sleep(min(wait, LONGEST_SLEEP))
        self._keep(token, domain)
        return RedisPermit(self, domain, token, rest=rest, waited=self._clock.monotonic() - began)

    def close(self) -> None:
        """Renew nothing any more; places still taken are free when their lease is over."""
        if self._renewing is not None:
            self._renewing.cancel()

    async def wait_ahead(self, domain: str) -> float:
        """Return how long the domain still rests, by Redis' own clock; zero where Redis cannot be asked.

        Nobody enters by this answer: it only tells whether waiting in line is worth while. Who asked a moment ago
        is told what this process knows by itself.
        """
        now = self._clock.monotonic()
        if now - self._looked_at.get(domain, -math.inf) < LOOK_AHEAD_EVERY_SECONDS:
            return max(self._known_rest(domain), self._own_pause(domain))
        self._looked_at[domain] = now
        try:
            micros: int = await self._look_ahead([_key(domain, "pace"), _key(domain, "pause")])
        except _LOST:
            return 0.0
        return micros / 1e6

    async def pause(self, domain: str, seconds: float) -> None:
        """Keep every worker away. Without Redis nobody may ask; it hears of the pause when it is back."""
        until = self._clock.monotonic() + clamp_pause(seconds)
        self._pauses[domain] = max(until, self._pauses.get(domain, 0.0))
        self._undelivered.add(domain)
        try:
            await self._deliver_pauses()
        except _LOST:
            return

    async def paused_for(self, domain: str) -> float:
        try:
            left: int = await self._client.pttl(_key(domain, "pause"))
        except _LOST as error:
            raise _unavailable(error) from error
        return max(left / 1000, self._own_pause(domain), 0.0)

    async def move_on(
        self, domain: str, token: str, *, rest: float, counts: bool, leaves: bool = False
    ) -> None:
        """Let the spacing count from now, or give the place back, or both."""
        keys = [_key(domain, "pace"), _key(domain, "slots")]
        if leaves:
            self._places.pop(token, None)
        try:
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._move_on(keys, [token, _micros(rest), int(counts), int(leaves)])
            if counts:
                self._free_at[domain] = self._clock.monotonic() + rest
        except _LOST:
            # The spacing was written when it entered, and the lease ends by itself: we are only slower.
            return

    def _keep(self, token: str, domain: str) -> None:
        """Renew this place from now on; nobody is asked while nobody is inside."""
        self._places[token] = domain
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew_places())

    async def _renew_places(self) -> None:
        while self._places:
            await asyncio.sleep(self._lease_seconds / 3)
            for token, domain in tuple(self._places.items()):
                with suppress(*_LOST):  # without Redis nobody else enters either
                    await self._renew([_key(domain, "slots")], [token, _micros(self._lease_seconds)])

    async def _wait_left(self, domain: str, token: str, *, pace: Pace, spacing: float, rest: float) -> float:
        keys = [_key(domain, "pace"), _key(domain, "pause"), _key(domain, "slots"), f"{PREFIX}:epoch"]
        own_pause = math.ceil(self._own_pause(domain) * 1000)
        times = [_micros(spacing), _micros(rest), max(pace.max_concurrent, 1), _micros(self._lease_seconds)]
        there = _micros(SURELY_THERE_SECONDS)
        word, micros = await self._ask(domain, keys, [token, *times, own_pause, there])
        if word == ENTERED:
            return 0.0
        return min(max(spacing / 4, 0.005), 0.25) if word == OCCUPIED else max(micros, 1) / 1e6

    async def _ask(self, domain: str, keys: list[str], arguments: Sequence[str | int]) -> tuple[int, int]:
        try:
            await self._deliver_pauses()
            word, micros = await self._enter(keys, arguments)
        except _LOST as error:
            raise _unavailable(error) from error
        except asyncio.CancelledError:
            # Redis may have said yes to a caller who no longer listens: give that place back.
            await self.move_on(domain, str(arguments[0]), rest=0.0, counts=True, leaves=True)
            raise
        return word, micros

    async def _enter_freely(self, domain: str, pace: Pace, *, began: float) -> FreePermit:
        places = max(pace.max_concurrent, 1)
        room = self._rooms.setdefault((domain, places), asyncio.Semaphore(places))
        await room.acquire()
        try:
            while pause := await self.paused_for(domain):
                await self._clock.sleep(min(pause, LONGEST_SLEEP))
        except BaseException:
            room.release()
            raise
        return FreePermit(room, self._clock.monotonic() - began)

    async def _deliver_pauses(self) -> None:
        for domain in tuple(self._undelivered):
            left = math.ceil(self._own_pause(domain) * 1000)
            if left > 0:
                await self._pause([_key(domain, "pause")], [left])
            self._undelivered.discard(domain)

    def _known_rest(self, domain: str) -> float:
        """Return how long the domain rests after our own last request to it."""
        return max(self._free_at.get(domain, 0.0) - self._clock.monotonic(), 0.0)

    def _own_pause(self, domain: str) -> float:
        left = self._pauses.get(domain, 0.0) - self._clock.monotonic()
        if left <= 0:
            self._pauses.pop(domain, None)
        return max(left, 0.0)


def _key(domain: str, part: str) -> str:
    return f"{PREFIX}:{{{domain.lower()}}}:{part}"


def _micros(seconds: float) -> int:
    return math.ceil(seconds * 1_000_000)


def _unavailable(error: BaseException) -> BudgetUnavailable:
    return BudgetUnavailable(
        f"the pace of domains cannot be kept without Redis: {type(error).__name__}",
        fix="start Redis, or correct LIMPET_REDIS_URL",
    )
