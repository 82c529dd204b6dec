"""A number is asked for by one run at a time, and what one run was told no other asks again: by the court's own log."""

from __future__ import annotations

import asyncio
import json
import signal
from collections import Counter

import pytest

from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.clashing import clashes
from limpet.apps.dockets.probing import ProbeWish
from limpet.engine.watcher import Silence
from limpet.errors import SourceBusy
from limpet.record.entry import NewRun

RANGE = ("run", "dockets", "--year", "25", "--start", "1", "--max-cases", "30")
SLOWLY = "requests_per_second = 20\nmin_delay_seconds = 0.05\njitter = 0"


async def plan(house, wish):
    return await house.desk.plan(NewRun("dockets", "fct", params=wish.to_params()))


async def resume(house, run):
    return await house.desk.walk(await house.ledger.run(run.id), house.app("dockets"), Silence())


async def test_a_killed_batch_is_gone_on_with_and_not_begun_beside_itself(court) -> None:
    court.write_config(pace=SLOWLY)
    walker = await court.start(*RANGE)
    await court.until(lambda: len(court.asked()) > 5)
    walker.interrupt(signal.SIGKILL)
    await walker.ends()
    before = court.asked()

    refused = await court.limpet(*RANGE)
    elsewhere = await court.limpet("run", "dockets", "--year", "24", "--max-cases", "2")
    after = court.asked()
    resumed = await court.limpet("resume")

    twice = [case for case, count in court.asked().items() if count > 1]
    assert refused.code != 0 and "limpet resume 1" in refused.err
    assert elsewhere.code == 0, elsewhere.err
    assert set(after) - set(before) == {"IMM-1-24", "IMM-2-24"}
    assert resumed.code == 0, resumed.err
    assert len(court.asked()) == 32
    assert len(twice) <= 1  # the one that was under way


async def test_of_two_processes_with_one_range_one_asks(court) -> None:
    court.write_config(pace=SLOWLY)

    both = [await court.start(*RANGE), await court.start(*RANGE)]
    said = [await one.ends() for one in both]

    assert sorted(each.code == 0 for each in said) == [False, True]
    assert any("there is one at a time over the same targets" in each.err for each in said)
    assert court.asked() == Counter({f"IMM-{number}-25": 1 for number in range(1, 31)})


async def test_what_a_forced_run_was_told_a_waiting_one_does_not_ask(court_anywhere, journey) -> None:
    court = court_anywhere
    async with court.open() as house:
        waiting = await plan(house, Batch(year=2025, start=1115, end=1124))
        await house.desk.walking.prepare(waiting, house.app("dockets"))
        await court.walk(house, year=2025, start=1118, end=1120, force=True)

        ended = await resume(house, waiting)

        await journey.prove(house)
    # The hole of twelve numbers begins with the 1118th.
    told = {word: count for word, count in ended.counts.items() if count}
    assert told == {"skipped": 3, "succeeded": 3, "no_record": 4}
    assert set(court.asked().values()) == {1}
    audits = [json.loads(path.read_text()) for path in court.output.glob("audit_*.json")]
    assert sorted(audit["total_attempted"] for audit in audits) == [3, 7]


async def test_a_forced_run_asks_for_what_was_answered_meanwhile(court) -> None:
    async with court.open() as house:
        forced = await plan(house, Batch(year=2025, start=1, end=3, force=True))
        await house.desk.walking.prepare(forced, house.app("dockets"))
        await court.walk(house, year=2025, start=1, end=3, force=True)

        await resume(house, forced)

    assert set(court.asked().values()) == {2}


async def test_a_probe_goes_on_with_what_another_run_was_told(court) -> None:
    async with court.open() as house:
        probing = await plan(house, ProbeWish("A", 2024))
        await house.desk.walking.prepare(probing, house.app("dockets"))
        await house.desk.walking.goes_on(probing, house.app("dockets"))  # its first question waits
        await court.walk(house, cases=("A-1-24", "A-2-24"), force=True)

        ended = await resume(house, probing)
        last = await court.rows(house, "SELECT upper_bound FROM docket_bounds")

    numbers = court.pool.site("registry").files.numbers.of_year("24", prefix="A")
    assert last == [(max(number.number for number in numbers),)]
    assert ended.counts["skipped"] == 1
    assert set(court.asked().values()) == {1}


async def test_a_second_probe_of_a_register_is_refused_and_one_of_another_is_not(court) -> None:
    async with court.open() as house:
        first = await plan(house, ProbeWish("A", 2024))

        with pytest.raises(SourceBusy) as refused:
            await plan(house, ProbeWish("A", 2024))
        others = await asyncio.gather(plan(house, ProbeWish("A", 2023)), plan(house, ProbeWish("T", 2024)))

    assert refused.value.run_id == first.id
    assert len(others) == 2


@pytest.mark.parametrize(
    ("mine", "theirs", "clash"),
    [
        (Batch(year=2025, start=1, end=10), Batch(year=2025, start=10, end=20), True),
        (Batch(year=2025, start=1, end=10), Batch(year=2025, start=11, end=20), False),
        (Batch(year=2025, start=1, end=10), Batch(year=2024, start=1, end=10), False),
        (Batch(year=2025, start=1, end=10), Batch(prefix="T", year=2025, start=1, end=10), False),
        (Batch(year=2025, start=1, end=10), Batch(cases=("IMM-7-25",)), True),
        (Batch(cases=("IMM-11-25",)), Batch(year=2025, start=1, end=10), False),
        (Batch(cases=("IMM-7-25", "T-1-25")), Batch(cases=("T-1-25",)), True),
        (Batch(cases=("IMM-7-25",)), ProbeWish("IMM", 2025), True),
        (ProbeWish("IMM", 2025), Batch(year=2025, start=1, end=10), True),
        (Batch(year=2025, start=1, end=10, force=True), Batch(year=2025, start=1, end=10), False),
        (Batch(year=2025, start=1, end=10), Batch(year=2025, start=1, end=10, force=True), True),
        (Batch(year=2025, documents=True), Batch(year=2025, start=1, end=10), False),
        (Batch(checkpoint="/a"), Batch(checkpoint="/a"), True),
        (Batch(checkpoint="/a"), Batch(checkpoint="/b"), False),
        (Batch(), Batch(year=2025, start=1, end=10), False),
        (Batch(), Batch(), False),
    ],
)
def test_runs_clash_when_they_would_ask_for_the_same_number(mine, theirs, clash: bool) -> None:
    assert clashes(mine.to_params(), theirs.to_params()) is clash
