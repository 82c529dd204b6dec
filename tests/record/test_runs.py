from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from limpet.clock import FrozenClock
from limpet.errors import RecordError, UnknownRun, UnknownSource
from limpet.record.entry import NewRun, Run, Settlement
from limpet.record.ledger import Ledger
from limpet.record.planning import Selection
from limpet.source import Pace, Source, Terms
from limpet.target import JobState, Outcome, Target
from limpet.target.outcome import Mode, RunState, Trigger

Make = Callable[..., Any]


async def test_a_source_comes_back_as_it_was(ledger: Ledger, clock: FrozenClock) -> None:
    source = Source(
        id="court",
        app="judgments",
        site="judicial",
        hosts=("court.test", "*.court.test"),
        name="The court",
        terms=Terms(clock.now(), "legal", "read twice"),
        pace=Pace(requests_per_second=2, min_delay_seconds=0.5),
        fetcher="browser",
        headers={"accept-language": "en"},
        schedule="0 4 * * *",
    )

    await ledger.put_source(source)
    await ledger.put_source(replace(source, name="The high court"))

    assert [kept.id for kept in await ledger.sources()] == ["court", "shop"]
    assert (await ledger.sources())[0] == replace(source, name="The high court")


async def test_secrets_in_headers_are_not_remembered(ledger: Ledger) -> None:
    headers = {"Cookie": "s=1", "Authorization": "Bearer x", "X-Api-Key": "y", "Accept": "text/html"}

    await ledger.put_source(
        Source(id="shop", app="prices", site="woo", hosts=("shop.test",), headers=headers)
    )

    assert (await ledger.sources())[0].headers == {"Accept": "text/html"}


async def test_a_target_known_already_stays_as_it_is(ledger: Ledger, targets: Make) -> None:
    first = await ledger.put_targets(targets(3))
    second = await ledger.put_targets(targets(5, priority=9))

    assert (first.created, first.duplicate) == (3, 0)
    assert (second.created, second.duplicate) == (2, 3)
    assert [target.priority for target in await ledger.targets("shop")] == [0, 0, 0, 9, 9]
    assert await ledger.count_targets() == 5


async def test_a_target_of_an_unknown_source_is_refused(ledger: Ledger) -> None:
    with pytest.raises(UnknownSource, match="nowhere"):
        await ledger.put_targets([Target("nowhere", "https://x.test/", "https://x.test/", "x.test")])


async def test_params_travel_with_the_target(ledger: Ledger, new_run: NewRun) -> None:
    target = Target(
        "shop", "case:1", "https://shop.test/1", "shop.test", params={"case": "G 0001/2024", "n": 1}
    )

    run = await ledger.plan_run(new_run, [target])
    leases = await ledger.lease(run.id, lane="shop.test", worker="w1", limit=1, seconds=60)

    assert leases[0].target.params == {"case": "G 0001/2024", "n": 1}
    assert leases[0].target.address == "case:1"


async def test_a_run_is_planned_with_its_jobs(ledger: Ledger, targets: Make) -> None:
    new = NewRun("prices", "shop", trigger=Trigger.WEBHOOK, mode=Mode.NEW, params={"why": "because"})

    run = await ledger.plan_run(new, targets(3))

    assert (run.planned, run.state, run.trigger, run.mode) == (3, RunState.RUNNING, Trigger.WEBHOOK, Mode.NEW)
    assert run.counts["pending"] == 3
    assert run.params == {"why": "because"}
    assert await ledger.run(run.id) == run


async def test_the_same_address_is_planned_once(ledger: Ledger, targets: Make, new_run: NewRun) -> None:
    run = await ledger.plan_run(new_run, targets(3) + targets(4))

    assert run.planned == 4
    assert sum(run.counts.values()) == 4


async def test_a_limit_is_kept(ledger: Ledger, targets: Make, new_run: NewRun) -> None:
    listed = await ledger.plan_run(new_run, targets(5), limit=2)
    await ledger.put_targets(targets(5))
    selected = await ledger.plan_run(new_run, Selection(source_ids=["shop"]), limit=3)

    assert (listed.planned, selected.planned) == (2, 3)


async def test_a_plan_that_fails_leaves_nothing(ledger: Ledger, targets: Make, new_run: NewRun) -> None:
    def breaking() -> Iterator[Target]:
        yield from targets(3)
        raise OSError("the list broke off")

    with pytest.raises(OSError, match="broke off"):
        await ledger.plan_run(new_run, breaking())

    assert await ledger.runs() == []
    assert await ledger.count_targets() == 0


async def test_one_fire_of_a_schedule_has_one_run(
    ledger: Ledger, targets: Make, new_run: NewRun, clock: FrozenClock
) -> None:
    fire = replace(new_run, due_at=clock.now())
    first = await ledger.plan_run(fire, targets(1))

    with pytest.raises(RecordError, match="has its run"):
        await ledger.plan_run(fire, targets(1))

    assert [run.id for run in await ledger.runs()] == [first.id]


async def test_many_targets_are_planned_in_batches(ledger: Ledger, targets: Make, new_run: NewRun) -> None:
    run = await ledger.plan_run(new_run, iter(targets(1_203)))

    assert run.planned == 1_203


async def test_only_new_leaves_out_what_was_answered(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, new_run: NewRun
) -> None:
    leases = await lease_all(run)
    for lease, outcome in zip(leases, [Outcome.SUCCEEDED, Outcome.NO_RECORD, Outcome.FAILED], strict=False):
        await ledger.settle(settlement_of(lease, outcome))

    again = await ledger.plan_run(new_run, Selection(only_new=True))

    assert again.planned == 3


async def test_due_targets_are_those_not_scraped_lately(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, new_run: NewRun, clock: FrozenClock
) -> None:
    leases = await lease_all(run)
    await ledger.settle(settlement_of(leases[0]))
    clock.advance(3_600)
    await ledger.settle(settlement_of(leases[1]))

    due = await ledger.plan_run(new_run, Selection(not_scraped_since=clock.now() - timedelta(minutes=30)))

    assert due.planned == 4


async def test_runs_are_listed_newest_first(ledger: Ledger, targets: Make, new_run: NewRun) -> None:
    first = await ledger.plan_run(new_run, targets(1))
    second = await ledger.plan_run(NewRun("judgments", None), targets(1))

    assert [run.id for run in await ledger.runs()] == [second.id, first.id]
    assert [run.id for run in await ledger.runs(app="prices")] == [first.id]
    assert [run.id for run in await ledger.runs(before=second.id, limit=5)] == [first.id]
    assert await ledger.runs(state=RunState.COMPLETED) == []


async def test_an_unknown_run_says_so(ledger: Ledger) -> None:
    with pytest.raises(UnknownRun):
        await ledger.run(404)


async def test_counts_are_derived_from_jobs(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make
) -> None:
    leases = await lease_all(run, limit=3)
    await ledger.settle(settlement_of(leases[0]))
    await ledger.settle(settlement_of(leases[1], Outcome.DROPPED, reason="oos_no_price"))

    counts = await ledger.counts(run.id)

    assert {state: count for state, count in counts.items() if count} == {
        "succeeded": 1,
        "dropped": 1,
        "running": 1,
        "pending": 2,
    }


async def test_a_run_with_open_jobs_cannot_be_completed(ledger: Ledger, run: Run) -> None:
    with pytest.raises(RecordError, match="5 jobs are open"):
        await ledger.finish_run(run.id, RunState.COMPLETED)

    aborted = await ledger.finish_run(
        run.id, RunState.ABORTED, error_code="stopped", error_message="by\x00hand"
    )

    assert (aborted.state, aborted.error_message) == (RunState.ABORTED, "by␀hand")
    assert (await ledger.reopen_run(run.id)).state is RunState.RUNNING


async def test_a_settlement_is_written_whole(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, bookkeeper: Any, page_of: Make
) -> None:
    (lease, *_) = await lease_all(run)
    page = page_of(lease, b"<html>price</html>", etag='"v1"')
    settlement: Settlement = settlement_of(lease, page=page, record="offer", details="bad \x00 byte")

    await ledger.settle(settlement)

    (job,) = await ledger.jobs(run.id, state=JobState.SUCCEEDED)
    assert (job.id, job.attempts, job.site_id, job.site_version) == (lease.job_id, 1, "woo", "1.0.0")
    assert (job.details, job.ended_at) == ("bad ␀ byte", settlement.settled_at)
    assert job.snapshot is not None
    assert await ledger.read_snapshot(job.snapshot) == b"<html>price</html>"
    assert await ledger.attempts(lease.job_id) == list(settlement.attempts)
    assert (await ledger.targets())[0].validators.etag == '"v1"'
    assert bookkeeper.settled == [settlement]


async def test_settling_twice_is_once(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, bookkeeper: Any
) -> None:
    (lease, *_) = await lease_all(run)
    settlement = settlement_of(lease)

    await ledger.settle(settlement)
    await ledger.settle(settlement)

    assert (await ledger.counts(run.id))["succeeded"] == 1
    assert len(await ledger.attempts(lease.job_id)) == 1
    assert len(bookkeeper.settled) == 1


async def test_failures_in_a_row_are_counted_on_the_target(
    ledger: Ledger, targets: Make, settlement_of: Make, new_run: NewRun
) -> None:
    async def settle(outcome: Outcome, reason: str | None = None) -> int:
        run = await ledger.plan_run(new_run, targets(1))
        (lease,) = await ledger.lease(run.id, lane="shop.test", worker="w1", limit=1, seconds=60)
        await ledger.settle(settlement_of(lease, outcome, reason=reason))
        question = "SELECT consecutive_failures FROM targets"
        return await ledger.read(lambda connection: connection.exec_driver_sql(question).scalar_one())

    assert await settle(Outcome.FAILED) == 1
    assert await settle(Outcome.QUARANTINED) == 2
    assert await settle(Outcome.SKIPPED) == 2
    assert await settle(Outcome.DROPPED, "oos_no_price") == 0
    assert await settle(Outcome.DROPPED, "unknown_availability") == 1
    assert await settle(Outcome.SUCCEEDED) == 0


async def test_a_page_we_could_not_use_is_fetched_whole_next_time(
    ledger: Ledger, targets: Make, settlement_of: Make, page_of: Make, new_run: NewRun
) -> None:
    async def settle(outcome: Outcome, *, status: int, etag: str | None) -> str | None:
        run = await ledger.plan_run(new_run, targets(1))
        (lease,) = await ledger.lease(run.id, lane="shop.test", worker="w1", limit=1, seconds=60)
        page = page_of(lease, b"" if status == 304 else None, status=status, etag=etag)
        await ledger.settle(settlement_of(lease, outcome, page=page))
        return (await ledger.targets())[0].validators.etag

    assert await settle(Outcome.SUCCEEDED, status=200, etag='"a"') == '"a"'
    assert await settle(Outcome.SUCCEEDED, status=304, etag=None) == '"a"'
    assert await settle(Outcome.QUARANTINED, status=200, etag='"b"') is None


async def test_a_dry_run_records_no_facts(
    ledger: Ledger, targets: Make, settlement_of: Make, bookkeeper: Any
) -> None:
    run = await ledger.plan_run(NewRun("prices", "shop", dry_run=True), targets(1))
    (lease,) = await ledger.lease(run.id, lane="shop.test", worker="w1", limit=1, seconds=60)

    await ledger.settle(settlement_of(lease, record="offer"))

    assert (await ledger.counts(run.id))["succeeded"] == 1
    assert bookkeeper.settled == []
    question = "SELECT last_scraped_at FROM targets"
    assert await ledger.read(lambda connection: connection.exec_driver_sql(question).scalar_one()) is None


async def test_an_identity_is_claimed_once_and_survives_a_restart(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make
) -> None:
    leases = await lease_all(run)
    await ledger.settle(settlement_of(leases[0], record="SKU:1"))

    seen = await ledger.identities(run.id)

    assert seen.claim("SKU:1", leases[0].job_id)
    assert not seen.claim("SKU:1", leases[1].job_id)
    assert seen.claim("SKU:2", leases[1].job_id)
    seen.forget("SKU:2", leases[1].job_id)
    assert seen.claim("SKU:2", leases[2].job_id)


async def test_a_run_opened_without_jobs_is_filled_once(ledger: Ledger, targets: Make) -> None:
    opened = await ledger.plan_run(NewRun(app="prices", source_id="shop", is_prepared=False), ())

    filled = await ledger.fill_run(opened.id, targets(5), limit=3)

    assert (opened.is_prepared, opened.planned) == (False, 0)
    assert (filled.is_prepared, filled.planned, filled.counts["pending"]) == (True, 3, 3)
    with pytest.raises(RecordError, match="has its jobs already"):
        await ledger.fill_run(opened.id, targets(5))
