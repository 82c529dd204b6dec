"""What every budget promises, whatever keeps the count."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest

from limpet.clock import SystemClock
from limpet.fetch.policy.rate import MAX_PAUSE_SECONDS, Budget
from limpet.record.budget_file import FileBudget
from limpet.record.budget_redis import RedisBudget
from limpet.record.redis_client import connect_redis
from limpet.source.source import Pace

BRISK = Pace(requests_per_second=50, min_delay_seconds=0, jitter=0.0)
UNLIMITED = Pace(requests_per_second=None, min_delay_seconds=0, max_concurrent=2)
PACES = pytest.mark.parametrize("pace", [BRISK, UNLIMITED], ids=["spaced", "unlimited"])


@pytest.fixture(params=["files", pytest.param("redis", marks=pytest.mark.redis)])
async def budget(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Budget]:
    if request.param == "files":
        files = FileBudget(tmp_path)
        yield files
        files.close()
    else:
        client = connect_redis(request.getfixturevalue("redis_url"))
        shared = RedisBudget(client)
        yield shared
        shared.close()
        await client.aclose()


async def visit(budget: Budget, pace: Pace, log: list[float], *, domain: str = "example.com") -> None:
    async with await budget.enter(domain, pace):
        log.append(SystemClock().monotonic())


async def settle() -> None:
    """Let every task run as far as it can without time passing."""
    for _ in range(50):
        await asyncio.sleep(0)


async def test_requests_are_spaced_from_the_end_of_the_one_before(budget: Budget) -> None:
    ended, began = [], []

    for _ in range(4):
        async with await budget.enter("example.com", BRISK):
            began.append(SystemClock().monotonic())
            await asyncio.sleep(0.03)
            ended.append(SystemClock().monotonic())

    assert min(later - end for end, later in zip(ended, began[1:], strict=False)) >= 0.02


async def test_a_crawl_delay_spaces_even_what_came_before_it_was_known(budget: Budget) -> None:
    log: list[float] = []
    await visit(budget, BRISK, log)

    permit = await budget.enter("example.com", BRISK, crawl_delay=0.3)
    log.append(SystemClock().monotonic())
    await permit.leave()

    assert log[1] - log[0] >= 0.3
    assert permit.waited_seconds > 0


async def test_a_crawl_delay_slows_an_unlimited_pace_too(budget: Budget) -> None:
    times = []
    for _ in range(2):
        async with await budget.enter("example.com", UNLIMITED, crawl_delay=0.15):
            times.append(SystemClock().monotonic())

    assert times[1] - times[0] >= 0.15


@PACES
async def test_a_pause_that_comes_while_they_wait_holds_them_all(budget: Budget, pace: Pace) -> None:
    log: list[float] = []
    places = [await budget.enter("example.com", pace) for _ in range(pace.max_concurrent)]
    waiting = [asyncio.create_task(visit(budget, pace, log)) for _ in range(4)]
    await asyncio.sleep(0.03)

    paused_at = SystemClock().monotonic()
    await budget.pause("example.com", 0.4)
    for place in places:
        await place.leave()
    await asyncio.gather(*waiting)

    assert len(log) == 4
    assert min(log) - paused_at >= 0.399
    if not pace.is_unlimited:
        assert min(b - a for a, b in pairwise(log)) >= 0.02


async def test_a_pause_is_never_shortened_and_never_longer_than_six_hours(budget: Budget) -> None:
    await budget.pause("example.com", 1000)
    await budget.pause("example.com", 3)
    short = await budget.paused_for("example.com")
    await budget.pause("example.com", 1e12)
    long = await budget.paused_for("example.com")

    assert 990 < short <= 1000
    assert MAX_PAUSE_SECONDS - 10 < long <= MAX_PAUSE_SECONDS
    assert await budget.paused_for("other.com") == 0


async def test_a_waiting_domain_does_not_hold_up_another(budget: Budget) -> None:
    log: list[float] = []
    await budget.pause("slow.com", 3600)
    stuck = asyncio.create_task(visit(budget, BRISK, log, domain="slow.com"))
    await settle()

    async with asyncio.timeout(30):
        await visit(budget, BRISK, log, domain="quick.com")

    assert len(log) == 1 and not stuck.done()
    stuck.cancel()


@pytest.mark.parametrize(
    "pace", [Pace(200, 0, 0.0, max_concurrent=3), UNLIMITED], ids=["spaced", "unlimited"]
)
async def test_no_more_are_inside_than_the_pace_allows(budget: Budget, pace: Pace) -> None:
    inside, most = 0, 0

    async def stay() -> None:
        nonlocal inside, most
        async with await budget.enter("example.com", pace) as permit:
            await permit.reached()
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.06)
            inside -= 1

    async with asyncio.timeout(60):
        await asyncio.gather(*(stay() for _ in range(9)))

    assert most == pace.max_concurrent


async def test_nobody_enters_while_one_is_on_its_way_to_the_origin(budget: Budget) -> None:
    pace = Pace(200, 0, 0.0, max_concurrent=3)
    log: list[float] = []
    first = await budget.enter("example.com", pace)
    second = asyncio.create_task(visit(budget, pace, log))
    await asyncio.sleep(0.1)
    early = list(log)

    await first.reached()
    await asyncio.wait_for(second, 30)

    assert early == [] and len(log) == 1
    await first.leave()


async def test_one_that_hangs_at_the_origin_keeps_its_place_and_not_the_domain(
    budget: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limpet.record.domain_file.SURELY_THERE_SECONDS", 0.2)
    monkeypatch.setattr("limpet.record.budget_redis.SURELY_THERE_SECONDS", 0.2)
    pace = Pace(200, 0, 0.0, max_concurrent=3)
    log: list[float] = []
    hanging = await budget.enter("example.com", pace)

    async with asyncio.timeout(30):
        await asyncio.gather(*(visit(budget, pace, log) for _ in range(5)))
    second = await budget.enter("example.com", pace)
    third = await budget.enter("example.com", pace)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await budget.enter("example.com", pace)

    assert len(log) == 5, "and its own place stays taken"
    for permit in (hanging, second, third):
        await permit.leave()


@PACES
async def test_a_place_is_given_back_once_however_often_it_is_left(budget: Budget, pace: Pace) -> None:
    for _ in range(3):
        permit = await budget.enter("example.com", pace)
        await permit.leave()
        await permit.leave()
        await permit.reached()
    holders = [await budget.enter("example.com", pace) for _ in range(pace.max_concurrent)]

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await budget.enter("example.com", pace)

    for holder in holders:
        await holder.leave()


@PACES
async def test_who_gives_up_waiting_takes_nothing_with_him(budget: Budget, pace: Pace) -> None:
    log: list[float] = []
    holders = [await budget.enter("example.com", pace) for _ in range(pace.max_concurrent)]
    impatient = [asyncio.create_task(visit(budget, pace, log)) for _ in range(3)]
    await asyncio.sleep(0.03)
    for task in impatient:
        task.cancel()
    await asyncio.gather(*impatient, return_exceptions=True)

    for holder in holders:
        await holder.leave()
    async with asyncio.timeout(30):
        await visit(budget, pace, log)

    assert len(log) == 1


async def test_those_who_wait_are_served_in_the_order_they_came(budget: Budget) -> None:
    order: list[int] = []

    async def come(number: int) -> None:
        async with await budget.enter("example.com", BRISK):
            order.append(number)

    await asyncio.gather(*(come(number) for number in range(8)))

    assert order == list(range(8))
