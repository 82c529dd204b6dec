"""Sites that change and sites that say no: noticed, switched off, and proven again before they are trusted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from limpet.engine.aftermath import end_run
from limpet.engine.recheck import plan_rechecks
from limpet.record.batches import batches_of_run
from limpet.record.switching import disable_adapter, enable_adapter, switches
from limpet.source import Switch, SwitchKind
from limpet.target.outcome import RunState, Trigger
from tidepool import Tidepool

ADAPTER = "tidepool_shop"


def midway_source(shore, count: int) -> str:
    """Return a second shop, read by an adapter of its own, on a domain of its own."""
    products = list(shore.pool.site("midway").catalogue)[:count]
    urls = [shore.pool.url("midway", product.path, zone="reef.localhost") for product in products]
    text = shore.source(urls, name="midway", zone="reef.localhost")
    return text.replace('site = "tidepool_shop"', 'site = "midwayusa"').replace("shop.reef", "midway.reef")


def shop_source(shore, count: int, **more: str) -> str:
    return shore.source(shore.urls(count), **more)


async def by_source(house, run) -> Counter[tuple[str, str, str | None]]:
    jobs = await house.ledger.jobs(run.id)
    return Counter((job.source_id, job.state.value, job.reason) for job in jobs)


async def event_types(house, run=None) -> list[str]:
    events = await house.ledger.events(run_id=run.id if run else None)
    return [event.event_type for event in events if not event.event_type.startswith("run_")]


async def enable(house, reason: str = "mended") -> None:
    now = house.clock.now()
    await house.ledger.write(partial(enable_adapter, adapter_id=ADAPTER, by="Ada", reason=reason, now=now))


# -- an adapter that drifts ---------------------------------------------------------------------------------


async def test_a_drifted_shop_is_disabled_after_two_batches_and_recovers_by_its_canary(
    anywhere, journey
) -> None:
    shore = anywhere
    shore.write_config(shop_source(shore, 30), midway_source(shore, 22))
    runs = []

    async with shore.open() as house:
        runs.append(await journey.plan_and_walk(house))
        shore.pool.set_fault("shop", "redesigned")
        runs.append(await journey.plan_and_walk(house))
        alerts = await event_types(house, runs[-1])
        runs.append(await journey.plan_and_walk(house))
        ends = await event_types(house, runs[-1])
        visits = len(shore.visits())
        runs.append(await journey.plan_and_walk(house))
        status = await house.ledger.adapter_status(ADAPTER)
        other = await house.ledger.adapter_status("midwayusa")
        counted = [await by_source(house, run) for run in runs]
        await journey.prove(house)

    assert counted[0]["shop", "succeeded", None] == 30
    assert sum(counted[1][key] for key in counted[1] if key[0] == "shop" and key[1] == "failed") == 30
    assert "alert_high_failure_rate" in alerts and "adapter_disabled" not in alerts
    assert ends == ["adapter_disabled"]
    assert (status.enabled, status.disabled_reason) == (False, "DRIFT_DETECTED")
    assert [each["midway", "succeeded", None] for each in counted] == [
        22
    ] * 4  # the neighbour saw nothing of it
    assert {key[0] for key in counted[3]} == {"midway"} and len(shore.visits()) == visits
    assert other.enabled and other.baseline_sample_size == 4

    shore.pool.clear_faults()
    refused = await shore.limpet("run", "prices", "--source", "shop")
    listed = await shore.limpet("list", "sources")
    shown = await shore.limpet("show", str(runs[2].id))
    enable = ("adapters", "enable", ADAPTER, "--reason", "the shop took its redesign back")
    unmended, enabled = await shore.limpet(*enable), await shore.limpet(*enable, "--force")
    again = await shore.limpet("run", "prices", "--source", "shop")

    assert (
        refused.code == 2 and "DRIFT_DETECTED" in refused.err and f"adapters enable {ADAPTER}" in refused.err
    )
    assert "DRIFT_DETECTED" in listed.out
    assert "adapter_disabled" in shown.out and "30 of 30" in shown.out
    assert unmended.code == 2 and "still fails" in unmended.err
    assert enabled.code == 0 and again.code == 0, again.out + again.err
    async with shore.open() as house:
        recovered = await house.ledger.adapter_status(ADAPTER)
        run = (await house.ledger.runs(limit=1))[0]
        story = await event_types(house, run)
        audit = await house.ledger.audit_entries(subject=f"adapter {ADAPTER}")
        await journey.prove(house)
    assert run.counts["succeeded"] == 30
    assert story == ["canary_started", "canary_passed"]
    assert recovered.enabled and recovered.watched_since is None and recovered.consecutive_failed_batches == 0
    canaries = ["canary_adapter"] * 2
    assert [entry.action for entry in audit] == ["enable_adapter", *canaries, "disable_adapter"]


async def test_an_adapter_that_is_not_mended_is_off_again_after_twenty_targets(shore, journey) -> None:
    shore.write_config(
        shop_source(
            shore, 50, pace="requests_per_second = 200\nmin_delay_seconds = 0.005\nmax_concurrent = 8"
        )
    )
    shore.pool.set_fault("shop", "redesigned")

    async with shore.open() as house:
        for _ in range(2):
            await journey.plan_and_walk(house)
        await enable(house, "hopefully")
        before = len(shore.visits())
        canary = await journey.plan_and_walk(house)
        status = await house.ledger.adapter_status(ADAPTER)
        words = await by_source(house, canary)
        story = await event_types(house, canary)
        await journey.prove(house)

    assert len(shore.visits()) - before == 20
    assert words["shop", "skipped", "adapter_disabled"] == 30
    assert story[0] == "canary_started" and story.count("adapter_disabled") == 1
    assert not status.enabled and "first 20 targets" in str(status.disabled_details)


async def test_a_canary_cut_short_goes_on_where_it_was(shore, journey) -> None:
    shore.write_config(shop_source(shore, 40))
    async with shore.open() as house:
        await house.ledger.write(
            partial(disable_adapter, adapter_id=ADAPTER, by="Ada", reason="x", now=house.clock.now())
        )
        await enable(house)
        shore.pool.set_fault("shop", "redesigned")
        stop = house.desk.crew.stop
        stopped = await journey.plan_and_walk(
            house, journey.Onlooker(lambda count: stop.set() if count == 12 else None)
        )
    seen = len(shore.visits())

    async with shore.open() as house:
        ended = await journey.walk(house, stopped)
        story = await event_types(house, ended)
        await journey.prove(house)

    assert 12 <= seen < 20
    assert len(shore.visits()) == 20
    assert ended.counts["skipped"] == 20
    assert story.count("canary_started") == 1 and story.count("adapter_disabled") == 1


async def test_an_adapter_switched_off_by_another_process_is_left_alone_by_lanes_under_way(
    shore, journey
) -> None:
    shore.write_config(shop_source(shore, 40, pace="requests_per_second = 20\nmin_delay_seconds = 0.05"))

    running = await shore.start("run", "prices", "--log-level", "error")
    await shore.until(lambda: len(shore.visits()) >= 2)
    off = await shore.limpet("adapters", "disable", ADAPTER, "--reason", "they asked us to")
    async with shore.open() as house:
        assert house.catalogue.get("shop").switch is not None
    running.interrupt()
    await running.ends()
    resumed = await shore.limpet("resume")

    async with shore.open() as house:
        run = (await house.ledger.runs(limit=1))[0]
        words = await by_source(house, run)
        await journey.prove(house)
    assert off.code == 0
    assert words["shop", "skipped", "adapter_disabled"] > 0, resumed.out + resumed.err
    assert run.state is RunState.COMPLETED


async def test_lanes_under_way_skip_what_is_left_when_their_adapter_goes_off(shore, journey) -> None:
    shore.write_config(shop_source(shore, 30))

    async with shore.open() as house:
        now = house.clock.now()
        off = [Switch(SwitchKind.ADAPTER, ADAPTER, "MANUAL", "they asked us to", now, "Ada")]
        onlooker = journey.Onlooker(lambda count: house.catalogue.switch(off) if count == 10 else None)
        ended = await journey.plan_and_walk(house, onlooker)
        words = await by_source(house, ended)
        await journey.prove(house)

    assert words == {("shop", "succeeded", None): 10, ("shop", "skipped", "adapter_disabled"): 20}
    assert len(shore.visits()) == 10


async def test_zero_prices_in_two_batches_disable_and_are_quarantined_not_taken_for_missing(
    shore, journey
) -> None:
    shore.write_config(shop_source(shore, 24))

    async with shore.open() as house:
        await journey.plan_and_walk(house)
        shore.pool.set_fault("shop", "price_zero", path=shore.paths(1)[0])  # one page of twenty-four
        first = await journey.plan_and_walk(house)
        second = await journey.plan_and_walk(house)
        words = [await by_source(house, run) for run in (first, second)]
        events = [await event_types(house, run) for run in (first, second)]
        status = await house.ledger.adapter_status(ADAPTER)

    assert [each["shop", "quarantined", "zero_price_extracted"] for each in words] == [1, 1]
    assert events == [["alert_zero_price"], ["adapter_disabled"]]
    assert not status.enabled and "zero" in str(status.disabled_details)


async def test_a_single_zero_price_in_a_small_batch_is_set_aside_and_told(shore, journey) -> None:
    shore.write_config(shop_source(shore, 5))
    shore.pool.set_fault("shop", "price_zero", path=shore.paths(1)[0])

    async with shore.open() as house:
        runs = [await journey.plan_and_walk(house) for _ in range(3)]
        events = [await event_types(house, run) for run in runs]
        status = await house.ledger.adapter_status(ADAPTER)

    assert events == [["alert_zero_price"]] * 3
    assert status.enabled


async def test_a_season_of_sold_out_pages_without_a_price_is_no_drift(shore, journey) -> None:
    async with Tidepool(products=1_000) as pool:
        inland = replace(shore, pool=pool)
        hidden = [each.path for each in pool.site("shop").catalogue if each.kind == "sold_out_unpriced"]
        inland.write_config(inland.source([pool.url("shop", path) for path in hidden]))
        async with inland.open() as house:
            runs = [await journey.plan_and_walk(house) for _ in range(3)]
            words = await by_source(house, runs[-1])
            (batch,) = await house.ledger.read(partial(batches_of_run, run_id=runs[-1].id))
            status = await house.ledger.adapter_status(ADAPTER)

    assert len(hidden) >= 20
    assert words == {("shop", "dropped", "oos_no_price"): len(hidden)}
    assert (batch["oos_no_price_count"], batch["urls_judged"], batch["failure_rate"]) == (len(hidden), 0, 0.0)
    assert status.enabled and status.consecutive_failed_batches == 0


async def test_a_run_is_judged_once_however_often_it_is_ended(shore, journey) -> None:
    shore.write_config(shop_source(shore, 22))
    shore.pool.set_fault("shop", "redesigned")

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        for _ in range(3):
            await house.ledger.reopen_run(ended.id)
            await house.ledger.write(
                partial(end_run, run=ended, state=RunState.FAILED, now=house.clock.now())
            )
        status = await house.ledger.adapter_status(ADAPTER)
        events = await event_types(house, ended)

    assert status.enabled and status.consecutive_failed_batches == 1
    assert events.count("alert_high_failure_rate") == 1


async def test_a_batch_names_the_version_that_read_it(shore, journey) -> None:
    shore.write_config(shop_source(shore, 3))

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        (batch,) = await house.ledger.read(partial(batches_of_run, run_id=ended.id))
        version = house.sites.get(ADAPTER).version

    assert batch["adapter_version"] == version
    assert (batch["urls_attempted"], batch["offers_valid"], batch["yield_rate"]) == (3, 3, 1.0)


# -- a site that says no ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["forbidden_403", "challenge_200", "captcha_403", "rate_limited_bare"])
async def test_three_blocks_stop_the_source_and_nobody_else(shore, journey, fault: str) -> None:
    shore.write_config(shop_source(shore, 12), midway_source(shore, 8))
    shore.pool.set_fault("shop", fault, path="/product/*")

    async with shore.open(retry_max_attempts=1, circuit_breaker_threshold=50) as house:
        ended = await journey.plan_and_walk(house)
        words = await by_source(house, ended)
        (switch,) = await house.ledger.read(switches)
        adapter = await house.ledger.adapter_status(ADAPTER)
        await journey.prove(house)

    assert words["shop", "skipped", "source_disabled"] == 9
    assert words["midway", "succeeded", None] == 8
    assert len(shore.visits()) == 3
    assert (switch.id, switch.reason) == ("shop", "BLOCKED")
    assert adapter.enabled


async def test_a_stopped_source_stays_off_until_a_person_turns_it_on(shore, journey) -> None:
    shore.write_config(shop_source(shore, 6))
    shore.pool.set_fault("shop", "forbidden_403", path="/product/*")
    async with shore.open(circuit_breaker_threshold=50) as house:
        await journey.plan_and_walk(house)
    shore.pool.clear_faults()
    seen = len(shore.visits())

    refused = await shore.limpet("run", "prices")
    untouched = len(shore.visits())
    enabled = await shore.limpet("sources", "enable", "shop", "--reason", "they wrote that it was a mistake")
    again = await shore.limpet("run", "prices")

    assert refused.code == 2 and "BLOCKED" in refused.err and "limpet sources enable shop" in refused.err
    assert untouched == seen
    assert enabled.code == 0 and again.code == 0, again.out + again.err
    assert len(shore.visits()) == seen + 6


async def test_two_blocks_do_not_stop_a_source(shore, journey) -> None:
    shore.write_config(shop_source(shore, 10))
    for path in shore.paths(2):
        shore.pool.set_fault("shop", "forbidden_403", path=path)

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)

    assert (ended.counts["failed"], ended.counts["succeeded"]) == (2, 8)


async def test_blocks_of_earlier_runs_within_the_five_minutes_count(shore, journey) -> None:
    shore.write_config(shop_source(shore, 3))
    shore.pool.set_fault("shop", "forbidden_403", path=shore.paths(1)[0])

    ended = []
    for _ in range(4):
        async with shore.open() as house:  # a restart between them forgets nothing
            try:
                ended.append(await journey.plan_and_walk(house))
            except Exception as refusal:
                ended.append(type(refusal).__name__)

    assert [run.counts["failed"] for run in ended[:3]] == [1, 1, 1]
    assert ended[3] == "SwitchedOff"


async def test_what_robots_txt_forbids_is_obeyed_and_no_block(shore, journey) -> None:
    shore.write_config(shop_source(shore, 6))
    shore.pool.faults.set("shop", "robots_deny_path", options={"path": "/product/"})

    async with shore.open() as house:
        ended = await journey.plan_and_walk(house)
        off = await house.ledger.read(switches)

    assert ended.counts["dropped"] == 6
    assert off == []


# -- a target that is broken --------------------------------------------------------------------------------


async def test_five_failures_of_any_kind_break_a_target_and_it_is_left_alone(shore, journey) -> None:
    """Fetching, reading and judging: whatever goes wrong counts, one after the other."""
    shore.write_config(shop_source(shore, 3))
    path = shore.paths(1)[0]
    faults = ["redesigned", "server_error_500", "price_zero", "stock_unknown", "not_found_404"]
    words = []

    async with shore.open(retry_max_attempts=1) as house:
        for fault in faults:
            shore.pool.set_fault("shop", fault, path=path)
            words.append((await journey.words_of(house, await journey.plan_and_walk(house)))[0][0])
            shore.pool.clear_faults()
        (broken,) = await house.ledger.targets(status="broken")
        events = await house.ledger.events(event_type="target_broken")
        after = await journey.plan_and_walk(house)

    assert words == ["failed", "failed", "quarantined", "dropped", "failed"]
    assert broken.url.endswith(path)
    assert [event.target_id for event in events] == [broken.id]
    assert after.planned == 2


async def test_an_extraction_that_fails_five_times_breaks_the_target(shore, journey) -> None:
    shore.write_config(shop_source(shore, 2))
    shore.pool.set_fault("shop", "redesigned", path=shore.paths(1)[0])

    async with shore.open() as house:
        for _ in range(5):
            await journey.plan_and_walk(house)
        broken = await house.ledger.targets(status="broken")

    assert len(broken) == 1


async def test_a_success_in_between_begins_the_count_anew(shore, journey) -> None:
    shore.write_config(shop_source(shore, 1))

    async with shore.open() as house:
        for number in range(9):
            if number != 4:
                shore.pool.set_fault("shop", "redesigned")
            await journey.plan_and_walk(house)
            shore.pool.clear_faults()
        (target,) = await house.ledger.targets(status="active")

    assert target.url


async def age(house, days: float) -> None:
    """Let the last visit of every target lie so many days back."""
    moment = f"strftime('%Y-%m-%d %H:%M:%f', 'now', '-{days} days')"
    await house.ledger.write(
        lambda connection: connection.exec_driver_sql(f"UPDATE targets SET last_scraped_at = {moment}")
    )


async def break_one(house, shore, journey) -> None:
    shore.pool.set_fault("shop", "redesigned", path=shore.paths(1)[0])
    for _ in range(5):
        await journey.plan_and_walk(house)


async def test_a_broken_target_is_really_fetched_before_it_is_active_again(shore, journey) -> None:
    shore.write_config(shop_source(shore, 2))
    path = shore.paths(1)[0]
    async with shore.open() as house:
        await break_one(house, shore, journey)
        too_early = await plan_rechecks(house.desk, house.clock.now())
        await age(house, 8)
        before = len(shore.visits(path))
        (failing,) = await plan_rechecks(house.desk, house.clock.now())
        none_twice = await plan_rechecks(house.desk, house.clock.now())
        still = await journey.walk(house, failing)
        left_alone = await plan_rechecks(house.desk, house.clock.now())  # the next look is in a week
        broken = await house.ledger.targets(status="broken")
        shore.pool.clear_faults()
        await age(house, 8)
        (answering,) = await plan_rechecks(house.desk, house.clock.now())
        await journey.walk(house, answering)
        active = await house.ledger.targets(status="active")
        ends = await event_types(house, answering)
        status = await house.ledger.adapter_status(ADAPTER)

    assert too_early == none_twice == left_alone == []
    assert (still.trigger, still.planned, still.counts["failed"]) == (Trigger.RECHECK, 1, 1)
    assert len(broken) == 1
    assert len(shore.visits(path)) - before == 2
    assert len(active) == 2
    assert "recheck_ended" in ends
    assert status.enabled


async def test_broken_targets_are_rechecked_by_hand(shore, journey) -> None:
    shore.write_config(shop_source(shore, 2))
    async with shore.open() as house:
        await break_one(house, shore, journey)
    shore.pool.clear_faults()

    done = await shore.limpet("run", "prices", "--recheck")
    nothing = await shore.limpet("run", "prices", "--recheck")

    listed = await shore.limpet("targets", "list", "--json")
    assert done.code == 0, done.out + done.err
    assert [target["status"] for target in json.loads(listed.out)] == ["active", "active"]
    assert [target["consecutive_failures"] for target in json.loads(listed.out)] == [0, 0]
    assert nothing.code == 2 and "No target is broken" in nothing.err
