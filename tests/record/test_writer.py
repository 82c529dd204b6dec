from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, event, text

from limpet.clock import FrozenClock
from limpet.errors import DiskInsufficient, RecordError
from limpet.record.database import open_engine
from limpet.record.entry import Run
from limpet.record.ledger import Ledger
from limpet.source import Source

Make = Callable[..., Any]


async def test_all_that_waits_is_committed_together(
    ledger: Ledger, targets: Make, new_run: Any, lease_all: Make, settlement_of: Make
) -> None:
    run = await ledger.plan_run(new_run, targets(200))
    leases = await lease_all(run, limit=200)
    before = ledger.commits

    await asyncio.gather(*(ledger.settle(settlement_of(lease)) for lease in leases))

    # The first may be on its way before the others arrive; everybody else shares.
    assert ledger.commits - before <= 3
    assert (await ledger.counts(run.id))["succeeded"] == 200


async def test_an_answer_comes_only_after_commit(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, database_url: str | None, tmp_path: Path
) -> None:
    leases = await lease_all(run)
    elsewhere = open_engine(database_url or tmp_path)

    for number, lease in enumerate(leases, start=1):
        await ledger.settle(settlement_of(lease))
        with elsewhere.connect() as connection:
            question = text("SELECT count(*) FROM jobs WHERE state = 'succeeded'")
            assert connection.execute(question).scalar() == number

    elsewhere.dispose()


async def test_one_poisoned_settlement_fails_alone(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, bookkeeper: Any
) -> None:
    leases = await lease_all(run)
    records = ["a", "b", "poison", "c", "d"]

    answers = await asyncio.gather(
        *(
            ledger.settle(settlement_of(lease, record=record))
            for lease, record in zip(leases, records, strict=True)
        ),
        return_exceptions=True,
    )

    assert [type(answer) for answer in answers] == [type(None)] * 2 + [ValueError] + [type(None)] * 2
    counts = await ledger.counts(run.id)
    assert (counts["succeeded"], counts["running"]) == (4, 1)
    assert len(await ledger.attempts(leases[2].job_id)) == 0


async def test_one_poisoned_operation_fails_alone(ledger: Ledger) -> None:
    def poison(connection: Connection) -> None:
        connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    answers = await asyncio.gather(
        ledger.log_event("before"), ledger.write(poison), ledger.log_event("after"), return_exceptions=True
    )

    assert isinstance(answers[1], Exception)
    assert [event.event_type for event in await ledger.events()] == ["before", "after"]


async def test_closing_writes_what_waits(open_ledger: Make) -> None:
    ledger = await open_ledger()
    waiting = [asyncio.ensure_future(ledger.log_event(f"event {number}")) for number in range(50)]
    await asyncio.sleep(0)

    await ledger.close()

    assert len(await asyncio.gather(*waiting)) == 50
    async with await open_ledger() as again:
        assert len(await again.events()) == 50


async def test_a_closed_ledger_takes_nothing(open_ledger: Make) -> None:
    ledger = await open_ledger()
    await ledger.close()

    with pytest.raises(RecordError, match="closed"):
        await ledger.log_event("too late")


async def test_a_cancelled_caller_does_not_stop_the_others(ledger: Ledger) -> None:
    first = asyncio.ensure_future(ledger.log_event("first"))
    second = asyncio.ensure_future(ledger.log_event("second"))
    await asyncio.sleep(0)

    first.cancel()

    assert await second > 0
    assert [event.event_type for event in await ledger.events()] == ["first", "second"]


async def test_two_processes_take_turns_on_one_file(tmp_path: Path, clock: FrozenClock) -> None:
    async with (
        await Ledger.open(tmp_path, clock=clock) as one,
        await Ledger.open(tmp_path, clock=clock) as other,
    ):
        await asyncio.gather(*(each.log_event("note") for each in [one, other] * 100))

        assert len(await one.events()) == 200


async def test_a_full_disk_is_named_and_passes(tmp_path: Path, clock: FrozenClock) -> None:
    async with await Ledger.open(tmp_path, clock=clock) as ledger:
        await ledger.put_source(Source(id="shop", app="prices", site="woo", hosts=("shop.test",)))
        pages = await ledger.read(
            lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        )

        def fill(connection: Connection) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        def make_room(connection: Connection) -> None:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")

        event.listen(ledger.engine, "begin", fill)
        with pytest.raises(DiskInsufficient) as refusal:
            await ledger.log_event("large", payload={"text": "x" * 200_000})
        event.remove(ledger.engine, "begin", fill)
        event.listen(ledger.engine, "begin", make_room)

        assert refusal.value.fix
        await ledger.log_event("after")
        assert [each.event_type for each in await ledger.events()] == ["after"]


async def test_who_leaves_in_trouble_hears_of_that_and_not_of_the_farewell(
    tmp_path: Path, clock: FrozenClock
) -> None:
    def refuse(_connection: Connection) -> None:
        raise DiskInsufficient("No space is left.", fix="make some")

    with pytest.raises(ValueError, match="the trouble itself"):
        async with await Ledger.open(tmp_path, clock=clock) as ledger:
            await ledger.enlist("a worker")
            event.listen(ledger.engine, "begin", refuse)
            raise ValueError("the trouble itself")
    with pytest.raises(DiskInsufficient):
        async with await Ledger.open(tmp_path, clock=clock) as ledger:
            await ledger.enlist("another")
            event.listen(ledger.engine, "begin", refuse)


@pytest.mark.postgres
async def test_a_server_that_drops_us_is_asked_again(migrated_postgres_url: str, tmp_path: Path) -> None:
    drop_the_others = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    async with await Ledger.open(tmp_path, database_url=migrated_postgres_url) as ledger:
        await ledger.log_event("before")
        with psycopg.connect(migrated_postgres_url, autocommit=True) as admin:
            admin.execute(drop_the_others)

        await asyncio.gather(*(ledger.log_event("after") for _ in range(3)))

        assert [each.event_type for each in await ledger.events()] == ["before"] + ["after"] * 3


@pytest.mark.postgres
async def test_a_writer_that_froze_in_its_transaction_keeps_nobody_waiting(
    migrated_postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limpet.record.database.FROZEN_SECONDS", 1)
    tries: list[int] = []

    def freeze(connection: Connection) -> None:
        connection.execute(text("LOCK TABLE targets"))
        tries.append(1)
        if len(tries) == 1:  # nothing more is said until somebody else was let in
            with psycopg.connect(migrated_postgres_url) as another:
                another.execute("LOCK TABLE targets")

    async with await Ledger.open(tmp_path, database_url=migrated_postgres_url) as ledger:
        await ledger.write(freeze)

    assert len(tries) == 2  # dropped by the server, and done again from the start
