"""The promise of freshness: visits due, visits kept, and what is left of the error budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from limpet.clock import FrozenClock
from limpet.observe.metrics import FigureReader
from limpet.observe.promise import ErrorBudget, Visits, together
from limpet.observe.promise_book import PromiseBook
from limpet.observe.promise_page import PromisePage, Walk, hour_of
from limpet.observe.standing import Surveyor
from limpet.record.entry import NewRun
from limpet.record.ledger import Ledger
from limpet.source import Source
from limpet.target import Outcome, Target
from limpet.target.outcome import RunState, Trigger
from limpet.target.schedule import parse_schedule

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
GOOD, BAD = (Outcome.SUCCEEDED, None), (Outcome.FAILED, "timeout")
HOURLY = "every 1h"


def walk(hours: float, kept: int = 10, *, due: int = 10, schedule: str | None = HOURLY) -> Walk:
    due_at = NOON + timedelta(hours=hours)
    return Walk(due_at, due_at + timedelta(minutes=5), Visits(due, kept), schedule)


def page_of(*walks: Walk) -> PromisePage:
    page = PromisePage()
    for each in walks:
        page.enter(each)
    return page


def month(
    page: PromisePage, hours: float, *, schedule: str | None = None, answered: float | None = None
) -> Visits:
    under_way = None if answered is None else NOON + timedelta(hours=answered)
    return page.sums(NOON + timedelta(hours=hours), schedule=schedule, answered=under_way)["30d"]


def test_nothing_due_is_neither_kept_nor_broken() -> None:
    budget = ErrorBudget(0.95, {"30d": Visits()})

    assert budget.left is None and budget.burn("30d") is None and budget.burn("7d") is None


@pytest.mark.parametrize(
    ("kept", "left", "burn"), [(1_000, 1.0, 0.0), (975, 0.5, 0.5), (950, 0.0, 1.0), (900, -1.0, 2.0)]
)
def test_a_budget_is_spent_by_misses(kept: int, left: float, burn: float) -> None:
    budget = ErrorBudget(0.95, {"30d": Visits(1_000, kept)})

    assert budget.left == pytest.approx(left) and budget.burn("30d") == pytest.approx(burn)
    assert budget.misses_left == kept - 950


def test_several_sources_are_judged_as_one() -> None:
    one = ErrorBudget(0.9, {name: Visits(10, 10) for name in ("1d", "7d", "30d")}, NOON)
    other = ErrorBudget(0.9, {name: Visits(30, 20) for name in ("1d", "7d", "30d")}, NOON - timedelta(days=1))

    both = together([one, other])

    assert both.visits["7d"] == Visits(40, 30) and both.since == other.since


def test_runs_at_every_beat_miss_nothing_but_what_failed() -> None:
    assert month(page_of(walk(0), walk(1, 9), walk(2)), 2.5, schedule=HOURLY) == Visits(30, 29)


def test_a_beat_nobody_walked_misses_every_target() -> None:
    assert month(page_of(walk(0), walk(4)), 4.5, schedule=HOURLY) == Visits(20 + 3 * 10, 20)


def test_a_run_longer_than_its_beat_answers_the_beats_within() -> None:
    long = replace(walk(0), ended_at=NOON + timedelta(hours=2, minutes=30))

    assert month(page_of(long, walk(3)), 3.5, schedule=HOURLY) == Visits(20, 20)


def test_silence_since_the_last_run_counts_though_no_run_tells_of_it() -> None:
    page = page_of(walk(0))

    # The fire at 15:00 may still be about to be answered; those at 13:00 and 14:00 are not coming any more.
    assert month(page, 3.5, schedule=HOURLY) == Visits(30, 10)
    assert month(page, 3.5, schedule=HOURLY, answered=1) == Visits(10, 10)
    assert month(page, 3.5, schedule="not a schedule") == Visits(10, 10)


def test_a_gap_is_measured_by_the_schedule_of_its_time() -> None:
    daily_then_hourly = page_of(walk(0, schedule="@daily"), walk(23))
    before_schedules_were_kept = page_of(walk(0, schedule=None), walk(23))

    assert month(daily_then_hourly, 23.5, schedule=HOURLY) == Visits(30, 20)  # midnight was missed
    assert month(before_schedules_were_kept, 23.5, schedule=HOURLY) == Visits(20, 20)


def test_windows_look_no_further_back_than_they_say() -> None:
    page = page_of(walk(0, 0), walk(24 * 5, schedule=None))
    sums = page.sums(NOON + timedelta(days=5, minutes=10), schedule=None, answered=None)
    page.forget_before(NOON + timedelta(days=2))

    assert sums["1d"] == Visits(10 + 24 * 10, 10)
    assert sums["7d"] == Visits(20 + 119 * 10, 10)
    assert min(page.hours) >= NOON + timedelta(days=2) - timedelta(hours=1)


# -- from the ledger -------------------------------------------------------------------------------------------


async def budgets(ledger: Ledger, book: PromiseBook, source: Source, clock: FrozenClock, **more: Any) -> Any:
    look = partial(book.read, sources=[source], now=clock.now(), watched=more.get("watched", ()))
    return await ledger.read(look)


def latest_hour(clock: FrozenClock) -> datetime:
    return parse_schedule(HOURLY).last_fire(clock.now())


async def due_run(ledger: Ledger, clock: FrozenClock, source: Source, *urls: str) -> int:
    new = NewRun(
        "prices", "shop", trigger=Trigger.SCHEDULE, due_at=clock.now(), params={"schedule": source.schedule}
    )
    wanted = [Target("shop", url, url, "shop.test") for url in urls]
    return (await ledger.plan_run(new, wanted)).id


async def test_runs_that_answer_no_schedule_promise_nothing(
    ledger: Ledger, source: Source, clock: FrozenClock, run_once: Callable[..., Any]
) -> None:
    await run_once(GOOD, BAD)

    assert await budgets(ledger, PromiseBook(objective=0.9), source, clock) == {}


async def test_the_book_is_kept_from_the_ledger_and_goes_on_where_it_was(
    ledger: Ledger, source: Source, clock: FrozenClock, run_once: Callable[..., Any]
) -> None:
    book, hourly = PromiseBook(objective=0.9), replace(source, schedule=HOURLY)
    await run_once(GOOD, GOOD, BAD, due_at=latest_hour(clock), schedule=HOURLY)
    (first,) = (await budgets(ledger, book, hourly, clock)).values()
    clock.advance(3_600)
    await run_once(GOOD, GOOD, GOOD, due_at=latest_hour(clock), schedule=HOURLY)
    (second,) = (await budgets(ledger, book, hourly, clock)).values()
    fresh = await budgets(ledger, PromiseBook(objective=0.9), hourly, clock)

    assert first.visits["7d"] == Visits(3, 2)
    assert second.visits["7d"] == Visits(6, 5)
    assert fresh == {"shop": second}


async def test_a_run_with_nothing_new_is_one_visit(
    ledger: Ledger, source: Source, clock: FrozenClock
) -> None:
    run_id = await due_run(ledger, clock, source)
    await ledger.finish_run(run_id, RunState.COMPLETED)

    (found,) = (await budgets(ledger, PromiseBook(objective=0.9), source, clock)).values()

    assert found.visits["1d"] == Visits(1, 1)


async def test_a_run_that_stays_open_holds_up_no_other(
    ledger: Ledger, source: Source, clock: FrozenClock, run_once: Callable[..., Any]
) -> None:
    await ledger.plan_run(NewRun("matches", None), [])
    book = PromiseBook(objective=0.9)
    await run_once(GOOD, due_at=clock.now(), schedule=HOURLY)
    await budgets(ledger, book, source, clock)

    (found,) = (await budgets(ledger, book, source, clock)).values()

    assert found.visits["1d"] == Visits(1, 1)


async def test_a_watched_source_is_judged_by_its_requests(
    ledger: Ledger, source: Source, clock: FrozenClock, run_once: Callable[..., Any]
) -> None:
    book = PromiseBook(objective=0.9)
    await run_once(GOOD, BAD)
    (first,) = (await budgets(ledger, book, source, clock, watched={"shop"})).values()
    await run_once(GOOD)
    clock.advance(7_200)
    (second,) = (await budgets(ledger, book, source, clock, watched={"shop"})).values()

    assert first.visits["1d"] == Visits(2, 1)
    assert second.visits["1d"] == Visits(3, 2)


@pytest.mark.postgres
async def test_postgres_says_the_same(
    migrated_postgres_url: str, tmp_path: Path, source: Source, clock: FrozenClock
) -> None:
    async with await Ledger.open(tmp_path, database_url=migrated_postgres_url, clock=clock) as ledger:
        await ledger.put_source(source)
        run_id = await due_run(ledger, clock, source, "https://www.shop.test/1", "https://www.shop.test/2")
        await ledger.skip_lane(run_id, "shop.test", reason="source_off")
        await ledger.finish_run(run_id, RunState.COMPLETED)
        await ledger.finish_run(await due_run(ledger, advanced(clock), source), RunState.COMPLETED)
        found = await budgets(ledger, PromiseBook(objective=0.9), source, clock, watched={"nobody"})
        watched = await budgets(ledger, PromiseBook(objective=0.9), source, clock, watched={"shop"})
        figures = await ledger.read(partial(FigureReader().read, sources=[source]))
        (standing,) = await ledger.read(partial(Surveyor().survey, sources=[source]))

    assert found["shop"].visits["30d"] == Visits(3, 1) and found["shop"].since is not None
    assert watched == {}  # no request was ever sent
    assert figures.jobs["prices", "skipped"] == 2 and standing.clocks.last_change_at is None


def advanced(clock: FrozenClock) -> FrozenClock:
    clock.advance(60)
    return clock


def test_the_count_begins_with_the_first_visit_not_with_its_hour() -> None:
    page = PromisePage()
    first = datetime(2026, 3, 1, 12, 19, tzinfo=UTC)

    page.enter(Walk(first, first, Visits(1, 1), None))
    page.enter(Walk(first + timedelta(hours=2), first + timedelta(hours=2), Visits(1, 1), None))
    began = page.since
    page.forget_before(first + timedelta(hours=2))

    assert began == first
    assert page.since == hour_of(first) + timedelta(hours=2)
