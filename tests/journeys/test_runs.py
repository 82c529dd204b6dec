"""Runs from plan to conclusion, in this process: what is recorded, what the origin saw, what is left."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from typing import Any

import pytest

from limpet.apps.prices.sites import tidepool_shop
from limpet.assembly import house as building
from limpet.engine.watcher import Silence
from limpet.extract.registry import SiteRegistry
from limpet.record.entry import NewRun
from limpet.target import JobState
from limpet.target.outcome import RunState

BREAKER = {"circuit_breaker_timeout_seconds": 0.05, "retry_base_delay_seconds": 0.0}


async def test_a_run_records_every_target_and_balances(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(12)))

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        await journey.prove(house)

    assert ended.state is RunState.COMPLETED
    assert ended.counts["succeeded"] == 12
    assert len(shore.visits()) == 12


async def test_a_stopped_run_goes_on_at_exactly_that_place(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(30)))

    async with shore.open() as house:
        stop = house.desk.crew.stop
        onlooker = journey.Onlooker(lambda count: stop.set() if count == 7 else None)
        stopped = await journey.plan_and_walk(house, onlooker)
        done = [job.id for job in await house.ledger.jobs(stopped.id, state=JobState.SUCCEEDED)]
        await journey.prove(house)
    async with shore.open() as house:
        ended = await journey.walk(house, stopped)
        still_done = [job.id for job in await house.ledger.jobs(stopped.id, state=JobState.SUCCEEDED)]
        await journey.prove(house)

    assert stopped.state is RunState.RUNNING
    assert 7 <= len(done) < 30
    assert stopped.counts["pending"] == 30 - len(done)
    assert ended.state is RunState.COMPLETED
    assert set(done) <= set(still_done) and len(still_done) == 30
    assert sorted(visit.path for visit in shore.visits()) == sorted(shore.paths(30))


async def test_a_stop_lets_the_request_on_the_wire_finish(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(5)))
    shore.pool.set_fault("shop", "latency", path="/product/*", seconds=0.3)

    async with shore.open() as house:
        walking = asyncio.create_task(journey.plan_and_walk(house))
        while not shore.visits():
            await asyncio.sleep(0.01)
        house.desk.crew.stop.set()
        stopped = await walking
        await journey.prove(house)

    assert (stopped.counts["succeeded"], stopped.counts["pending"]) == (1, 4)
    assert [visit.status for visit in shore.visits()] == [200]


async def test_only_so_many_targets_are_planned_as_asked_for(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(12)))

    async with shore.open() as house:
        run = await house.desk.plan(NewRun(app="prices", source_id=None), limit=5)
        ended = await journey.walk(house, run)

    assert (ended.planned, ended.counts["succeeded"]) == (5, 5)
    assert len(shore.visits()) == 5


# -- pages that have not changed ----------------------------------------------------------------------------


async def test_an_unchanged_page_is_not_sent_again_but_observed_again(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(3)))

    async with shore.open() as house:
        first = await journey.plan_and_walk(house)
        second = await journey.plan_and_walk(house)
        snapshots = [[job.snapshot for job in await house.ledger.jobs(run.id)] for run in (first, second)]
        observed = await house.ledger.read(
            lambda connection: connection.exec_driver_sql("SELECT count(*) FROM prices").scalar()
        )
        await journey.prove(house)

    assert [visit.status for visit in shore.visits()] == [200] * 3 + [304] * 3
    assert second.counts["succeeded"] == 3
    assert snapshots[0] == snapshots[1] and None not in snapshots[0]
    assert observed == 6


@pytest.mark.parametrize("harm", ["removed", "damaged"])
async def test_a_page_whose_copy_is_gone_is_fetched_whole(shore, journey, harm: str) -> None:
    shore.write_config(shore.source(shore.urls(2)))
    async with shore.open() as house:
        await journey.plan_and_walk(house)
    for pack in [path for path in (shore.data_dir / "snapshots").rglob("*") if path.is_file()]:
        if harm == "removed":
            pack.unlink()
        else:
            pack.write_bytes(b"\xff" * pack.stat().st_size)

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)

    assert ended.counts["succeeded"] == 2
    assert [visit.status for visit in shore.visits()][2:] == [304, 200, 304, 200]


async def test_a_changed_page_is_recorded_anew(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(6)))

    async with shore.open() as house:
        first = await journey.plan_and_walk(house)
        shore.pool.advance(50)
        second = await journey.plan_and_walk(house)
        was, became = [[job.snapshot for job in await house.ledger.jobs(run.id)] for run in (first, second)]

    assert second.counts["succeeded"] == 6
    changed = sum(visit.status == 200 for visit in shore.visits()[6:])
    assert changed == sum(before != after for before, after in zip(was, became, strict=True)) > 0


# -- robots -------------------------------------------------------------------------------------------------


async def test_what_robots_txt_forbids_is_dropped_and_never_asked_for(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(4)))
    shore.pool.set_fault("shop", "robots_deny_path")

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        words = await journey.words_of(house, ended)
        report = await house.ledger.politeness()
        await journey.prove(house)

    assert words == [("dropped", "blocked_by_robots_txt")] * 4
    assert [(each.domain, each.requests) for each in report] == [("shop.tidepool.localhost", 1)]
    assert [(use.verdict, use.requests, bool(use.body_sha256)) for use in report[0].robots] == [
        ("disallowed", 4, True),
        ("not_asked", 1, False),
    ]
    assert [visit.path for visit in shore.pool.log] == ["/robots.txt"]


async def test_a_site_whose_robots_txt_cannot_be_read_is_not_visited(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(4)))
    shore.pool.set_fault("shop", "robots_403")

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        words = await journey.words_of(house, ended)

    assert words == [("failed", "robots_blocked")] * 3 + [("skipped", "source_disabled")]
    assert ended.state is RunState.FAILED
    assert [visit.path for visit in shore.pool.log] == ["/robots.txt"]


async def test_a_crawl_delay_is_kept(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(3)))
    shore.pool.set_fault("shop", "robots_crawl_delay", seconds=1)

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)

    pages = [visit.arrived_monotonic for visit in shore.visits()]
    assert ended.counts["succeeded"] == 3
    assert all(later - earlier >= 1.0 for earlier, later in itertools.pairwise(pages))


# -- sites in trouble ---------------------------------------------------------------------------------------


async def test_a_failing_site_is_left_alone_and_the_rest_skipped(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(40)))
    shore.pool.set_fault("shop", "server_error_500")
    onlooker = journey.Onlooker()

    async with shore.open(**BREAKER) as house:
        ended = await journey.plan_and_walk(house, onlooker)
        reasons = await house.ledger.reasons(ended.id)
        await journey.prove(house)

    assert reasons["skipped: gate.breaker"] == ended.counts["skipped"] > 30
    assert ended.counts["failed"] + ended.counts["skipped"] == 40
    assert len(onlooker.rests) == 4
    assert len(shore.visits()) == 5 + 3  # five to open the breaker, one probe after each rest


async def test_a_site_that_recovers_is_walked_to_the_end(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(20)))
    shore.pool.set_fault("shop", "server_error_500", times=6)

    async with shore.open(**BREAKER) as house:
        ended = await journey.plan_and_walk(house)
        await journey.prove(house)

    assert ended.counts["skipped"] == 0
    assert ended.counts["succeeded"] >= 18


async def test_a_site_in_trouble_does_not_hold_up_another(shore, journey) -> None:
    reef = {"name": "reef", "zone": "reef.localhost"}
    shore.write_config(
        shore.source(shore.urls(4)), shore.source(shore.urls(10, zone="reef.localhost"), **reef)
    )
    shore.pool.set_fault(
        "shop", "rate_limited_seconds", host="shop.tidepool.localhost", times=1, retry_after=2
    )

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)

    limited, *later = shore.visits()
    reef_pages = shore.visits(zone="reef.localhost")
    assert ended.counts["succeeded"] == 14
    assert limited.status == 429
    assert later[0].arrived_monotonic - limited.finished_monotonic >= 2.0
    assert max(visit.finished_monotonic for visit in reef_pages) < later[0].arrived_monotonic


@pytest.mark.parametrize("fault", ["rate_limited_date", "unavailable_seconds", "unavailable_date"])
async def test_a_retry_after_is_waited_for_however_it_is_written(shore, journey, fault: str) -> None:
    shore.write_config(shore.source(shore.urls(3)))
    shore.pool.set_fault("shop", fault, path="/product/*", times=1, retry_after=1)

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        told = (await house.ledger.politeness())[0]
        attempts = [len(await house.ledger.attempts(job.id)) for job in await house.ledger.jobs(ended.id)]

    limited, *later = shore.visits()
    assert ended.counts["succeeded"] == 3
    assert attempts == [2, 1, 1]
    assert later[0].arrived_monotonic - limited.finished_monotonic >= 1.0
    assert (told.retry_after_asked, told.retry_after_honoured, told.retry_after_violated) == (1, 1, 0)


async def test_requests_on_the_wire_are_bounded_over_all_domains(shore, journey) -> None:
    zones = [f"{name}.localhost" for name in ("reef", "cove", "bay", "dune", "cape", "isle")]
    shore.write_config(
        *[shore.source(shore.urls(4, zone=zone), name=zone, zone=zone) for zone in zones],
    )
    shore.pool.set_fault("shop", "latency", seconds=0.03)

    async with shore.open(requests_at_once=2) as house:
        ended = await journey.plan_and_walk(house)

    assert ended.counts["succeeded"] == 24
    assert most_at_once(shore.pool.log) == 2


def most_at_once(visits: list[Any]) -> int:
    moments = [(visit.arrived_monotonic, 1) for visit in visits]
    moments += [(visit.finished_monotonic, -1) for visit in visits]
    return max(itertools.accumulate(step for _, step in sorted(moments)))


# -- pages that go wrong ------------------------------------------------------------------------------------


async def test_a_product_found_twice_is_counted_once(shore, journey) -> None:
    one, two = shore.urls(2)
    shore.write_config(shore.source([one, two, f"{one}?again=1", f"{one}?again=2"]))

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        words = await journey.words_of(house, ended)
        await journey.prove(house)

    assert words == [("succeeded", None)] * 2 + [("dropped", "duplicate_within_run")] * 2


async def test_a_resumed_run_remembers_which_products_it_has(shore, journey) -> None:
    one, two = shore.urls(2)
    shore.write_config(shore.source([one, two, f"{one}?again=1"]))

    async with shore.open() as house:
        stop = house.desk.crew.stop
        stopped = await journey.plan_and_walk(house, journey.Onlooker(lambda count: stop.set()))
    async with shore.open() as house:
        ended = await journey.walk(house, stopped)
        words = await journey.words_of(house, ended)
        await journey.prove(house)

    assert words == [("succeeded", None)] * 2 + [("dropped", "duplicate_within_run")]


class Crashing:
    """A page model that cannot stand one of its pages."""

    def __init__(self, model: Any, bad: str) -> None:
        self._model, self._bad = model, bad

    def read(self, page: Any, target: Any) -> Any:
        if target.url == self._bad:
            raise ZeroDivisionError("the adapter trips")
        return self._model.read(page, target)


def with_site(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Let the shop be read by another adapter."""
    site = replace(tidepool_shop.SITE, **changes)
    monkeypatch.setattr(building, "all_sites", lambda *_: SiteRegistry([site]))


async def test_an_adapter_that_crashes_on_one_page_does_not_end_the_run(shore, journey, monkeypatch) -> None:
    urls = shore.urls(5)
    shore.write_config(shore.source(urls))
    with_site(monkeypatch, page_model=Crashing(tidepool_shop.SITE.page_model, urls[2]))

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        words = await journey.words_of(house, ended)
        bad = (await house.ledger.jobs(ended.id, state=JobState.FAILED))[0]
        await journey.prove(house)

    assert words == [("succeeded", None)] * 2 + [("failed", "adapter_error")] + [("succeeded", None)] * 2
    assert "the adapter trips" in (bad.details or "")
    assert bad.snapshot is not None  # the page it tripped over is kept


async def test_a_route_that_crashes_on_one_target_does_not_end_the_run(shore, journey, monkeypatch) -> None:
    urls = shore.urls(4)
    shore.write_config(shore.source(urls))

    async def route(way: Any, source: Any, target: Any) -> Any:
        if target.url == urls[1]:
            raise KeyError("next_page")
        return await way.get("no address" if target.url == urls[2] else target.url)

    with_site(monkeypatch, route=route)

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        words = await journey.words_of(house, ended)

    assert words == [
        ("succeeded", None),
        ("failed", "adapter_error"),
        ("failed", "refused"),
        ("succeeded", None),
    ]


async def test_several_may_find_a_run_done_and_its_end_is_told_once(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(3)))
    async with shore.open() as house:
        run = await journey.plan_and_walk(house)
        # Another worker, which had seen the last job end as well.
        await house.desk.walking.conclude(run, house.app("prices"), Silence())

        told = await house.ledger.events(run_id=run.id, event_type="run_ended")

    assert [event.payload["counts"]["succeeded"] for event in told] == [3]
