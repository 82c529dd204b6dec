"""Many workers on Postgres and Redis: every target once, no domain hurried, and nobody's death noticed."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import aiohttp
import psycopg
import pytest

from limpet.cli.admission import newcomers_link
from limpet.cli.scaling import handing_over
from limpet.engine.timetable import Timetable
from limpet.record.access.accounts import list_accounts
from limpet.record.entry import NewRun
from limpet.record.setting_aside import poisoned
from limpet.target.outcome import RunState, Trigger

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
ZONES = ("reef", "cove", "quay", "pier")
WAITING = 10_000 if "SOAK_OUTAGES" in os.environ else 2_000
PACE = "requests_per_second = 20\nmin_delay_seconds = 0.05\njitter = 0"


@pytest.fixture
def coast(shore: Any, request: pytest.FixtureRequest) -> Any:
    """The shore on a shared database and a shared pace, with short leases."""
    shore.environment["LIMPET_DATABASE_URL"] = request.getfixturevalue("migrated_postgres_url")
    shore.environment["LIMPET_REDIS_URL"] = request.getfixturevalue("redis_url")
    shore.environment["LIMPET_LEASE_SECONDS"] = "10"
    shore.environment["LIMPET_SILENCE_SECONDS"] = "3"
    return shore


def four_domains(shore: Any, *, count: int, pace: str = PACE) -> list[str]:
    return [
        shore.source(
            shore.urls(count, zone=f"{zone}.localhost"), name=zone, zone=f"{zone}.localhost", pace=pace
        )
        for zone in ZONES
    ]


async def ended(house: Any, run_id: int) -> Any:
    async with asyncio.timeout(60):
        while (run := await house.ledger.run(run_id)).state is RunState.RUNNING:
            await asyncio.sleep(0.1)
    return run


async def test_workers_share_a_run_and_each_target_is_walked_once(coast, journey) -> None:
    coast.write_config(*four_domains(coast, count=15))

    async with coast.open() as house:
        desk = await handing_over(house)
        workers = [await coast.start("worker") for _ in range(2)]
        planned = await desk.plan(NewRun(app="prices", source_id=None, trigger=Trigger.UI))
        run = await ended(house, planned.id)
        for worker in workers:
            worker.interrupt(signal.SIGTERM)
        said = [await worker.ends() for worker in workers]
        await journey.prove(house)

    assert (run.state, run.counts["succeeded"]) == (RunState.COMPLETED, 60)
    assert [each.code for each in said] == [0, 0], said
    for zone in ZONES:
        visits = coast.visits(zone=f"{zone}.localhost")
        assert sorted(visit.path for visit in visits) == sorted(coast.paths(15))
        assert (
            min(later.arrived_monotonic - earlier.arrived_monotonic for earlier, later in pairwise(visits))
            >= 0.05
        )


async def test_what_a_killed_worker_held_is_walked_by_another_and_recorded_once(coast, journey) -> None:
    coast.write_config(
        coast.source(coast.urls(20), pace="requests_per_second = 10\nmin_delay_seconds = 0.1\njitter = 0")
    )

    async with coast.open() as house:
        desk = await handing_over(house)
        victim = await coast.start("worker")
        planned = await desk.plan(NewRun(app="prices", source_id="shop", trigger=Trigger.UI))
        await coast.until(lambda: len(coast.visits()) >= 5)
        victim.interrupt(signal.SIGKILL)
        heir = await coast.start("worker")
        run = await ended(house, planned.id)
        heir.interrupt(signal.SIGTERM)
        await heir.ends()
        await journey.prove(house)

    visits = coast.visits()
    assert (run.state, run.counts["succeeded"]) == (RunState.COMPLETED, 20)
    assert len(visits) <= 21  # at most the request on the wire was repeated
    assert (
        min(later.arrived_monotonic - earlier.arrived_monotonic for earlier, later in pairwise(visits)) >= 0.1
    )


async def test_a_worker_without_redis_says_what_it_needs(shore) -> None:
    shore.write_config(shore.source(shore.urls(1)))

    said = await shore.limpet("worker")

    assert said.code == 2
    assert "LIMPET_DATABASE_URL" in said.err


async def test_two_schedulers_answer_a_fire_once_and_the_workers_walk_it(coast, journey) -> None:
    coast.write_config(coast.source(coast.urls(6), extra='schedule = "0 0 * * *"'))

    async with coast.open() as house:
        await house.ledger.log_event("alert_gaps", source_id="shop", payload={"details": "three are missing"})
        crew = [await coast.start(verb) for verb in ("scheduler", "scheduler", "worker")]
        async with asyncio.timeout(60):
            while not (found := await house.ledger.runs()):
                await asyncio.sleep(0.1)
        run = await ended(house, found[0].id)
        working = await coast.limpet("status", "--workers")
        for each in crew:
            each.interrupt(signal.SIGTERM)
        said = [await each.ends() for each in crew]
        runs = await house.ledger.runs()
        alerts = await house.ledger.alerts()
        await journey.prove(house)

    assert [alert.kind for alert in alerts] == ["gaps"]
    assert (run.trigger, run.counts["succeeded"]) == (Trigger.SCHEDULE, 6)
    assert [each.id for each in runs] == [run.id]
    assert len(coast.visits()) == 6
    assert working.out.count("leads: scheduler") == 1
    assert [each.code for each in said] == [0, 0, 0], said


async def test_the_portal_alone_shows_and_walks_nothing(coast) -> None:
    coast.write_config(coast.source(coast.urls(3), extra='schedule = "0 0 * * *"'))

    portal = await coast.start("web", "--port", "0")
    where = await portal.says(r"http://127\.0\.0\.1:(\d+)/")
    async with aiohttp.ClientSession() as visitor, visitor.get(f"{where[0]}health") as answer:
        status = answer.status
    portal.interrupt(signal.SIGTERM)
    said = await portal.ends()

    assert (status, said.code) == (200, 0), said
    assert coast.visits() == []


async def test_two_portals_that_start_at_once_on_a_new_ledger_both_let_the_owner_in(coast) -> None:
    coast.write_config(coast.source(coast.urls(1)))
    database = coast.environment["LIMPET_DATABASE_URL"]
    owner = "INSERT INTO accounts (name, role, created_at, created_by) VALUES ('owner', 'admin', now(), 'me')"
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

    async with coast.open() as house:
        with psycopg.connect(database) as other, psycopg.connect(database, autocommit=True) as warden:
            other.execute(owner)  # the other one has made the account, and has not said so yet
            asking = asyncio.create_task(newcomers_link(house, 8787))
            await coast.until(lambda: warden.execute(waiting).fetchone())
            other.commit()
        link = await asking
        accounts = await house.ledger.read(list_accounts)

    assert link is not None and "/enter/" in link
    assert [account.name for account in accounts] == ["owner"]


async def test_a_page_that_can_never_be_recorded_is_set_aside_and_the_rest_goes_on(
    anywhere, journey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In process and without workers, because what must not happen is done to our own pen."""
    anywhere.write_config(anywhere.source(anywhere.urls(4)))
    cursed = anywhere.paths(4)[1]

    async with anywhere.open() as house:
        pen = house.ledger.bookkeepers["prices"]
        write = pen.write

        def stumble(connection: Any, settled: Any) -> None:
            if any(cursed in each.lease.target.url for each in settled):
                raise ValueError("a record no table can hold")
            write(connection, settled)

        monkeypatch.setattr(pen, "write", stumble)
        run = await house.desk.plan(NewRun(app="prices", source_id="shop"))
        while (await house.ledger.run(run.id)).state is RunState.RUNNING:
            with suppress(ExceptionGroup):
                await journey.walk(house, run)
        words = await journey.words_of(house, run)
        await journey.prove(house)
        aside = await house.ledger.read(poisoned)
    status = await anywhere.limpet("status")

    assert sorted(words, key=str) == [("failed", "poison")] + [("succeeded", None)] * 3
    assert "a record no table can hold" in aside[0].details
    assert "1 job set aside" in status.out and f"targets recheck {aside[0].target_id}" in status.out


async def test_two_schedulers_at_once_fire_twenty_times_and_never_twice(coast, journey) -> None:
    """Both act as if they led, as after a pause in which the lead went over: the fire itself is the key."""
    coast.write_config(coast.source(coast.urls(2), extra='schedule = "0 * * * *"'))
    noon = datetime(2026, 3, 2, 12, 0, 30, tzinfo=UTC)

    async with coast.open() as one, coast.open() as other:
        desks = [await handing_over(house) for house in (one, other)]
        planned: list[int] = []
        for hour in range(20):
            both = [Timetable(desk).plan_due(noon + timedelta(hours=hour)) for desk in desks]
            found = [run.id for runs in await asyncio.gather(*both) for run in runs]
            planned.append(len(found))
            await one.ledger.finish_run(found[0], RunState.ABORTED)
        fires = [run.id for run in await one.ledger.runs()]
        await journey.prove(one)

    assert planned == [1] * 20
    assert len(fires) == 20


async def test_thousands_of_waiting_targets_do_not_keep_another_domain_waiting(coast) -> None:
    coast.write_config(*four_domains(coast, count=6)[:2])
    many = [f"{coast.urls(1, zone='reef.localhost')[0]}?page={number}" for number in range(WAITING)]
    room = {"LIMPET_MAX_PENDING_PER_ADAPTER": "20000", "LIMPET_MAX_PENDING_TOTAL": "20000"}
    coast.environment |= room

    async with coast.open() as house:
        reef = house.catalogue.get("reef")
        await house.ledger.put_targets([house.app("prices").make_target(reef, url) for url in many])
        desk = await handing_over(house)
        worker = await coast.start("worker", "--concurrency", "2")
        large = await desk.plan(NewRun(app="prices", source_id="reef", trigger=Trigger.UI))
        await coast.until(lambda: len(coast.visits(zone="reef.localhost")) >= 10)
        small = await desk.plan(NewRun(app="prices", source_id="cove", trigger=Trigger.SCHEDULE))
        run = await ended(house, small.id)
        left = (await house.ledger.run(large.id)).counts["pending"]
        worker.interrupt(signal.SIGTERM)
        said = await worker.ends()
        await house.ledger.finish_run(large.id, RunState.ABORTED)

    order = [visit.host.split(".")[1] for visit in coast.pool.log if visit.path.startswith("/product/")]
    span = order[order.index("cove") : len(order) - order[::-1].index("cove")]
    assert (large.planned, run.counts["succeeded"], said.code) == (WAITING + 6, 6, 0)
    assert left > WAITING / 2  # the small one did not wait for the large one
    assert span.count("reef") <= 3 * 6 + 10  # side by side, each by its own budget
