"""How far a year goes: found through the whole corridor, remembered, and never paid for twice."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tidepool import Tidepool

LIST = "/CourtFilesAndDecisions/proceedingQueriesCourtNumberList"
FILES = 5_600


@pytest.fixture
async def registry(shore) -> AsyncIterator[Tidepool]:
    """A court with a year of 5,600 numbers and its holes, in the shore's config."""
    async with Tidepool(files=FILES) as pool:
        shore.write_config(
            '[[sources]]\nid = "court"\napp = "dockets"\nsite = "federal_court"\n'
            'hosts = ["registry.tidepool.localhost"]\nhttp_only = true\nallow_private_addresses = true\n'
            f'base_url = "{pool.url("registry", "")}"\n'
            '[sources.terms]\nreviewed_at = 2026-01-01\napproved_by = "the tests"\n'
            "[sources.pace]\nrequests_per_second = 0\nmin_delay_seconds = 0\njitter = 0\n"
        )
        yield pool


def asked(pool: Tidepool) -> Counter[str]:
    """How often the origin was asked for each number."""
    queries = (visit.query for visit in pool.log if visit.path == LIST)
    return Counter(query.split("courtnumber=")[1].split("&")[0] for query in queries)


async def test_a_year_is_measured_exactly_and_within_the_budget(shore, registry: Tidepool) -> None:
    said = await shore.limpet("dockets", "probe", "--year", "25", "--json")

    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert (told["upper_bound"], told["is_proven"]) == (FILES, True)
    assert told["probes"] == len(asked(registry)) <= 200
    assert set(asked(registry).values()) == {1}


async def test_the_answer_is_remembered_and_probes_are_work_done(shore, registry: Tidepool) -> None:
    await shore.limpet("dockets", "probe", "--year", "25")
    probed = asked(registry)
    registry.access_log.clear()

    again = await shore.limpet("dockets", "probe", "--year", "25")
    anew = await shore.limpet("dockets", "probe", "--year", "25", "--again", "--json")
    ran = await shore.limpet("run", "dockets", "--year", "25", "--start", "5500")
    proof = await shore.limpet("verify")

    assert "IMM-5600-25" in again.out
    assert "--again" in again.out
    assert json.loads(anew.out)["probes"] == 0
    assert ran.code == 0, ran.out + ran.err
    wanted = {f"IMM-{number}-25" for number in range(5_500, FILES + 1)}
    assert set(asked(registry)) == wanted - set(probed)
    assert proof.code == 0, proof.out


async def test_a_spent_budget_proves_nothing_and_the_next_probe_goes_on(shore, registry: Tidepool) -> None:
    first = await shore.limpet("dockets", "probe", "--year", "25", "--budget", "40")
    rest = await shore.limpet("dockets", "probe", "--year", "25", "--json")

    assert first.code == 1
    assert "at least" in first.out
    assert json.loads(rest.out)["upper_bound"] == FILES
    assert set(asked(registry).values()) == {1}


async def test_a_probe_that_was_killed_is_resumed_and_asks_nothing_twice(shore, registry: Tidepool) -> None:
    probe = await shore.start("dockets", "probe", "--year", "25")
    await shore.until(lambda: len(asked(registry)) > 20)
    probe.interrupt(signal.SIGKILL)
    await probe.ends()
    before = set(asked(registry))

    resumed = await shore.limpet("resume")
    told = await shore.limpet("dockets", "probe", "--year", "25")

    twice = [number for number, count in asked(registry).items() if count > 1]
    assert resumed.code == 0, resumed.err
    assert f"IMM-{FILES}-25" in told.out and "--again" in told.out
    assert len(before) < len(asked(registry)) <= 200
    assert len(twice) <= 1  # the one that was under way


async def test_a_probe_that_cannot_be_asked_stops_and_says_why(shore, registry: Tidepool) -> None:
    registry.set_fault("registry", "forbidden_403", path=f"{LIST}?*IMM-64-25*")

    broken = await shore.limpet("dockets", "probe", "--year", "25")
    registry.clear_faults()
    await shore.limpet("sources", "enable", "court", "--reason", "the court lets us in again")
    whole = await shore.limpet("dockets", "probe", "--year", "25")

    assert broken.code == 1
    assert "IMM-64-25" in broken.err
    assert whole.code == 0, whole.err
    assert [count for number, count in asked(registry).items() if number != "IMM-64-25" and count > 1] == []


async def test_a_year_that_grows_is_measured_anew_and_nothing_new_is_taken_for_absent(
    shore, registry: Tidepool
) -> None:
    before = await shore.limpet("dockets", "probe", "--year", "60", "--json")
    registry.advance(20)

    too_soon = await shore.limpet("dockets", "probe", "--year", "60", "--json")
    anew = await shore.limpet("dockets", "probe", "--year", "60", "--json", "--again")
    ran = await shore.limpet("run", "dockets", "--year", "60", "--start", "400")
    gaps = await shore.limpet("gaps", "dockets", "--year", "60", "--json")

    bounds = [json.loads(said.out)["upper_bound"] for said in (before, too_soon, anew)]
    assert bounds == [412, 412, 472]
    assert ran.code == 0, ran.err
    [register] = json.loads(gaps.out)
    absent = {number for first, last in register["absent"] for number in range(first, last + 1)}
    assert {number for number in absent if number > 403} == {411}


@pytest.mark.parametrize("words", [("--year", "x"), ("--year", "25", "--window", "3"), ()])
async def test_a_request_that_cannot_be_is_one_sentence(shore, registry: Tidepool, words: tuple[str]) -> None:
    said = await shore.limpet("dockets", "probe", *words)

    assert said.code == 2
    assert asked(registry) == Counter()


async def test_holes_are_reported_with_how_they_are_known(shore, registry: Tidepool, tmp_path: Path) -> None:
    await shore.limpet("dockets", "probe", "--year", "25", "--budget", "400")
    hole = registry.site("registry").files.numbers.holes("25")[1]  # type: ignore[attr-defined]
    start, count = hole[0] - 5, len(hole) + 10
    await shore.limpet("run", "dockets", "--year", "25", "--start", str(start), "--max-cases", str(count))

    said = await shore.limpet("gaps", "dockets", "--year", "25")
    told = json.loads((await shore.limpet("gaps", "dockets", "--json")).out)

    assert f"{hole[0]}-{hole[-1]}" in said.out
    [register] = told
    assert [hole[0], hole[-1]] in register["absent"]
    assert register["upper_bound"] == FILES
    assert register["succeeded"] + register["no_record"] + register["failed"] + register["unasked"] == FILES
    assert "limpet run dockets --year 25" in register["backfill"]
