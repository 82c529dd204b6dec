"""Defects known of the price monitor this one was specified after; each has a test that we do not have it.

Most are proven where they belong: the table says where, and a test holds it to what is there. The rest are below.
"""

from __future__ import annotations

import ast
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from limpet.engine.aftermath import end_run
from limpet.fetch import Trail
from limpet.fetch.client import Way
from limpet.record.entry import NewRun
from limpet.target import JobState
from limpet.target.outcome import RunState
from limpet.web.words import MEANINGS, STATE_ORDER

TESTS = Path(__file__).parents[1]
HERE = "journeys/test_reference_defects.py"
READING = "apps/prices/test_reading_defects.py"
DRIFT, TIMETABLE, RUNS = "journeys/test_drift.py", "journeys/test_timetable.py", "journeys/test_runs.py"

PROVEN = {
    "OOS_NO_PRICE subtracted twice from the failure rate": (
        ("observe/test_drift.py", "test_sold_out_pages_are_left_out_of_the_rates_once_and_not_twice"),
    ),
    "admin-blocked addresses queued again for ever": (
        ("record/test_lives.py", "test_a_target_blocked_by_a_person_is_never_planned_again"),
        (HERE, "test_a_target_blocked_while_it_waits_is_skipped_and_not_queued_again"),
    ),
    "emergency stop cleared the wrong queue": (
        (HERE, "test_what_is_stopped_is_counted_in_the_one_queue_there_is"),
    ),
    "an adapter with a run under way was skipped, so run-now never progressed": (
        (TIMETABLE, "test_a_run_started_by_hand_progresses_while_another_is_under_way"),
    ),
    "a target deleted while queued raised errors": (
        (TIMETABLE, "test_a_target_taken_out_while_it_waits_is_quietly_skipped"),
    ),
    "an unparseable price silently became 0": (
        (READING, "test_a_price_that_cannot_be_read_never_becomes_zero"),
    ),
    "a job id without its batch blocked processing again": (
        (HERE, "test_the_same_target_is_walked_in_every_run"),
    ),
    "a manual run with a hard-coded adapter version": (
        (DRIFT, "test_a_batch_names_the_version_that_read_it"),
    ),
    "406 from the JSON API": (
        ("apps/prices/test_json_api.py", "test_a_shop_that_refuses_browsers_is_asked_for_json"),
    ),
    "zero price never reaches quarantine": (
        (READING, "test_a_zero_price_reaches_quarantine_and_is_never_called_missing"),
        (DRIFT, "test_zero_prices_in_two_batches_disable_and_are_quarantined_not_taken_for_missing"),
    ),
    "any text containing AVAILABLE is in stock": ((READING, "test_unavailable_is_not_available"),),
    "extraction failures never break a target": (
        (DRIFT, "test_an_extraction_that_fails_five_times_breaks_the_target"),
    ),
    "zero offers in two runs does not disable": (
        ("observe/test_drift.py", "test_nothing_extracted_in_two_runs_disables"),
    ),
    "AMBIGUOUS_PRICE never emitted; Brownells without ?sku takes the lowest": (
        (READING, "test_several_candidates_for_the_price_are_set_aside"),
        (READING, "test_without_a_selector_no_variant_is_taken_for_the_product"),
    ),
    "PID: or SKU: identity by the form of the address": (
        (READING, "test_a_product_has_one_identity_whatever_form_its_address_has"),
    ),
    "recheck blindly re-activates": (
        (DRIFT, "test_a_broken_target_is_really_fetched_before_it_is_active_again"),
    ),
    "runs finalise after 30 minutes; completed counts what was enqueued": (
        (TIMETABLE, "test_a_run_ends_when_its_last_target_does_and_counts_what_was_walked"),
    ),
    "maxConcurrent acts as requests per window": (
        ("record/test_budget.py", "test_no_more_are_inside_than_the_pace_allows"),
    ),
    "entries of the same millisecond collide": (
        ("record/test_budget_processes.py", "test_four_processes_at_fifty_a_second_are_never_faster"),
    ),
    "crawl-delay only used as a wait time": (
        (RUNS, "test_a_crawl_delay_is_kept"),
        ("record/test_budget.py", "test_a_crawl_delay_spaces_even_what_came_before_it_was_known"),
    ),
    "Brownells paced by its www host, not its registrable domain": (
        ("target/test_address.py", "test_lane_is_the_domain_whose_budget_is_charged"),
    ),
    "robots: no Allow, no $ and * inside, grouped agents lost": (
        ("fetch/policy/test_robots.py", "test_a_path_is_judged_as_the_file_says"),
        ("fetch/policy/test_robots.py", "test_an_agent_obeys_the_group_that_names_it"),
    ),
    "robots: of the apex host only": (
        ("fetch/policy/test_robots_keeper.py", "test_each_origin_has_its_own_file"),
    ),
    "robots: an outage is remembered for 24 hours": (
        (
            "fetch/policy/test_robots_keeper.py",
            "test_an_unavailable_file_is_asked_for_again_after_a_short_while",
        ),
    ),
    "retries are not rate-limited": ((HERE, "test_a_retry_waits_for_the_pace_like_any_request"),),
    "Retry-After ignored": (
        (RUNS, "test_a_retry_after_is_waited_for_however_it_is_written"),
        ("journeys/test_commands.py", "test_a_retry_after_holds_every_process_back"),
    ),
    "no final address in the result": ((HERE, "test_a_page_says_where_it_came_from_in_the_end"),),
    "a challenge with status 200 goes unnoticed": ((READING, "test_a_challenge_with_status_200_is_noticed"),),
    "the words blocked or rate limit alone make a block": (
        ("fetch/test_challenge.py", "test_content_that_mentions_the_machinery_is_not_a_challenge"),
        (READING, "test_the_machinery_of_challenges_on_a_healthy_page_is_no_block"),
    ),
    "the pending counter drifts": (
        ("record/test_backlog.py", "test_the_count_is_exact_whatever_became_of_the_jobs"),
    ),
    "the portal checks other words than the ledger stores": (
        (HERE, "test_the_portal_knows_every_word_of_the_ledger"),
    ),
    "a CSV split at commas breaks quoted fields": (
        (
            "engine/test_importing.py",
            "test_a_table_with_quotes_commas_and_a_mark_at_its_start_is_read_as_it_is_meant",
        ),
    ),
    "a cron of a target is kept and never used": (
        (TIMETABLE, "test_a_target_follows_the_schedule_of_its_own"),
    ),
}


@cache
def names_in(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text())
    return frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


@pytest.mark.parametrize("defect", PROVEN)
def test_the_defect_has_a_test_that_we_do_not_have_it(defect: str) -> None:
    missing = [(file, name) for file, name in PROVEN[defect] if name not in names_in(file)]

    assert missing == []


async def test_a_target_blocked_while_it_waits_is_skipped_and_not_queued_again(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(3)))

    async with shore.open() as house:
        run = await house.desk.plan(NewRun("prices", "shop"))
        blocked = (await house.ledger.jobs(run.id))[1]
        await shore.limpet("targets", "block", str(blocked.target_id), "--reason", "they asked us to")
        await journey.walk(house, run)
        words = await journey.words_of(house, run)
        again = await journey.plan_and_walk(house)

    assert [state for state, _ in words] == ["succeeded", "skipped", "succeeded"]
    assert again.planned == 2 and len(shore.visits()) == 4


async def test_what_is_stopped_is_counted_in_the_one_queue_there_is(shore, journey) -> None:
    """There is no second queue to be forgotten: what waits are job rows, and a stop hands every one of them back."""
    shore.write_config(shore.source(shore.urls(20)))

    async with shore.open() as house:
        stop = house.desk.crew.stop
        onlooker = journey.Onlooker(lambda count: stop.set() if count == 5 else None)
        stopped = await journey.plan_and_walk(house, onlooker)
        holders = await house.ledger.holders(stopped.id)
        await journey.prove(house)

    assert stopped.state is RunState.RUNNING and holders == []
    assert stopped.counts["pending"] + stopped.counts["succeeded"] == 20 and stopped.counts["running"] == 0


async def test_the_same_target_is_walked_in_every_run(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(2)))

    async with shore.open() as house:
        runs = [await journey.plan_and_walk(house) for _ in range(3)]

    assert [run.counts["succeeded"] for run in runs] == [2, 2, 2]
    assert len(shore.visits()) == 6


async def test_a_retry_waits_for_the_pace_like_any_request(shore, journey) -> None:
    pace = "requests_per_second = 5\nmin_delay_seconds = 0.2\njitter = 0"
    settings = "retry_base_delay_seconds = 0\nretry_max_delay_seconds = 0"
    shore.write_config(shore.source(shore.urls(2), pace=pace), settings=settings)
    shore.pool.set_fault("shop", "unavailable_bare", path=shore.paths(1)[0], times=2)

    async with shore.open() as house:
        run = await journey.plan_and_walk(house)

    arrivals = [visit.arrived_monotonic for visit in shore.pool.log]
    assert run.counts["succeeded"] == 2 and len(shore.visits()) == 4
    assert min(later - earlier for earlier, later in pairwise(arrivals)) > 0.17


async def test_a_page_says_where_it_came_from_in_the_end(shore) -> None:
    shore.write_config(shore.source(shore.urls(1)))
    path = shore.paths(1)[0]

    async with shore.open() as house:
        way = Way(house.client, house.catalogue.get("shop"), Trail())
        page = await way.get(shore.pool.url("shop", path.rstrip("/")))

    assert page.url.endswith(path.rstrip("/")) and page.final_url.endswith(path)
    assert page.redirects == (page.final_url,)


async def test_the_portal_knows_every_word_of_the_ledger(shore, journey) -> None:
    shore.write_config(shore.source(shore.urls(1)))
    styles = (TESTS.parent / "src/limpet/web/static/limpet.css").read_text()

    assert set(STATE_ORDER) == set(MEANINGS) == set(JobState)
    assert [word.value for word in (*JobState, *RunState) if f".w-{word.value}" not in styles] == []
    async with shore.open() as house:
        for state in (RunState.FAILED, RunState.ABORTED, RunState.QUARANTINED, RunState.COMPLETED):
            run = await journey.plan_and_walk(house)
            await house.ledger.write(lambda c, r=run, s=state: end_run(c, r, s, now=house.clock.now()))
            assert (await house.ledger.run(run.id)).state is state
