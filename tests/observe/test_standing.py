"""Clocks, tallies and figures, read from a real ledger."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from limpet.clock import FrozenClock
from limpet.observe.freshness import Clocks, lanes_of, read_clocks
from limpet.observe.growing import summed
from limpet.observe.job_counts import JobCounter
from limpet.observe.metrics import FigureReader, render_metrics
from limpet.observe.standing import Surveyor, gate_of
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import JobState, Outcome

GOOD = (Outcome.SUCCEEDED, None)
BAD = (Outcome.FAILED, "timeout")


def test_lanes_are_the_registrable_domains_of_the_hosts(source: Source) -> None:
    assert lanes_of(source) == ("shop.test", "cdn.test")


def test_unapproved_source_has_a_shut_gate_with_its_fix() -> None:
    gate = gate_of(Source(id="new", app="prices", site="woo", hosts=("new.test",)))

    assert not gate.is_open
    assert "approved" in gate.reason and "approved_by" in gate.fix


async def test_source_never_asked_has_no_clocks(ledger: Ledger, source: Source) -> None:
    clocks = await ledger.read(partial(read_clocks, sources=[source]))

    assert clocks == {"shop": Clocks()}


async def test_three_clocks_part_company(
    ledger: Ledger, source: Source, clock: FrozenClock, run_once: Callable[..., Any]
) -> None:
    await run_once(GOOD)
    changed_at = clock.now()
    await run_once(GOOD)
    fetched_at = clock.now()
    await run_once(BAD)

    (standing,) = await ledger.read(partial(Surveyor().survey, sources=[source]))
    clocks = standing.clocks

    assert clocks == Clocks(clock.now(), fetched_at, changed_at)
    assert clocks.fetch_age_seconds(clock.now()) == 60


async def test_change_is_noticed_by_one_who_looked_before(
    ledger: Ledger, source: Source, clock: FrozenClock, run_once: Callable[..., Any]
) -> None:
    surveyor = Surveyor()
    await run_once(GOOD, bodies="old")
    await ledger.read(partial(surveyor.survey, sources=[source]))
    await run_once(GOOD, bodies="new")
    changed_at = clock.now()
    await run_once(GOOD, bodies="new")

    (standing,) = await ledger.read(partial(surveyor.survey, sources=[source]))

    assert standing.clocks.last_change_at == changed_at


async def test_jobs_are_counted_truly_while_runs_come_and_go(
    ledger: Ledger, run_once: Callable[..., Any]
) -> None:
    counter = JobCounter()
    first = await run_once(GOOD, BAD)
    seen = [await ledger.read(counter.count)]
    await run_once(GOOD)
    seen.append(await ledger.read(counter.count))
    await ledger.reopen_run(first.id)
    seen.append(await ledger.read(counter.count))
    await ledger.finish_run(first.id, first.state)

    seen.append(await ledger.read(counter.count))
    fresh = await ledger.read(JobCounter().count)

    by_state = [summed(counts, lambda ended: (ended.app, ended.state)) for counts in seen]
    assert [counts["prices", "succeeded"] for counts in by_state] == [1, 2, 2, 2]
    assert seen[-1] == fresh


async def test_survey_counts_the_latest_two_runs(
    ledger: Ledger, source: Source, run_once: Callable[..., Any]
) -> None:
    await run_once(BAD)
    await run_once(GOOD, BAD, for_app=True)
    await run_once(GOOD, GOOD, (Outcome.DROPPED, "oos_no_price"))

    (standing,) = await ledger.read(partial(Surveyor().survey, sources=[source]))

    assert [run.run_id for run in standing.recent] == [3, 2]
    assert (standing.recent[0].tried, standing.recent[0].troubled, standing.recent[0].answered) == (2, 0, 2)
    assert standing.recent[1].count(JobState.FAILED) == 1
    assert standing.targets == 3


async def test_reopened_run_is_counted_anew(
    ledger: Ledger, source: Source, clock: FrozenClock, run_once: Callable[..., Any]
) -> None:
    surveyor = Surveyor()
    run = await run_once(GOOD)
    await ledger.read(partial(surveyor.survey, sources=[source]))
    await ledger.reopen_run(run.id)

    (while_open,) = await ledger.read(partial(surveyor.survey, sources=[source]))
    clock.advance(5)
    await ledger.finish_run(run.id, run.state)
    (standing,) = await ledger.read(partial(surveyor.survey, sources=[source]))

    assert while_open.recent == []
    assert standing.recent[0].ended_at == clock.now()


async def test_metrics_are_derived_and_complete(
    ledger: Ledger, source: Source, clock: FrozenClock, run_once: Callable[..., Any]
) -> None:
    await run_once(GOOD, GOOD, BAD)
    clock.advance(30)

    figures = await ledger.read(partial(FigureReader().read, sources=[source]))
    text = render_metrics(figures, now=clock.now(), uptime_seconds=1.5).decode()

    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["limpet_jobs_total", "prices", "succeeded"] == 2
    assert samples["limpet_jobs_total", "prices", "quarantined"] == 0
    assert samples["limpet_open_jobs", "prices", "pending"] == 0
    assert samples["limpet_runs", "prices", "completed"] == 1
    assert samples["limpet_last_fetch_age_seconds", "shop"] == 90
    assert samples["limpet_oldest_fetch_age_seconds", "shop"] == 150
    assert samples[("limpet_uptime_seconds",)] == 1.5
