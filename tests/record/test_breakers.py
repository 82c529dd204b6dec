"""What every keeper of breakers promises: memory, files, Redis."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from limpet.clock import FrozenClock
from limpet.errors import BreakerOpen
from limpet.fetch.policy.breaker import Breakers, BreakerTerms, MemoryBreakers
from limpet.record.breaker_file import OPEN_FILES, FileBreakers
from limpet.record.breaker_redis import RedisBreakers
from limpet.record.redis_client import connect_redis

NAME = "site:example.com"
WORKER = Path(__file__).parent / "breaker_worker.py"
# Redis judges by its own clock, so its breakers are given a rest of no length instead of a clock to advance.
NO_REST = BreakerTerms(rest_seconds=0.0)
WITH_REDIS = pytest.param("redis", marks=pytest.mark.redis)
Make = Callable[[BreakerTerms], Breakers]


@pytest.fixture(params=["memory", "files", WITH_REDIS])
async def make(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Make]:
    if request.param != "redis":
        yield (
            lambda terms: (
                MemoryBreakers(terms=terms)
                if request.param == "memory"
                else FileBreakers(tmp_path, terms=terms)
            )
        )
        return
    client = connect_redis(request.getfixturevalue("redis_url"))
    yield lambda terms: RedisBreakers(client, terms=terms)
    await client.aclose()


async def fail(breakers: Breakers, times: int = 5) -> None:
    for _ in range(times):
        await breakers.check(NAME)
        await breakers.failed(NAME)


async def test_five_failures_open_it_for_a_minute(make: Make) -> None:
    breakers = make(BreakerTerms())
    await fail(breakers)

    with pytest.raises(BreakerOpen) as refusal:
        await breakers.check(NAME)

    assert refusal.value.retry_after is not None and 50 < refusal.value.retry_after <= 60
    assert (await breakers.state(NAME)).total_rejections == 1
    await breakers.check("site:other.com")


async def test_one_probe_at_a_time_and_five_good_ones_close_it(make: Make) -> None:
    breakers = make(NO_REST)
    await fail(breakers)

    for _ in range(5):
        await breakers.check(NAME)
        with pytest.raises(BreakerOpen):
            await breakers.check(NAME)
        await breakers.succeeded(NAME)

    closed = await breakers.state(NAME)
    assert closed.is_calm
    assert (closed.total_calls, closed.total_rejections) == (10, 5)


async def test_an_abandoned_probe_lets_the_next_one_through(make: Make) -> None:
    breakers = make(NO_REST)
    await fail(breakers)
    await breakers.check(NAME)

    await breakers.abandoned(NAME)

    await breakers.check(NAME)
    assert (await breakers.state(NAME)).state == "half_open"


async def test_a_success_forgives_the_failures_before_it(make: Make) -> None:
    breakers = make(BreakerTerms())
    for _ in range(4):
        await fail(breakers, times=4)
        await breakers.succeeded(NAME)

    state = await breakers.state(NAME)

    assert (state.state, state.failure_count, state.total_failures) == ("closed", 0, 16)


async def test_calm_successes_are_counted(make: Make) -> None:
    breakers = make(BreakerTerms())
    for _ in range(300):
        await breakers.check(NAME)
        await breakers.succeeded(NAME)

    state = await breakers.state(NAME)
    assert state.to_dict() == {**state.to_dict(), "state": "closed", "total_calls": 300, "total_failures": 0}


async def test_every_breaker_is_listed_by_name(make: Make) -> None:
    breakers = make(BreakerTerms())
    for name in ("push:sns", "browser", "site:bücher.example/../x"):
        await breakers.succeeded(name)
        await breakers.failed(name)

    names = [breaker.name for breaker in await breakers.states()]

    assert sorted(names) == ["browser", "push:sns", "site:bücher.example/../x"]


@pytest.mark.parametrize("kind", ["files", WITH_REDIS])
async def test_only_one_of_three_processes_may_probe(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store = request.getfixturevalue("redis_url") if kind == "redis" else str(tmp_path)
    client = connect_redis(store) if kind == "redis" else None
    breakers: Breakers = (
        RedisBreakers(client, terms=NO_REST) if client else FileBreakers(tmp_path, terms=NO_REST)
    )
    await fail(breakers)
    command = [sys.executable, str(WORKER), store]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(3)]

    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = sorted(process.communicate(timeout=60)[0].strip() for process in processes)

    assert answers == ["passed", "refused", "refused"]
    assert (await breakers.state(NAME)).total_rejections == 2
    if client:
        await client.aclose()


async def test_files_are_shared_between_those_who_open_them(tmp_path: Path) -> None:
    clock = FrozenClock()
    one, two = FileBreakers(tmp_path, clock=clock), FileBreakers(tmp_path, clock=clock)
    await two.check(NAME)

    await fail(one)
    with pytest.raises(BreakerOpen):
        await two.check(NAME)
    clock.advance(60)

    await two.check(NAME)
    with pytest.raises(BreakerOpen):
        await one.check(NAME)


async def test_totals_of_two_processes_add_up(tmp_path: Path) -> None:
    clock = FrozenClock()
    one, two = FileBreakers(tmp_path, clock=clock), FileBreakers(tmp_path, clock=clock)
    for _ in range(10):
        await one.succeeded(NAME)
        await two.succeeded(NAME)
    clock.advance(2)
    await one.succeeded(NAME)
    two.close()

    assert (await one.state(NAME)).total_successes == 21


async def test_a_damaged_file_starts_a_new_breaker(tmp_path: Path) -> None:
    breakers = FileBreakers(tmp_path)
    await fail(breakers)
    breakers.close()
    for path in (tmp_path / "breakers").iterdir():
        path.write_bytes(b"\xff" * 2048)

    again = FileBreakers(tmp_path)

    await again.check(NAME)
    assert (await again.state(NAME)).total_calls == 0
    assert len(await again.states()) == 1


async def test_without_a_place_for_files_each_process_keeps_its_own(tmp_path: Path) -> None:
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    breakers = FileBreakers(blocked)
    await fail(breakers)

    with pytest.raises(BreakerOpen):
        await breakers.check(NAME)


async def test_many_names_keep_few_files_open(tmp_path: Path) -> None:
    breakers = FileBreakers(tmp_path)
    for number in range(OPEN_FILES + 20):
        await breakers.succeeded(f"site:{number}.com")

    assert (await breakers.state("site:0.com")).total_successes == 1
    assert len(await breakers.states()) == OPEN_FILES + 20


async def test_without_redis_each_process_keeps_its_own() -> None:
    client = connect_redis("redis://127.0.0.1:1/0")
    breakers = RedisBreakers(client)
    await fail(breakers)

    with pytest.raises(BreakerOpen):
        await breakers.check(NAME)

    await client.aclose()
