"""A queue that takes a run whole or refuses it, counted from job rows and never from a counter."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from limpet.clock import FrozenClock
from limpet.errors import QueueFull
from limpet.record.backlog import backlog
from limpet.record.entry import NewRun
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Outcome, Target
from limpet.target.outcome import RunState
from limpet.target.queue import QueueLimits

Make = Callable[..., Any]
TEN = QueueLimits(max_pending_per_adapter=10, max_pending_total=15)


@pytest.fixture
async def other(ledger: Ledger) -> Callable[[int], list[Target]]:
    """Targets of a second source with an adapter of its own."""
    await ledger.put_source(Source(id="other", app="prices", site="json", hosts=("other.test",)))

    def make(count: int) -> list[Target]:
        urls = [f"https://other.test/{number}" for number in range(count)]
        return [Target("other", url, url, "other.test") for url in urls]

    return make


async def waiting(ledger: Ledger, clock: FrozenClock) -> dict[str, int]:
    return dict(await ledger.read(partial(backlog, planned_since=clock.now() - timedelta(days=1))))


@pytest.mark.parametrize(
    ("first", "second", "fits"), [(6, 4, True), (6, 5, False), (10, 1, False), (1, 10, False)]
)
async def test_a_run_must_fit_beside_what_waits_for_its_adapter(
    ledger: Ledger, targets: Make, new_run: NewRun, first: int, second: int, fits: bool
) -> None:
    await ledger.plan_run(new_run, targets(first), limits=TEN)

    if fits:
        assert (await ledger.plan_run(new_run, targets(second), limits=TEN)).planned == second
    else:
        with pytest.raises(QueueFull, match="'woo'") as refusal:
            await ledger.plan_run(new_run, targets(second), limits=TEN)
        assert refusal.value.retry_after > 0 and refusal.value.fix


async def test_a_refused_run_leaves_nothing_behind(ledger: Ledger, targets: Make, new_run: NewRun) -> None:
    await ledger.plan_run(new_run, targets(10), limits=TEN)

    with pytest.raises(QueueFull):
        await ledger.plan_run(new_run, targets(20), limits=TEN)

    assert len(await ledger.runs()) == 1
    assert await ledger.count_targets() == 10


async def test_where_nothing_waits_a_single_run_may_be_of_any_size(
    ledger: Ledger, targets: Make, new_run: NewRun
) -> None:
    run = await ledger.plan_run(new_run, targets(500), limits=TEN)

    assert run.planned == 500


async def test_all_adapters_share_the_larger_limit(
    ledger: Ledger, targets: Make, other: Make, new_run: NewRun
) -> None:
    await ledger.plan_run(new_run, targets(9), limits=TEN)

    with pytest.raises(QueueFull, match="all adapters"):
        await ledger.plan_run(NewRun("prices", "other"), other(7), limits=TEN)
    assert (await ledger.plan_run(NewRun("prices", "other"), other(6), limits=TEN)).planned == 6


async def test_the_count_is_exact_whatever_became_of_the_jobs(
    ledger: Ledger, targets: Make, new_run: NewRun, clock: FrozenClock, lease_all: Make, settlement_of: Make
) -> None:
    """A counter that is bumped drifts with every failed attempt; rows do not."""
    run = await ledger.plan_run(new_run, targets(8), limits=TEN)
    leases = await lease_all(run, limit=5)
    for lease, outcome in zip(leases, [Outcome.FAILED, Outcome.SUCCEEDED], strict=False):
        await ledger.settle(settlement_of(lease, outcome))
    await ledger.release(leases[2:4])

    assert await waiting(ledger, clock) == {"woo": 5}


async def test_what_waits_too_long_or_in_an_ended_run_is_not_waited_for(
    ledger: Ledger, targets: Make, new_run: NewRun, clock: FrozenClock
) -> None:
    aborted = await ledger.plan_run(new_run, targets(10), limits=TEN)
    await ledger.finish_run(aborted.id, RunState.ABORTED)
    await ledger.plan_run(new_run, targets(10), limits=TEN)
    assert await waiting(ledger, clock) == {"woo": 10}

    clock.advance(25 * 3_600)

    assert await waiting(ledger, clock) == {}
    assert (await ledger.plan_run(new_run, targets(10), limits=TEN)).planned == 10


async def test_of_two_who_plan_at_once_one_gets_the_last_room(
    open_ledger: Make, targets: Make, new_run: NewRun
) -> None:
    async with await open_ledger() as one, await open_ledger() as another:
        await one.put_source(Source(id="shop", app="prices", site="woo", hosts=("shop.test",)))
        await one.plan_run(new_run, targets(4), limits=TEN)

        answers = await asyncio.gather(
            *(each.plan_run(new_run, targets(5), limits=TEN) for each in (one, another)),
            return_exceptions=True,
        )

    assert sorted(type(answer).__name__ for answer in answers) == ["QueueFull", "Run"]
