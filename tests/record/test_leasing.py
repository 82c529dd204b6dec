from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from limpet.clock import FrozenClock
from limpet.errors import LeaseLost
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger
from limpet.target import JobState, Outcome

Make = Callable[..., Any]


async def test_jobs_are_handed_out_by_priority_then_in_order(
    ledger: Ledger, targets: Make, new_run: NewRun, lease_all: Make
) -> None:
    ordinary, urgent = targets(4)[:3], targets(4, priority=5)[3:]
    run = await ledger.plan_run(new_run, ordinary + urgent)

    leases = await lease_all(run, limit=3)

    assert [lease.target.url.partition("?")[0][-1] for lease in leases] == ["3", "0", "1"]
    assert [lease.fence for lease in leases] == [1, 1, 1]


async def test_lanes_tell_what_is_waiting(ledger: Ledger, targets: Make, new_run: NewRun) -> None:
    run = await ledger.plan_run(new_run, targets(2) + targets(3, lane="other.test"))

    assert [tuple(lane) for lane in await ledger.lanes(run.id)] == [
        ("other.test", "shop", 3),
        ("shop.test", "shop", 2),
    ]


async def test_no_job_is_handed_out_twice(
    ledger: Ledger, run: Run, lease_all: Make, open_ledger: Make
) -> None:
    async with await open_ledger() as second:
        both = await asyncio.gather(
            *(
                each.lease(run.id, lane="shop.test", worker=worker, limit=1, seconds=60)
                for each, worker in [(ledger, "a"), (second, "b")] * 3
            )
        )

    jobs = [lease.job_id for leases in both for lease in leases]
    assert sorted(jobs) == sorted(set(jobs))
    assert len(jobs) == 5


async def test_an_expired_lease_is_handed_out_again_and_its_late_writer_refused(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, clock: FrozenClock
) -> None:
    (late, *_) = await lease_all(run, worker="slow", seconds=30)
    clock.advance(31)
    (again, *_) = await lease_all(run, worker="quick")

    assert (again.job_id, again.fence, again.attempt) == (late.job_id, late.fence + 1, late.attempt + 1)
    with pytest.raises(LeaseLost):
        await ledger.settle(settlement_of(late, Outcome.FAILED))
    await ledger.settle(settlement_of(again))
    with pytest.raises(LeaseLost):
        await ledger.settle(settlement_of(late, Outcome.FAILED))
    assert (await ledger.counts(run.id))["succeeded"] == 1


async def test_a_late_writer_does_not_spoil_its_neighbours(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, clock: FrozenClock
) -> None:
    leases = await lease_all(run, seconds=30)
    clock.advance(31)
    await lease_all(run, worker="thief", limit=1)

    answers = await asyncio.gather(
        *(ledger.settle(settlement_of(lease)) for lease in leases), return_exceptions=True
    )

    assert [type(answer) for answer in answers].count(LeaseLost) == 1
    assert (await ledger.counts(run.id))["succeeded"] == 4


async def test_a_renewed_lease_does_not_expire(
    ledger: Ledger, run: Run, lease_all: Make, clock: FrozenClock
) -> None:
    await lease_all(run, worker="w1", seconds=30)
    clock.advance(20)

    assert await ledger.renew("w1", seconds=30) == 5

    clock.advance(20)
    assert await lease_all(run, worker="w2") == []
    assert await ledger.holders(run.id) == ["w1"]


async def test_a_released_job_was_never_tried(ledger: Ledger, run: Run, lease_all: Make) -> None:
    leases = await lease_all(run)

    assert await ledger.release(leases) == 5

    (again, *_) = await lease_all(run)
    assert (again.attempt, again.fence) == (0, 2)
    assert await ledger.release(leases) == 0


async def test_a_job_put_off_waits_for_its_time(
    ledger: Ledger, run: Run, lease_all: Make, clock: FrozenClock
) -> None:
    leases = await lease_all(run)
    await ledger.release(leases, not_before=clock.now() + timedelta(minutes=5))

    assert await lease_all(run) == []

    clock.advance(301)
    assert len(await lease_all(run)) == 5


async def test_a_lane_given_up_ends_skipped(ledger: Ledger, run: Run, lease_all: Make) -> None:
    await lease_all(run, limit=1)

    assert await ledger.skip_lane(run.id, "shop.test", reason="gate.breaker") == 4

    skipped = await ledger.jobs(run.id, state=JobState.SKIPPED)
    assert {job.reason for job in skipped} == {"gate.breaker"}


async def test_closing_puts_back_what_was_held(
    ledger: Ledger, run: Run, lease_all: Make, open_ledger: Make
) -> None:
    async with await open_ledger() as second:
        await second.lease(run.id, lane="shop.test", worker="leaving", limit=3, seconds=600)

    assert len(await lease_all(run)) == 5


async def test_a_live_neighbour_keeps_its_jobs(
    ledger: Ledger, run: Run, lease_all: Make, open_ledger: Make
) -> None:
    await lease_all(run, limit=2)

    async with await open_ledger() as second:
        assert await second.reclaim_dead() == 0

    assert (await ledger.counts(run.id))["running"] == 2
