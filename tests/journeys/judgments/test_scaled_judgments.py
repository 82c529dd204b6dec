"""The court under workers on Postgres and Redis: one reads the index, a killed one is inherited, PDFs come once."""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from typing import Any, get_args

import pytest

from limpet.apps.judgments.browsing import figures_by_source, listed_cases
from limpet.apps.judgments.case_filter import CaseFilter, State
from limpet.apps.judgments.case_story import story_of
from limpet.cli.scaling import handing_over
from limpet.record.entry import NewRun
from limpet.target.outcome import Mode, RunState, Trigger

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
SOURCE = "unreported_judgments"
STEADY = "requests_per_second = 40\nmin_delay_seconds = 0.025\njitter = 0"


@pytest.fixture
def scaled(courthouse: Any, request: pytest.FixtureRequest) -> Any:
    """The courthouse on a shared database and a shared pace, with short leases."""
    environment = courthouse.shore.environment
    environment["LIMPET_DATABASE_URL"] = request.getfixturevalue("migrated_postgres_url")
    environment["LIMPET_REDIS_URL"] = request.getfixturevalue("redis_url")
    environment["LIMPET_LEASE_SECONDS"] = "10"
    environment["LIMPET_SILENCE_SECONDS"] = "3"
    courthouse.write_config(courthouse.source(pace=STEADY))
    return courthouse


async def ended(house: Any, run_id: int) -> Any:
    async with asyncio.timeout(90):
        while (run := await house.ledger.run(run_id)).state is RunState.RUNNING:
            await asyncio.sleep(0.1)
    return run


async def plan(desk: Any, mode: Mode) -> Any:
    return await desk.plan(NewRun("judgments", SOURCE, trigger=Trigger.UI, mode=mode))


@pytest.mark.parametrize("cases", [40], indirect=True)
async def test_workers_archive_the_court_and_inherit_from_one_that_was_killed(
    scaled, archive, journey
) -> None:
    async with scaled.open() as house:
        desk = await handing_over(house)
        victim = await scaled.shore.start("worker")
        full = await plan(desk, Mode.FULL)
        await scaled.shore.until(lambda: len(scaled.downloads()) >= 8)
        victim.interrupt(signal.SIGKILL)
        heirs = [await scaled.shore.start("worker") for _ in range(2)]
        first = await ended(house, full.id)
        wanted = scaled.wanted()
        scaled.court.move(add=5, change=2, remove=1)
        second = await ended(house, (await plan(desk, Mode.NEW)).id)
        for heir in heirs:
            heir.interrupt(signal.SIGTERM)
        said = [await heir.ends() for heir in heirs]
        stored = await archive.archived(house)
        standing = await standings(house)
        await journey.prove(house)

    assert [each.code for each in said] == [0, 0], said
    assert (first.state, first.counts["succeeded"]) == (RunState.COMPLETED, len(wanted))
    assert (second.planned, second.counts["succeeded"]) == (5, 5)
    assert stored == wanted | scaled.wanted()
    assert sum(scaled.downloads().values()) <= len(stored) + 1  # at most what was on the wire came again
    assert standing == {
        "stored": len(stored),
        "waiting": 0,
        "failed": 0,
        "criminal": len(scaled.court.published()) + 1 - len(stored),
        "removed": 1,
    }


async def standings(house: Any) -> dict[str, int]:
    """How many cases Postgres lists by each state; one of them is leafed to and told in full."""
    found: dict[str, list[Any]] = {}
    for state in get_args(State):
        look = partial(listed_cases, wanted=CaseFilter(source_id=SOURCE, state=state), limit=500)
        found[state] = await house.ledger.read(look)
    first, second = (each.case for each in found["stored"][:2])
    search = CaseFilter(search=second.action_token_raw.lower())
    after_first = partial(listed_cases, wanted=search, after=first.id, limit=5)
    assert [each.case.id for each in await house.ledger.read(after_first)] == [second.id]
    story = await house.ledger.read(partial(story_of, case_id=second.id))
    assert story is not None and len(story.files) == 1
    figures = (await house.ledger.read(figures_by_source))[SOURCE]
    assert (figures.stored, figures.removed) == (len(found["stored"]), len(found["removed"]))
    return {state: len(cases) for state, cases in found.items()}
