"""What all workers lean on goes away, again and again: nothing is lost, nothing twice, and no domain is hurried."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from limpet.cli.scaling import handing_over
from limpet.errors import LimpetError
from limpet.record.entry import NewRun
from limpet.target.outcome import RunState, Trigger

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.timeout(0),
    pytest.mark.skipif("SOAK_OUTAGES" not in os.environ, reason="a long one: SOAK_OUTAGES=1 or make soak"),
]
CRASHES = int(os.environ.get("SOAK_OUTAGES", "1"))
ZONES = ("reef", "cove", "quay", "pier")
SPACING = 0.2
PACE = f"requests_per_second = {1 / SPACING}\nmin_delay_seconds = {SPACING}\njitter = 0"
EACH = 25 * CRASHES


async def standing(house: Any, run_id: int) -> Any:
    """Ask until somebody answers: the database may be away just now."""
    while True:
        try:
            return await house.ledger.run(run_id)
        except LimpetError:
            await asyncio.sleep(0.2)


def has_seen(shore: Any, visits: int) -> bool:
    return sum(len(shore.visits(zone=f"{zone}.localhost")) for zone in ZONES) >= visits


@pytest.mark.parametrize("victim", ["own_redis", "own_postgres"])
async def test_an_outage_loses_nothing_and_hurries_nobody(shore, journey, request, victim: str) -> None:
    shore.environment |= {
        "LIMPET_DATABASE_URL": request.getfixturevalue("own_postgres").url,
        "LIMPET_REDIS_URL": request.getfixturevalue("own_redis").url,
        "LIMPET_LEASE_SECONDS": "10",
        "LIMPET_SILENCE_SECONDS": "3",
        "LIMPET_CIRCUIT_BREAKER_TIMEOUT_SECONDS": "1",
    }
    server, products = request.getfixturevalue(victim), min(EACH, 60)
    shore.write_config(
        *(
            shore.source(
                shore.urls(products, zone=f"{zone}.localhost"), name=zone, zone=f"{zone}.localhost", pace=PACE
            )
            for zone in ZONES
        )
    )

    async with shore.open() as house:
        desk = await handing_over(house)
        workers = [await shore.start("worker") for _ in range(2)]
        planned = await desk.plan(NewRun(app="prices", source_id=None, trigger=Trigger.UI))
        for number in range(CRASHES):
            await shore.until(partial(has_seen, shore, min(12 * (number + 1), len(ZONES) * products - 8)))
            await asyncio.to_thread(server.crash_and_return)
        async with asyncio.timeout(300):
            while (run := await standing(house, planned.id)).state is RunState.RUNNING:
                await asyncio.sleep(0.2)
        for worker in workers:
            worker.interrupt(signal.SIGTERM)
        said = [await worker.ends() for worker in workers]
        await journey.prove(house)

    assert (run.state, run.counts["succeeded"]) == (RunState.COMPLETED, len(ZONES) * products)
    assert [each.code for each in said] == [0, 0], said
    for zone in ZONES:
        visits = shore.visits(zone=f"{zone}.localhost")
        gaps = [later.arrived_monotonic - earlier.arrived_monotonic for earlier, later in pairwise(visits)]
        assert {visit.path for visit in visits} == set(shore.paths(products))
        assert min(gaps) >= SPACING
