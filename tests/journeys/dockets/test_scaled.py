"""A batch walked by a worker of the many: its account is kept all the same."""

from __future__ import annotations

import asyncio
import signal
from functools import partial

import pytest

from limpet.apps.dockets.account.checkpoint_file import load_checkpoint
from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.bounds import last_probe
from limpet.apps.dockets.probing import ProbeWish
from limpet.apps.dockets.upper_bound import ProbeTerms, Search
from limpet.cli.scaling import handing_over
from limpet.record.entry import NewRun
from limpet.target.outcome import RunState, Trigger

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


async def test_a_worker_looks_for_the_end_of_a_year(court, request) -> None:
    court.environment["LIMPET_DATABASE_URL"] = request.getfixturevalue("migrated_postgres_url")
    court.environment["LIMPET_REDIS_URL"] = request.getfixturevalue("redis_url")

    async with court.open() as house:
        desk = await handing_over(house)
        worker = await court.start("worker")
        wish = ProbeWish("A", 2024, ProbeTerms(window=40, stride=7, close=3, reach=0))
        planned = await desk.plan(NewRun("dockets", "fct", trigger=Trigger.UI, params=wish.to_params()))
        async with asyncio.timeout(120):
            while (run := await house.ledger.run(planned.id)).state is RunState.RUNNING:
                await asyncio.sleep(0.1)
        worker.interrupt(signal.SIGTERM)
        await worker.ends()
        found = await house.ledger.read(partial(last_probe, register=wish.register_at("fct")))

    numbers = court.pool.site("registry").files.numbers
    there = {number.number for number in numbers.of_year("24", prefix="A")}

    async def ask(number: int) -> bool:
        return number in there

    alone = await Search(ask, wish.terms).run()
    assert run.state is RunState.COMPLETED
    assert (found.number, found.probes) == (alone.number, alone.probes)
    assert found.probes == run.planned == len(court.asked())
    assert set(court.asked().values()) == {1}


async def test_a_worker_keeps_the_account_of_the_batch_it_walks(court, journey, request) -> None:
    court.environment["LIMPET_DATABASE_URL"] = request.getfixturevalue("migrated_postgres_url")
    court.environment["LIMPET_REDIS_URL"] = request.getfixturevalue("redis_url")

    async with court.open() as house:
        desk = await handing_over(house)
        worker = await court.start("worker")
        params = Batch(year=2025, start=1118, end=1137).to_params()
        planned = await desk.plan(NewRun(app="dockets", source_id="fct", trigger=Trigger.UI, params=params))
        async with asyncio.timeout(60):
            while (run := await house.ledger.run(planned.id)).state is RunState.RUNNING:
                await asyncio.sleep(0.1)
        worker.interrupt(signal.SIGTERM)
        said = await worker.ends()
        await journey.prove(house)

    (folder,) = (court.output / "checkpoints").iterdir()
    audit = court.audit()
    assert said.code == 0, said.err
    assert run.state is RunState.COMPLETED
    assert load_checkpoint(folder).cursor.last_job_index == 19
    assert (audit["state"], audit["total_attempted"], audit["no_record_count"]) == ("completed", 20, 12)
    assert len(court.attempts()) == 20
