"""Breakers shared through Redis by workers on any number of hosts."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError

from limpet.clock import Clock, SystemClock
from limpet.fetch.policy.breaker import Breaker, BreakerTerms, MemoryBreakers, refuse
from limpet.record.breaker_text import breaker_from_text, breaker_to_text

if TYPE_CHECKING:
    from redis.asyncio import Redis

PREFIX = "limpet:breaker"
NAMES = "limpet:breakers"
TOTALS_EVERY_SECONDS = 10.0  # each time costs a command for every domain that was asked meanwhile
_LOST = (RedisError, OSError, asyncio.TimeoutError)

# KEYS: breaker, names   ARGV: text as it was read, text as it shall be, name
SWAP = """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[3])
return 1
"""


class RedisBreakers:
    """Breakers in Redis, judged by Redis' clock.

    While Redis is away each process keeps its own: the budget refuses sites then, but an alert about Redis
    must still be able to leave.
    """

    def __init__(
        self, client: Redis, *, clock: Clock | None = None, terms: BreakerTerms | None = None
    ) -> None:
        self._client: Any = client
        self._clock = clock or SystemClock()
        self._terms = terms or BreakerTerms()
        self._swap = client.register_script(SWAP)
        self._own = MemoryBreakers(clock=self._clock, terms=self._terms)
        self._successes: Counter[str] = Counter()  # counted while calm, not yet written
        self._calm: set[str] = set()  # as we last saw them; every request looks before it goes
        self._written_at = self._clock.monotonic()

    async def check(self, name: str) -> None:
        wait: float | None = None

        def ask(breaker: Breaker, now: float) -> Breaker:
            nonlocal wait
            after, wait = breaker.check(now)
            return after

        try:
            await self._update(name, ask)
        except _LOST:
            await self._own.check(name)
        if wait is not None:
            raise refuse(name, wait)

    async def succeeded(self, name: str) -> None:
        try:
            if name in self._calm:
                self._successes[name] += 1
                await self._write_totals_sometimes()
            else:
                await self._update(name, Breaker.succeeded)
        except _LOST:
            await self._own.succeeded(name)

    async def failed(self, name: str) -> None:
        try:
            await self._update(name, Breaker.failed)
        except _LOST:
            await self._own.failed(name)

    async def abandoned(self, name: str) -> None:
        try:
            await self._update(name, Breaker.abandoned)
        except _LOST:
            await self._own.abandoned(name)

    async def state(self, name: str) -> Breaker:
        try:
            return await self._update(name, lambda breaker, _now: breaker)
        except _LOST:
            return await self._own.state(name)

    async def states(self) -> list[Breaker]:
        try:
            await self.write_down()
            names = sorted(map(_text, await self._client.smembers(NAMES)))
            return [self._read(name, await self._client.get(_key(name))) for name in names]
        except _LOST:
            return await self._own.states()

    async def write_down(self) -> None:
        """Add the successes counted since the last time to the shared totals."""
        self._written_at = self._clock.monotonic()
        for name in [name for name, count in self._successes.items() if count]:
            await self._update(name, lambda breaker, _now: breaker)

    async def _write_totals_sometimes(self) -> None:
        if self._clock.monotonic() - self._written_at > TOTALS_EVERY_SECONDS:
            await self.write_down()

    async def _update(self, name: str, change: Callable[[Breaker, float], Breaker]) -> Breaker:
        """Read, change and write; when another worker wrote in between, once more from the start."""
        while True:
            async with self._client.pipeline(transaction=False) as both:  # one way there and back, not two
                (seconds, micros), text = await both.time().get(_key(name)).execute()
            text = text or b""
            before = self._read(name, text)
            successes = self._successes[name]
            after = change(before, seconds + micros / 1e6).with_successes(successes)
            if after == before or await self._swap([_key(name), NAMES], [text, breaker_to_text(after), name]):
                self._successes[name] -= successes
                (self._calm.add if after.is_calm else self._calm.discard)(name)
                return after

    def _read(self, name: str, text: bytes | None) -> Breaker:
        return breaker_from_text(name, text or b"", terms=self._terms)


def _text(name: bytes | str) -> str:
    return name.decode() if isinstance(name, bytes) else name


def _key(name: str) -> str:
    return f"{PREFIX}:{name}"
