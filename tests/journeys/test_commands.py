"""The real commands in processes of their own: interrupted, side by side, and started again."""

from __future__ import annotations

import asyncio
import itertools
import json
import signal
import subprocess
import sys
from collections import Counter

from limpet.record.entry import NewRun
from limpet.target.outcome import RunState

SLOWLY = "requests_per_second = 20\nmin_delay_seconds = 0.05\njitter = 0"


def fetched(shore) -> Counter[str]:
    return Counter(visit.path for visit in shore.visits())


# -- interrupted --------------------------------------------------------------------------------------------


async def test_ctrl_c_stops_in_good_order_and_resume_goes_on_there(anywhere, journey) -> None:
    shore = anywhere
    shore.write_config(shore.source(shore.urls(25), pace=SLOWLY))

    running = await shore.start("run", "prices")
    await shore.until(lambda: len(shore.visits()) >= 3)
    running.interrupt()
    stopped = await running.ends()
    seen_before = len(shore.visits())
    resumed = await shore.limpet("resume")

    assert stopped.code == 130
    assert "Go on with: limpet resume 1" in stopped.out
    assert 3 <= seen_before < 25
    assert resumed.code == 0, resumed.out + resumed.err
    assert set(fetched(shore).values()) == {1} and len(fetched(shore)) == 25
    async with shore.open() as house:
        await journey.prove(house)


async def test_a_second_ctrl_c_ends_at_once_and_nothing_is_lost(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(8)))
    shore.pool.set_fault("shop", "never_answers", path=shore.paths(8)[4], times=1)

    running = await shore.start("run", "prices")
    await shore.until(lambda: len(shore.visits()) >= 5)
    running.interrupt()
    running.interrupt(signal.SIGTERM)  # a second SIGINT in the same instant would be merged with the first
    ended = await running.ends()
    resumed = await shore.limpet("resume")

    assert ended.code == 130
    assert "Go on with: limpet resume 1" in ended.out
    assert "unexpected" not in ended.err and "Traceback" not in ended.err
    assert resumed.code == 0, resumed.out + resumed.err
    again = fetched(shore)
    assert again.pop(shore.paths(8)[4]) == 2
    assert set(again.values()) == {1} and len(again) == 7
    async with shore.open() as house:
        await journey.prove(house)


# -- asked for something less -------------------------------------------------------------------------------


async def test_a_dry_run_asks_nobody_and_records_nothing(shore) -> None:
    shore.write_config(shore.source(shore.urls(7)))

    said = await shore.limpet("run", "prices", "--dry-run")
    async with shore.open() as house:
        runs = await house.ledger.runs()

    assert said.code == 0
    assert "shop.tidepool.localhost" in said.out and " 7 " in said.out
    assert shore.pool.log == [] and runs == []


async def test_a_source_nobody_approved_is_refused_before_anything_is_planned(shore) -> None:
    shore.write_config(shore.source(shore.urls(2), terms='notes = "not read yet"'))

    said = await shore.limpet("run", "prices")
    async with shore.open() as house:
        runs = await house.ledger.runs()

    assert said.code == 2
    assert "shop" in said.err and "approved" in said.err and "Traceback" not in said.err
    assert shore.pool.log == [] and runs == []


async def test_a_run_with_failures_ends_with_another_code(shore) -> None:
    shore.write_config(shore.source(shore.urls(4)))
    shore.pool.set_fault("shop", "gone_410", path=shore.paths(1)[0])

    said = await shore.limpet("run", "prices", "--limit", "3")

    assert said.code == 1
    assert "failed" in said.out and "planned" in said.out
    assert len(shore.visits()) == 3


# -- side by side -------------------------------------------------------------------------------------------


async def test_two_processes_share_one_pace_and_never_one_run(shore, journey) -> None:
    urls = shore.urls(30)
    shore.write_config(
        shore.source(urls[:15], name="left", pace=SLOWLY), shore.source(urls[15:], name="right", pace=SLOWLY)
    )

    left, right = await asyncio.gather(
        shore.start("run", "prices", "--source", "left"), shore.start("run", "prices", "--source", "right")
    )
    number = (await left.says(r"run (\d+) prices"))[1]
    busy = await shore.limpet("resume", number)
    ended = await asyncio.gather(left.ends(), right.ends())

    assert [said.code for said in ended] == [0, 0]
    assert busy.code != 0 and f"Run {number} is" in busy.err and "Traceback" not in busy.err
    assert set(fetched(shore).values()) == {1} and len(fetched(shore)) == 30
    arrivals = [visit.arrived_monotonic for visit in shore.pool.log]
    assert min(later - earlier for earlier, later in itertools.pairwise(arrivals)) >= 0.05
    assert max(visit.concurrent for visit in shore.pool.log) == 1
    async with shore.open() as house:
        await journey.prove(house)


async def test_a_retry_after_holds_every_process_back(anywhere) -> None:
    shore = anywhere
    urls = shore.urls(12)
    shore.write_config(shore.source(urls[:6], name="left"), shore.source(urls[6:], name="right"))
    shore.pool.set_fault("shop", "rate_limited_seconds", path="/product/*", times=1, retry_after=3)

    left = await shore.start("run", "prices", "--source", "left")
    await shore.until(lambda: any(visit.fault for visit in shore.visits()))
    right = await shore.start("run", "prices", "--source", "right")
    ended = await asyncio.gather(left.ends(), right.ends())
    report = await shore.limpet("politeness", "report", "--json")

    limited = next(visit for visit in shore.visits() if visit.fault)
    later = [visit for visit in shore.visits() if visit.arrived_monotonic > limited.arrived_monotonic]
    assert [said.code for said in ended] == [0, 0]
    assert min(visit.arrived_monotonic for visit in later) - limited.finished_monotonic >= 3.0
    assert len(later) == 12
    told = json.loads(report.out)
    assert report.code == 0
    assert [each["domain"] for each in told] == ["shop.tidepool.localhost"]
    assert (told[0]["retry_after_asked"], told[0]["retry_after_honoured"]) == (1, 1)


# -- the service --------------------------------------------------------------------------------------------


async def test_a_service_told_to_end_leaves_a_run_that_the_next_one_finishes(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(25), pace=SLOWLY))
    async with shore.open() as house:
        run = await house.desk.plan(NewRun(app="prices", source_id=None))

    first = await shore.start("serve", "--port", "0")
    await shore.until(lambda: len(shore.visits()) >= 3)
    first.interrupt(signal.SIGTERM)
    stopped = await first.ends()
    seen_before = len(shore.visits())
    second = await shore.start("serve", "--port", "0")
    async with shore.open() as house:
        while (ended := await house.ledger.run(run.id)).state is RunState.RUNNING:
            await asyncio.sleep(0.05)
        second.interrupt(signal.SIGTERM)
        finished = await second.ends()
        await journey.prove(house)

    assert (stopped.code, finished.code) == (0, 0), stopped.err + finished.err
    assert 3 <= seen_before < 25
    assert (ended.state, ended.counts["succeeded"]) == (RunState.COMPLETED, 25)
    assert set(fetched(shore).values()) == {1}


async def test_two_services_fire_each_schedule_once(anywhere, journey) -> None:
    shore = anywhere
    shore.write_config(shore.source(shore.urls(3), extra='schedule = "every 1s"'))

    services = [await shore.start("serve", "--port", "0") for _ in range(2)]
    await shore.until(lambda: len(shore.visits()) >= 9)
    for service in services:
        await service.says("The portal is at")
        service.interrupt(signal.SIGTERM)
    ended = await asyncio.gather(*(service.ends() for service in services))
    async with shore.open() as house:
        rows = await house.ledger.read(
            lambda connection: connection.exec_driver_sql("SELECT due_at, source_id FROM runs").fetchall()
        )
        await journey.prove(house)

    assert [said.code for said in ended] == [0, 0]
    assert len(rows) >= 3
    assert len({tuple(row) for row in rows}) == len(rows)


def test_the_demonstration_ends_by_itself_and_balances(tmp_path) -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-m",
            "limpet",
            "demo",
            "--seconds",
            "3",
            "--port",
            "0",
            "--data-dir",
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert said.returncode == 0, said.stdout + said.stderr
    assert "The portal is at" in said.stdout
    assert "The ledger balances." in said.stdout
