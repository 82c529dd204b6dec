"""What all workers lean on goes away, again and again: nothing is lost, nothing twice, and no domain is hurried."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from itertools import pairwise
from typing import Any

import psycopg
import pytest

from limpet.cli.scaling import handing_over
from limpet.errors import LimpetError
from limpet.record.entry import NewRun
from limpet.target.outcome import RunState, Trigger

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.timeout(0)]
CRASHES = int(os.environ.get("SOAK_OUTAGES", "1"))
ZONES = ("reef", "cove", "quay", "pier")
SPACING = 0.2
PACE = f"requests_per_second = {1 / SPACING}\nmin_delay_seconds = {SPACING}\njitter = 0"
PER_CRASH = 12  # visits of all domains between two crashes
EACH = min(8 + CRASHES * PER_CRASH // len(ZONES), 60)
HURRIED = {
    "LIMPET_LEASE_SECONDS": "10",
    "LIMPET_SILENCE_SECONDS": "3",
    "LIMPET_CIRCUIT_BREAKER_TIMEOUT_SECONDS": "1",
}


async def standing(house: Any, run_id: int) -> Any:
    """Ask until somebody answers: the database may be away just now."""
    while True:
        try:
            return await house.ledger.run(run_id)
        except LimpetError:
            await asyncio.sleep(0.2)


async def ended(house: Any, run_id: int) -> Any:
    async with asyncio.timeout(300):
        while (run := await standing(house, run_id)).state is RunState.RUNNING:
            await asyncio.sleep(0.1)
    return run


async def dismissed(workers: list[Any]) -> list[Any]:
    for worker in workers:
        worker.interrupt(signal.SIGTERM)
    return [await worker.ends() for worker in workers]


def has_seen(shore: Any, visits: int) -> bool:
    return sum(len(shore.visits(zone=f"{zone}.localhost")) for zone in ZONES) >= visits


def hurried(visits: list[Any], spacing: float) -> list[Any]:
    """Return the visits that came too soon after the one before."""
    return [b for a, b in pairwise(visits) if b.arrived_monotonic - a.arrived_monotonic < spacing]


@pytest.mark.parametrize("victim", ["own_redis", "own_postgres"])
async def test_an_outage_loses_nothing_and_hurries_nobody(shore, journey, request, victim: str) -> None:
    shore.environment |= HURRIED | {
        "LIMPET_DATABASE_URL": request.getfixturevalue("own_postgres").url,
        "LIMPET_REDIS_URL": request.getfixturevalue("own_redis").url,
    }
    server = request.getfixturevalue(victim)
    shore.write_config(
        *(
            shore.source(
                shore.urls(EACH, zone=f"{zone}.localhost"), name=zone, zone=f"{zone}.localhost", pace=PACE
            )
            for zone in ZONES
        )
    )

    async with shore.open() as house:
        desk = await handing_over(house)
        workers = [await shore.start("worker") for _ in range(2)]
        planned = await desk.plan(NewRun(app="prices", source_id=None, trigger=Trigger.UI))
        for number in range(CRASHES):
            await shore.until(partial(has_seen, shore, min(PER_CRASH * (number + 1), len(ZONES) * EACH - 8)))
            await asyncio.to_thread(server.crash_and_return)
        run = await ended(house, planned.id)
        said = await dismissed(workers)
        await journey.prove(house)

    assert (run.state, run.counts["succeeded"]) == (RunState.COMPLETED, len(ZONES) * EACH)
    assert [each.code for each in said] == [0, 0], said
    for zone in ZONES:
        visits = shore.visits(zone=f"{zone}.localhost")
        assert {visit.path for visit in visits} == set(shore.paths(EACH))
        assert hurried(visits, SPACING) == []


async def test_a_worker_cut_off_from_redis_asks_nobody_until_it_is_back(shore, journey, request) -> None:
    redis = request.getfixturevalue("own_redis")
    shore.environment |= HURRIED | {
        "LIMPET_DATABASE_URL": request.getfixturevalue("migrated_postgres_url"),
        "LIMPET_REDIS_URL": redis.url,
    }
    shore.write_config(shore.source(shore.urls(12), pace=PACE))

    async with shore.open() as house:
        desk = await handing_over(house)
        worker = await shore.start("worker")
        planned = await desk.plan(NewRun(app="prices", source_id="shop", trigger=Trigger.UI))
        await shore.until(lambda: len(shore.visits()) >= 3)
        await asyncio.to_thread(redis.go_away)
        await shore.until(lambda: "gate.budget_unavailable" in worker.log)
        when_cut_off = len(shore.visits())
        await shore.until(lambda: worker.log.count("gate.budget_unavailable") >= 2)
        asked_meanwhile = len(shore.visits()) - when_cut_off
        await asyncio.to_thread(redis.come_back)
        run = await ended(house, planned.id)
        await dismissed([worker])
        await journey.prove(house)

    assert asked_meanwhile == 0
    assert (run.state, run.counts["succeeded"]) == (RunState.COMPLETED, 12)
    assert hurried(shore.visits(), SPACING) == []


async def test_a_worker_that_slept_through_its_lease_is_refused(shore, journey, request) -> None:
    shore.environment |= HURRIED | {
        "LIMPET_DATABASE_URL": request.getfixturevalue("migrated_postgres_url"),
        "LIMPET_REDIS_URL": request.getfixturevalue("redis_url"),
    }
    shore.write_config(shore.source(shore.urls(12), pace=PACE))

    async with shore.open() as house:
        desk = await handing_over(house)
        sleeper = await shore.start("worker")
        planned = await desk.plan(NewRun(app="prices", source_id="shop", trigger=Trigger.UI))
        await shore.until(lambda: len(shore.visits()) >= 3)
        sleeper.interrupt(signal.SIGSTOP)
        heir = await shore.start("worker")
        run = await ended(house, planned.id)
        sleeper.interrupt(signal.SIGCONT)
        said = await dismissed([sleeper, heir])
        await journey.prove(house)
        jobs = await house.ledger.jobs(planned.id)

    assert (run.state, run.counts["succeeded"]) == (RunState.COMPLETED, 12)
    assert [each.code for each in said] == [0, 0], said
    assert len(jobs) == 12
    # The request on the wire was repeated, and the sleeper asked once more before it heard that it is late.
    assert len(shore.visits()) <= 14


async def test_a_worker_whose_listener_was_shut_out_takes_lanes_again(shore, journey, request) -> None:
    """The queue's own worker ends without an error then; ours must not sit there taking nothing."""
    database = request.getfixturevalue("migrated_postgres_url")
    admin, _, name = database.rpartition("/")
    shore.environment |= HURRIED | {
        "LIMPET_DATABASE_URL": database,
        "LIMPET_REDIS_URL": request.getfixturevalue("redis_url"),
    }
    shore.write_config(shore.source(shore.urls(4), pace=PACE))

    async with shore.open() as house:
        desk = await handing_over(house)
        worker = await shore.start("worker")
        with psycopg.connect(f"{admin}/postgres", autocommit=True) as warden:
            listening = "FROM pg_stat_activity WHERE datname = %s AND query LIKE 'LISTEN%%'"
            await shore.until(lambda: warden.execute(f"SELECT 1 {listening}", [name]).fetchone())
            warden.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
            warden.execute(f"SELECT pg_terminate_backend(pid) {listening}", [name])
            await shore.until(lambda: "queue_lost" in worker.log)
            warden.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        planned = await desk.plan(NewRun(app="prices", source_id="shop", trigger=Trigger.UI))
        run = await ended(house, planned.id)
        said = await dismissed([worker])
        await journey.prove(house)

    assert (run.state, run.counts["succeeded"]) == (RunState.COMPLETED, 4)
    assert said[0].code == 0, said


async def test_a_lane_cut_off_after_it_was_queued_again_blocks_nobody(shore, journey, request) -> None:
    """By the queue's list the dead one is still at work, and what follows it waits: it must make way."""
    database = request.getfixturevalue("migrated_postgres_url")
    shore.environment |= HURRIED | {
        "LIMPET_DATABASE_URL": database,
        "LIMPET_REDIS_URL": request.getfixturevalue("redis_url"),
    }
    shore.write_config(shore.source(shore.urls(4), pace=PACE))

    async with shore.open() as house:
        desk = await handing_over(house)
        planned = await desk.plan(NewRun(app="prices", source_id="shop", trigger=Trigger.UI))
        with psycopg.connect(database, autocommit=True) as hand:
            hand.execute("UPDATE procrastinate_jobs SET status = 'doing'")
            hand.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args) "
                "SELECT queue_name, task_name, priority, lock, queueing_lock, args FROM procrastinate_jobs"
            )
        worker = await shore.start("worker")
        run = await ended(house, planned.id)
        said = await dismissed([worker])
        await journey.prove(house)

    assert (run.state, run.counts["succeeded"], said[0].code) == (RunState.COMPLETED, 4, 0)
    assert len(shore.visits()) == 4
