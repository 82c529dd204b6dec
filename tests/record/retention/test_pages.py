"""Which pages go, and which stay however old they are."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from limpet.record.alert_tables import Severity, alerts
from limpet.record.alerts import Trouble, clear_alerts, raise_alert
from limpet.record.inspecting import find_evidence
from limpet.record.ledger import Ledger
from limpet.record.log_tables import snapshot_frames
from limpet.record.logbook import list_audit
from limpet.record.retention.policy import Keep
from limpet.record.tables import jobs
from limpet.source import Retention
from limpet.target import Outcome


async def test_an_old_page_goes_and_its_hash_and_job_stay(past, ledger: Ledger) -> None:
    old, new = await past.day([b"old"]), await past.day([b"new"])

    account = await past.work(days=1.5).apply(by="ann")

    (job,) = await past.jobs(old)
    kept = await ledger.read(partial(find_evidence, sha256=job.snapshot))
    assert (account.pages, await past.is_kept(old), await past.is_kept(new)) == (1, False, True)
    assert kept.removal == f"removed by the retention rule on {past.clock.now():%Y-%m-%d}"
    assert (await ledger.verify()).problems == []


async def test_without_a_rule_nothing_ever_goes(past) -> None:
    old, _ = await past.day([b"old"]), await past.day([b"new"])
    past.clock.advance(1e9)

    account = await past.work(days=0).apply(by="ann")

    assert (account.pages, await past.is_kept(old)) == (0, True)


async def test_what_would_go_is_what_goes(past) -> None:
    for number in range(4):
        await past.day([b"a%d" % number, b"b%d" % number, b"same"])

    shown = await past.work().survey()
    again = await past.work().survey()
    done = await past.work().apply(by="ann")

    told = ("pages", "page_bytes", "requests", "attempts", "events", "pages_kept")
    assert shown == again
    assert {name: getattr(shown, name) for name in told} == {name: getattr(done, name) for name in told}
    assert shown.pages == 6


async def test_the_last_good_pages_of_a_target_stay(past) -> None:
    days = [await past.day([b"%d" % number]) for number in range(5)]
    past.clock.advance(1e8)

    await past.work(keep=Keep(pages_days=1, keep_last_pages=3)).apply(by="ann")

    assert [await past.is_kept(run) for run in days] == [False, False, True, True, True]


async def test_a_page_that_comes_again_and_again_counts_once_among_the_last(past) -> None:
    bodies = [b"1", b"2", b"3", b"3", b"3"]
    days = [await past.day([body]) for body in bodies]
    past.clock.advance(1e8)

    await past.work(keep=Keep(pages_days=1, keep_last_pages=2)).apply(by="ann")

    assert [await past.is_kept(run) for run in days] == [False, True, True, True, True]


async def test_the_last_good_page_stays_when_only_bad_ones_followed(past) -> None:
    good = await past.day([b"good"])
    bad = [await past.day([b"bad %d" % number], Outcome.DROPPED) for number in range(3)]
    past.clock.advance(1e8)

    account = await past.work().apply(by="ann")

    assert await past.is_kept(good)
    assert [await past.is_kept(run) for run in bad] == [False, False, True]
    assert account.pages_kept == {"last_good": 1, "latest_page": 1}


async def test_the_last_bad_page_stays_after_good_ones(past) -> None:
    first = await past.day([b"bad"], Outcome.QUARANTINED)
    _ = [await past.day([b"good %d" % number]) for number in range(3)]
    past.clock.advance(1e8)

    account = await past.work().apply(by="ann")

    assert await past.is_kept(first)
    assert account.pages_kept["last_bad"] == 1


async def test_a_page_somebody_was_judged_by_lately_stays(past) -> None:
    old = await past.day([b"shared", b"x"])
    await past.day([b"other", b"y"])
    await past.day([b"third", b"shared"])
    await past.day([b"fourth", b"z"])

    await past.work(days=2.5).apply(by="ann")

    assert await past.is_kept(old)


async def test_pages_of_a_run_under_way_stay(past) -> None:
    old = await past.day([b"old"], ends=False)
    await past.day([b"new"])
    past.clock.advance(1e8)

    account = await past.work().apply(by="ann")

    assert await past.is_kept(old)
    assert account.pages_kept["run_under_way"] == 1


async def test_a_source_may_keep_its_own_for_ever(past) -> None:
    old, _ = await past.day([b"old"]), await past.day([b"new"])
    past.clock.advance(1e8)

    kept = await past.work(sources={"shop": Retention(pages_days=0)}).apply(by="ann")
    gone = await past.work(keep=Keep(), sources={"shop": Retention(pages_days=1)}).apply(by="ann")

    assert (kept.pages, kept.pages_kept) == (0, {"kept_for_ever": 2})
    assert (gone.pages, await past.is_kept(old)) == (1, False)


async def test_evidence_of_an_open_alert_stays_until_it_is_resolved(past, ledger: Ledger) -> None:
    bad = await past.day([b"first bad"], Outcome.DROPPED)
    await past.day([b"second bad"], Outcome.DROPPED)
    await past.day([b"good"])
    now = past.clock.now()
    evidence = {"bad_jobs": [(await past.jobs(bad))[0].id], "last_good_job": None}
    trouble = Trouble("drift", "adapter woo", Severity.P2, "drift", run_id=bad.id, evidence=evidence)
    await ledger.write(partial(raise_alert, trouble=trouble, now=now))
    past.clock.advance(1e8)

    held = await past.work().apply(by="ann")
    await ledger.write(partial(clear_alerts, kinds=["drift"], subject="adapter woo", by="me", now=now))
    gone = await past.work().apply(by="ann")

    assert (held.pages, held.pages_kept["open_alert"]) == (0, 1)
    assert (gone.pages, await past.is_kept(bad)) == (1, False)
    assert await ledger.read(lambda c: c.execute(select(func.count()).select_from(alerts)).scalar()) == 1


async def test_what_an_app_still_needs_stays(past) -> None:
    old, _ = await past.day([b"old"]), await past.day([b"new"])
    past.clock.advance(1e8)
    (job,) = await past.jobs(old)

    account = await past.work(
        app_holds=[lambda _, ids: {job.id: "quarantine"} if job.id in ids else {}]
    ).apply(by="ann")

    assert (account.pages, account.pages_kept["quarantine"]) == (0, 1)


async def test_a_page_that_went_and_comes_again_is_kept_again(past, ledger: Ledger, open_ledger: Any) -> None:
    old = await past.day([b"winter price"])
    await past.day([b"summer price"])

    async with await open_ledger() as elsewhere:
        await past.work(days=1.5, ledger=elsewhere).apply(by="ann")
    assert not await past.is_kept(old)
    again = await past.day([b"winter price"])  # this process remembers having kept it

    assert await past.is_kept(again)
    assert (await ledger.verify()).problems == []


async def test_a_page_that_goes_while_it_is_being_settled_is_kept_again(
    past, ledger: Ledger, open_ledger: Any, targets: Any, new_run: Any, lease_all: Any
) -> None:
    await past.day([b"winter price"])
    await past.day([b"summer price"])
    run = await ledger.plan_run(new_run, targets(1))
    (lease,) = await lease_all(run)
    settlement = past.settlement_of(lease, page=past.page_of(lease, b"winter price"))
    settling = ledger._writer._settling
    with ledger.engine.connect() as connection:
        (prepared,) = settling.prepare(connection, [settlement])
    assert prepared.new_snapshot is None

    async with await open_ledger() as elsewhere:
        account = await past.work(days=1.5, ledger=elsewhere).apply(by="ann")
    refusals = await ledger.write(partial(settling.apply, group=[prepared]))

    assert (account.pages, refusals) == (1, [None])
    assert await past.is_kept(run)
    assert (await ledger.verify()).problems == []


async def test_bodies_in_the_database_go_with_their_pages(
    past, ledger: Ledger, database_url: str | None, tmp_path: Path
) -> None:
    place = database_url or f"sqlite:///{tmp_path / 'limpet.db'}"
    frames = select(func.count()).select_from(snapshot_frames)
    async with await Ledger.open(
        tmp_path / "host", database_url=place, shares_bodies=True, clock=past.clock
    ) as host:
        for number in range(3):
            await past.day([b"%d" % number], ledger=host)
        account = await past.work(ledger=host).apply(by="ann")
        left = await host.read(lambda connection: connection.execute(frames).scalar())
        problems = (await host.verify()).problems

    assert (account.pages, left, problems) == (2, 1, [])


async def test_every_application_is_audited(past, ledger: Ledger) -> None:
    _ = [await past.day([b"%d" % number]) for number in range(3)]

    await past.work().apply(by="ann")

    applied, begun = await ledger.read(partial(list_audit, subject="retention"))
    assert (begun.actor, begun.action, begun.details["rules"]["house"]["pages"]) == (
        "ann",
        "retention_begun",
        1,
    )
    assert (applied.actor, applied.action) == ("ann", "retention_applied")
    assert (applied.details["pages"], applied.details["was_interrupted"]) == (2, False)
    assert applied.details["bytes_given_back"] > 0


async def test_two_processes_never_apply_the_rules_at_once(past, open_ledger: Any) -> None:
    _ = [await past.day([b"%d" % number]) for number in range(3)]

    async with await open_ledger() as elsewhere:
        accounts = await asyncio.gather(
            past.work().apply(by="ann"), past.work(ledger=elsewhere).apply(by="bob")
        )

    done = [account.pages for account in accounts if account is not None]
    assert sum(done) == 2 and len(done) in (1, 2)


async def test_an_application_that_is_stopped_says_so_and_the_next_goes_on(past, ledger: Ledger) -> None:
    _ = [await past.day([b"%d" % number]) for number in range(3)]

    await past.work(is_stopping=lambda: True).apply(by="ann")
    (entry, *_) = await ledger.read(partial(list_audit, subject="retention"))
    rest = await past.work().survey()

    assert entry.details["was_interrupted"]
    assert entry.details["pages"] + rest.pages == 2


@pytest.mark.parametrize(("days", "keeps"), [(0.5, 0), (1.5, 0), (2.5, 1), (3.5, 2)])
async def test_age_counts_from_when_a_page_was_last_judged(past, days: float, keeps: int) -> None:
    _ = [await past.day([b"%d" % number]) for number in range(3)]

    account = await past.work(days=days).survey()

    assert account.pages == 2 - keeps


async def test_an_old_page_that_was_read_again_does_not_push_a_later_one_out(past, ledger: Ledger) -> None:
    old, good = await past.day([b"old"]), await past.day([b"good"])
    bad = await past.day([b"bad"], Outcome.DROPPED)
    again = await past.day([b"old"])
    brought = (await past.jobs(old))[0].id
    reread = update(jobs).where(jobs.c.run_id == again.id).values(rereads=brought)
    await ledger.write(lambda connection: connection.execute(reread) and None)
    past.clock.advance(1e8)

    await past.work().apply(by="ann")

    assert [await past.is_kept(run) for run in (good, bad)] == [True, True]
