"""Broken, stale and active again: written by the settlement itself, or by the hourly round."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select, update

from limpet.clock import FrozenClock
from limpet.record import lives
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger, Selection
from limpet.record.tables import targets as target_table
from limpet.target import Outcome

Make = Callable[..., Any]
WORDS = {"s": Outcome.SUCCEEDED, "n": Outcome.NO_RECORD, "f": Outcome.FAILED, "q": Outcome.QUARANTINED}


async def standing(ledger: Ledger) -> tuple[str, int]:
    question = select(target_table.c.status, target_table.c.consecutive_failures)
    return await ledger.read(lambda connection: tuple(connection.execute(question).one()))


async def set_status(ledger: Ledger, status: str) -> None:
    await ledger.write(lambda connection: connection.execute(update(target_table).values(status=status)))


@pytest.fixture
def visit(ledger: Ledger, targets: Make, settlement_of: Make, lease_all: Make) -> Make:
    """Walk the only target once, to this ending."""

    async def visit(outcome: Outcome, reason: str | None = None, *, dry_run: bool = False) -> None:
        run = await ledger.plan_run(NewRun("prices", "shop", dry_run=dry_run), targets(1))
        (lease,) = await lease_all(run)
        await ledger.settle(settlement_of(lease, outcome, reason=reason))

    return visit


@pytest.mark.parametrize(
    ("endings", "expected"),
    [
        ("ffff", ("active", 4)),
        ("fffff", ("broken", 5)),
        ("fqfqf", ("broken", 5)),
        ("qqqqq", ("broken", 5)),
        ("fffffff", ("broken", 7)),
        ("ffffsf", ("active", 1)),
        ("ffffnf", ("active", 1)),
        ("fffffs", ("active", 0)),
    ],
)
async def test_the_fifth_failure_in_a_row_breaks_and_an_answer_mends(
    ledger: Ledger, visit: Make, endings: str, expected: tuple[str, int]
) -> None:
    for letter in endings:
        await visit(WORDS[letter])

    assert await standing(ledger) == expected


async def test_breaking_is_told_once(ledger: Ledger, visit: Make) -> None:
    for _ in range(8):
        await visit(Outcome.FAILED)

    events = await ledger.events(event_type="target_broken")
    assert [(event.source_id, event.payload["consecutive_failures"]) for event in events] == [("shop", 5)]


@pytest.mark.parametrize("reason", ["oos_no_price", "duplicate_within_run"])
async def test_what_is_exempt_from_drift_breaks_nothing(ledger: Ledger, visit: Make, reason: str) -> None:
    for _ in range(6):
        await visit(Outcome.DROPPED, reason)

    assert await standing(ledger) == ("active", 0)


async def test_a_skipped_visit_says_nothing_about_the_target(ledger: Ledger, visit: Make) -> None:
    for _ in range(4):
        await visit(Outcome.FAILED)
    await visit(Outcome.SKIPPED, "gate.breaker")

    assert await standing(ledger) == ("active", 4)


async def test_a_dry_run_leaves_targets_alone(ledger: Ledger, visit: Make) -> None:
    for _ in range(6):
        await visit(Outcome.FAILED, dry_run=True)

    assert await standing(ledger) == ("active", 0)


async def test_what_a_person_paused_stays_paused(ledger: Ledger, visit: Make) -> None:
    await visit(Outcome.SUCCEEDED)
    await set_status(ledger, "paused")

    for outcome in (*[Outcome.FAILED] * 6, Outcome.SUCCEEDED):
        await visit(outcome)

    assert (await standing(ledger))[0] == "paused"


@pytest.mark.parametrize("outcome", [Outcome.SUCCEEDED, Outcome.FAILED])
async def test_any_visit_ends_staleness(ledger: Ledger, visit: Make, outcome: Outcome) -> None:
    await visit(Outcome.SUCCEEDED)
    await set_status(ledger, "stale")

    await visit(outcome)

    assert (await standing(ledger))[0] == "active"


async def test_what_waits_longer_than_a_day_in_a_run_becomes_stale(
    ledger: Ledger, run: Run, clock: FrozenClock, lease_all: Make, settlement_of: Make
) -> None:
    (first, *_) = await lease_all(run, limit=1)
    await ledger.settle(settlement_of(first))
    clock.advance(25 * 3_600)
    before = clock.now() - timedelta(hours=24)
    mark = partial(lives.mark_waiting_too_long, planned_before=before, now=clock.now())

    marked, again = await ledger.write(mark), await ledger.write(mark)

    assert (marked, again) == (4, 0)
    assert await ledger.read(lives.count_stale) == 4


# -- what a person takes out of a run under way -------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"status": "paused"}, "target_paused"),
        ({"enabled": False}, "target_disabled"),
        ({"robots_path_blocked": True}, "target_blocked"),
    ],
)
async def test_a_lease_says_that_its_target_was_taken_out(
    ledger: Ledger, run: Run, clock: FrozenClock, lease_all: Make, change: dict[str, Any], word: str
) -> None:
    clock.advance(1)
    values = change | {"updated_at": clock.now()}
    await ledger.write(lambda connection: connection.execute(update(target_table).values(values)))

    leases = await lease_all(run)

    assert {lease.withdrawn for lease in leases} == {word}


async def test_a_target_blocked_by_a_person_is_never_planned_again(ledger: Ledger, targets: Make) -> None:
    await ledger.put_targets(targets(3))
    await ledger.write(
        lambda connection: connection.execute(
            update(target_table).where(target_table.c.id == 1).values(robots_path_blocked=True)
        )
    )

    planned = [(await ledger.plan_run(NewRun("prices", None), Selection())).planned for _ in range(3)]

    assert planned == [2, 2, 2]
