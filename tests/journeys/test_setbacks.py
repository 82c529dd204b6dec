"""A run nobody can walk: its reason is told once with what to do, and it is tried ever more rarely."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from structlog.testing import capture_logs

from limpet.clock import FrozenClock
from limpet.engine.service import Service
from limpet.engine.watcher import Silence
from limpet.observe.alert_sweep import sweep
from limpet.record.alerts import alive_of_kind
from limpet.record.entry import NewRun
from limpet.target.outcome import RunState

PATIENCE = 20


@asynccontextmanager
async def serving(house, clock):
    stop = house.desk.crew.stop
    service = Service(house.desk, house.apps, Silence(), clock, look_every_seconds=0.01)
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        group.create_task(service.serve(stop))
        try:
            yield
        finally:
            stop.set()


async def until(comes_true: Callable[[], Awaitable[object]]) -> None:
    while not await comes_true():
        await asyncio.sleep(0.01)


async def times(house, run, event_type: str) -> int:
    return sum(event.event_type == event_type for event in await house.ledger.events(run_id=run.id))


async def test_a_run_whose_source_is_gone_says_so_once_and_waits(shore) -> None:
    other = shore.source(shore.urls(1, zone="reef.localhost"), name="reef", zone="reef.localhost")
    shore.write_config(shore.source(shore.urls(2)), other)
    async with shore.open() as house:
        run = await house.desk.plan(NewRun(app="prices", source_id="shop"))
    shore.write_config(other)

    with capture_logs() as said:
        async with shore.open() as house:
            clock = FrozenClock(house.clock.now())
            async with serving(house, clock):
                await until(lambda: _is_told(said, "run_failed"))
                clock.advance(9)
                another = await house.desk.plan(NewRun(app="prices", source_id="reef"))
                await until(lambda: _has_ended(house, another))  # so the service looked again
                early = await times(house, run, "run_started")
                clock.advance(1)
                await until(lambda: _is_told(said, "run_still_stuck"))
            events = await house.ledger.events(run_id=run.id)
            await house.ledger.write(partial(sweep, now=house.clock.now()))
            (alert,) = await house.ledger.read(partial(alive_of_kind, kind="run_stuck"))

    (failed,) = [line for line in said if line["event"] == "run_failed"]
    (again,) = [line for line in said if line["event"] == "run_still_stuck"]
    assert early == 1
    assert failed["message"] == "There is no source 'shop'."
    assert (failed["again_in_seconds"], again["again_in_seconds"]) == (10, 20)
    assert [event.event_type for event in events].count("alert_run_stuck") == 1
    assert (alert.run_id, alert.title, alert.details) == (
        run.id,
        f"Run {run.id} cannot go on",
        failed["message"],
    )
    assert alert.fix.startswith("Put the source back into the config file") and f"/runs/{run.id}" in alert.fix


async def test_the_alert_ends_once_the_source_is_back_and_its_run_walked(shore) -> None:
    shore.write_config(shore.source(shore.urls(2)))
    async with shore.open() as house:
        run = await house.desk.plan(NewRun(app="prices", source_id="shop"))
        told = {"subject": f"run {run.id}", "details": "There is no source 'shop'."}
        await house.ledger.log_event("alert_run_stuck", run_id=run.id, payload=told)
        await house.ledger.write(partial(sweep, now=house.clock.now()))

    async with shore.open() as house:
        async with serving(house, house.clock):
            await until(lambda: _goes_on(house, run))
        await house.ledger.write(partial(sweep, now=house.clock.now()))
        alive = await house.ledger.read(partial(alive_of_kind, kind="run_stuck"))
        ended = await house.ledger.run(run.id)

    assert alive == []
    assert ended.state is RunState.COMPLETED


async def _is_told(said: list, event: str) -> bool:
    return any(line["event"] == event for line in said)


async def _has_ended(house, run) -> bool:
    return (await house.ledger.run(run.id)).state is not RunState.RUNNING


async def _goes_on(house, run) -> bool:
    return await times(house, run, "run_goes_on") == 1
