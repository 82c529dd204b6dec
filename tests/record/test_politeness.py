from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from limpet.clock import FrozenClock
from limpet.fetch.outcome import FetchOutcome
from limpet.fetch.trail import RequestNote
from limpet.record.ledger import Ledger


@pytest.fixture
def note(clock: FrozenClock) -> RequestNote:
    return RequestNote(
        "shop",
        "shop.test",
        "https://shop.test/p?session=secret",
        "page",
        clock.now(),
        elapsed_ms=500,
        outcome=FetchOutcome.OK,
        status=200,
        robots_verdict="allowed",
        robots_hash="abc",
    )


def later(note: RequestNote, seconds: float, **changes: object) -> RequestNote:
    return replace(note, started_at=note.started_at + timedelta(seconds=seconds), **changes)


async def test_every_domain_gets_its_account(ledger: Ledger, note: RequestNote) -> None:
    await ledger.note_requests(
        [
            note,
            later(note, 2.0),
            later(note, 3.5, robots_verdict="not_asked", robots_hash=None, kind="robots"),
            later(note, 0.1, domain="other.test"),
        ]
    )

    other, shop = await ledger.politeness()

    assert (other.domain, other.requests, other.smallest_gap_seconds) == ("other.test", 1, None)
    assert (shop.domain, shop.requests, shop.smallest_gap_seconds) == ("shop.test", 3, 1.5)
    assert shop.highest_concurrency == 1
    assert [(use.verdict, use.body_sha256, use.requests) for use in shop.robots] == [
        ("allowed", "abc", 2),
        ("not_asked", None, 1),
    ]
    assert shop.outcomes == {"ok": 3}


async def test_requests_that_overlap_are_counted(ledger: Ledger, note: RequestNote) -> None:
    await ledger.note_requests([note, later(note, 0.1), later(note, 0.2), later(note, 0.55)])

    (shop,) = await ledger.politeness()

    assert shop.highest_concurrency == 3


@pytest.mark.parametrize(
    ("next_after_seconds", "violated"),
    [(0.2, 0), (5.0, 1), (10.4, 1), (10.5, 0), (60.0, 0)],
)
async def test_retry_after_is_judged_from_the_end_of_the_answer(
    ledger: Ledger, note: RequestNote, next_after_seconds: float, violated: int
) -> None:
    asked = replace(note, outcome=FetchOutcome.RATE_LIMITED, status=429, retry_after_seconds=10.0)

    await ledger.note_requests([asked, later(note, next_after_seconds)])

    (shop,) = await ledger.politeness()
    assert (shop.retry_after_asked, shop.retry_after_violated) == (1, violated)
    assert shop.retry_after_honoured == 1 - violated


async def test_what_our_own_gates_kept_back_was_no_request(ledger: Ledger, note: RequestNote) -> None:
    kept_back = {"outcome": FetchOutcome.ROBOTS_BLOCKED, "status": None, "elapsed_ms": 0.0}
    await ledger.note_requests(
        [
            note,
            later(note, 0.1, robots_verdict="disallowed", **kept_back),
            later(note, 2.0),
            later(note, 2.1, domain="", robots_verdict=None, **kept_back),
            later(note, 2.2, domain="shut.test", robots_verdict="unavailable", robots_hash=None, **kept_back),
        ]
    )

    shop, shut = await ledger.politeness()

    assert (shop.requests, shop.smallest_gap_seconds, shop.highest_concurrency) == (2, 2.0, 1)
    assert [(use.verdict, use.requests) for use in shop.robots] == [("allowed", 2), ("disallowed", 1)]
    assert shop.outcomes == {"ok": 2, "robots_blocked": 1}
    assert (shut.requests, shut.first_at, shut.highest_concurrency) == (0, None, 0)
    assert [use.verdict for use in shut.robots] == ["unavailable"]


async def test_the_account_can_be_narrowed(ledger: Ledger, note: RequestNote) -> None:
    await ledger.note_requests([note, later(note, 100), later(note, 100, domain="other.test")])

    since = note.started_at + timedelta(seconds=50)

    assert [account.requests for account in await ledger.politeness(since=since)] == [1, 1]
    assert [account.domain for account in await ledger.politeness(domain="other.test")] == ["other.test"]


async def test_a_query_never_reaches_the_ledger(ledger: Ledger, note: RequestNote) -> None:
    await ledger.note_requests([note])

    kept = await ledger.read(
        lambda connection: connection.exec_driver_sql("SELECT url FROM requests").scalar()
    )

    assert kept == "https://shop.test/p"
