"""Notes about our work go by age; what reports say afterwards stays true."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, insert, select

from limpet.clock import FrozenClock
from limpet.observe.durations import Durations
from limpet.observe.freshness import read_clocks
from limpet.record.alert_tables import Severity, alert_occurrences
from limpet.record.alerts import Trouble, raise_alert
from limpet.record.ledger import Ledger
from limpet.record.log_tables import events, requests
from limpet.record.logbook import log_event
from limpet.record.retention.horizons import notes_gone
from limpet.record.retention.policy import Keep
from limpet.record.retention.rows import NEWEST_KEPT
from limpet.record.tables import attempts
from limpet.source import Retention, Source
from limpet.target import Outcome

DAYS = Keep(requests_days=10, attempts_days=10, events_days=10)
SHOP = Source(id="shop", app="prices", site="woo", hosts=("shop.test",))


def request(at: Any, **changes: Any) -> dict[str, Any]:
    row = {
        "job_id": None,
        "source_id": "shop",
        "domain": "shop.test",
        "url": "https://shop.test/",
        "kind": "page",
    }
    row |= {"started_at": at, "elapsed_ms": 5.0, "waited_ms": 1.0, "outcome": "ok", "bytes_received": 1}
    return row | changes


async def put(ledger: Ledger, rows: list[dict[str, Any]]) -> None:
    await ledger.write(lambda connection: connection.execute(insert(requests), rows) and None)


async def count(ledger: Ledger, table: Any) -> int:
    return await ledger.read(lambda c: c.execute(select(func.count()).select_from(table)).scalar_one())


@pytest.fixture
async def busy(ledger: Ledger, clock: FrozenClock) -> Any:
    """The newest rows of every table, all from after the past the tests speak of."""

    async def fill() -> None:
        now = clock.now()
        await put(ledger, [request(now, domain="other.test", source_id="other") for _ in range(NEWEST_KEPT)])
        told = [{"event_type": "filler", "payload": {}, "created_at": now} for _ in range(NEWEST_KEPT)]
        await ledger.write(lambda connection: connection.execute(insert(events), told) and None)

    return fill


async def test_old_requests_go_and_the_report_says_since_when_it_knows(
    past, ledger: Ledger, clock: FrozenClock, busy: Any
) -> None:
    begin = clock.now()
    await put(ledger, [request(begin + timedelta(days=day)) for day in range(30)])
    clock.advance(30 * 86_400)
    await busy()

    shown = await past.work(keep=DAYS).survey()
    account = await past.work(keep=DAYS).apply(by="ann")
    other, shop = await ledger.politeness()
    (lately,) = await ledger.politeness(since=begin + timedelta(days=25), domain="shop.test")

    assert (shown.requests, account.requests) == (20, 20)
    assert (shop.requests, shop.complete_since) == (10, begin + timedelta(days=20))
    assert lately.complete_since is None  # nothing of that time is missing
    assert other.complete_since is None


async def test_the_newest_rows_of_a_table_stay_and_no_counter_shrinks(
    past, ledger: Ledger, clock: FrozenClock
) -> None:
    await put(ledger, [request(clock.now()) for _ in range(NEWEST_KEPT + 50)])
    durations = Durations()
    before = (await ledger.read(durations.fetches))["shop"]
    clock.advance(1e8)

    account = await past.work(keep=DAYS).apply(by="ann")

    assert (account.requests, await count(ledger, requests)) == (50, NEWEST_KEPT)
    assert (await ledger.read(durations.fetches))["shop"] == before


async def test_the_clocks_of_a_quiet_source_go_on(
    past, ledger: Ledger, clock: FrozenClock, busy: Any
) -> None:
    begin = clock.now()
    tried = {"outcome": "timeout", "status": None}
    await put(ledger, [request(begin + timedelta(days=day)) for day in range(3)])
    await put(ledger, [request(begin + timedelta(days=3 + day), **tried) for day in range(3)])
    clock.advance(1e8)
    await busy()
    before = await ledger.read(partial(read_clocks, sources=[SHOP]))

    account = await past.work(keep=DAYS).apply(by="ann")

    assert account.requests == 4
    assert await ledger.read(partial(read_clocks, sources=[SHOP])) == before


async def test_notes_of_a_run_under_way_stay(past, ledger: Ledger, clock: FrozenClock, busy: Any) -> None:
    ended, going = await past.day([b"a", b"b"]), await past.day([b"c", b"d"], ends=False)
    await ledger.log_event("noticed", run_id=ended.id)
    await ledger.log_event("noticed", run_id=going.id)
    clock.advance(1e8)
    await busy()

    account = await past.work(keep=DAYS).apply(by="ann")

    left = [len(await ledger.attempts(job.id)) for run in (ended, going) for job in await past.jobs(run)]
    assert left == [1, 1, 1, 1]  # so few that all are among the newest
    assert account.requests == 2
    assert [event.run_id for event in await ledger.events(event_type="noticed")] == [going.id]


async def test_old_tries_go_and_the_job_still_says_how_many_there_were(
    past, ledger: Ledger, clock: FrozenClock
) -> None:
    first = await past.day([b"a", b"b"])
    skipped = await past.day([b"c", b"d"], Outcome.SKIPPED)
    (job, _) = await past.jobs(first)
    row = {"fence": 1, "started_at": clock.now() + timedelta(days=1_000), "elapsed_ms": 1.0, "outcome": "ok"}
    many = [{"job_id": job.id, "number": number, **row} for number in range(10, NEWEST_KEPT + 10)]
    await ledger.write(lambda connection: connection.execute(insert(attempts), many) and None)
    clock.advance(100 * 86_400)

    account = await past.work(keep=DAYS).apply(by="ann")

    assert account.attempts == 2
    assert [len(await ledger.attempts(each.id)) for each in await past.jobs(skipped)] == [1, 1]
    assert (await past.jobs(first))[1].attempts == 1
    assert set(await ledger.read(partial(notes_gone, job=job))) == {"attempts"}
    assert (await ledger.verify()).problems == []


async def test_events_behind_an_open_alert_stay(past, ledger: Ledger, clock: FrozenClock, busy: Any) -> None:
    now = clock.now()

    def tell(connection: Any) -> None:
        trouble = Trouble("drift", "adapter woo", Severity.P2, "drift")
        alert = raise_alert(connection, trouble, now=now)
        event = log_event(connection, "alert_drift", now=now)
        connection.execute(insert(alert_occurrences).values(event_id=event, alert_id=alert, at=now))
        log_event(connection, "noticed", now=now)

    await ledger.write(tell)
    clock.advance(1e8)
    await busy()

    account = await past.work(keep=DAYS).apply(by="ann")

    assert account.events == 1
    assert len(await ledger.events(event_type="alert_drift")) == 1


async def test_events_wait_for_whoever_makes_alerts_of_them(
    past, ledger: Ledger, clock: FrozenClock, busy: Any
) -> None:
    await ledger.log_event("noticed")
    clock.advance(1e8)
    await busy()

    account = await past.work(keep=DAYS, events_wait=lambda _: True).apply(by="ann")

    assert account.events == 0


async def test_a_source_may_keep_its_requests_longer(
    past, ledger: Ledger, clock: FrozenClock, busy: Any
) -> None:
    await put(ledger, [request(clock.now(), source_id=name) for name in ("shop", "mine") for _ in range(3)])
    clock.advance(20 * 86_400)
    await busy()

    account = await past.work(keep=DAYS, sources={"mine": Retention(requests_days=0)}).apply(by="ann")

    assert account.requests == 2  # the last one of the shop stays for its clocks
