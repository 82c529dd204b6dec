"""Batches judged: what alerts, what disables, what is exempt, and what is usual."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from limpet.observe.batch import ScrapeRunMetrics, derive, measure
from limpet.observe.drift import (
    Action,
    DriftBaseline,
    DriftDecision,
    DriftReason,
    PastBatch,
    baseline_of,
    judge_batch,
    judge_canary,
)
from limpet.record.logbook import AdapterStatus

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FRESH = AdapterStatus("woo")
Endings = dict[tuple[str, str | None], int]


def batch(
    *,
    good: int = 0,
    failed: int = 0,
    dropped: int = 0,
    zero: int = 0,
    oos: int = 0,
    twice: int = 0,
    lost: int = 0,
) -> ScrapeRunMetrics:
    endings: Endings = {
        ("succeeded", None): good,
        ("failed", "selector_not_found"): failed,
        ("dropped", "unknown_availability"): dropped,
        ("quarantined", "zero_price_extracted"): zero,
        ("dropped", "oos_no_price"): oos,
        ("dropped", "duplicate_within_run"): twice,
        ("skipped", "gate.breaker"): 7,
    }
    return measure(endings, lost_prices=lost)


def judge_all(*batches: ScrapeRunMetrics, baseline: DriftBaseline | None = None) -> list[DriftDecision]:
    status, decisions = FRESH, []
    for metrics in batches:
        decisions.append(judge_batch(metrics, status, baseline or DriftBaseline(), now=NOW))
        status = decisions[-1].status
    return decisions


# -- what is counted ----------------------------------------------------------------------------------------


def test_every_attempt_is_in_exactly_one_count() -> None:
    metrics = measure(
        {
            ("succeeded", None): 10,
            ("no_record", "no_record"): 2,
            ("failed", "timeout"): 3,
            ("failed", "selector_not_found"): 1,
            ("dropped", "unknown_availability"): 4,
            ("dropped", "oos_no_price"): 5,
            ("dropped", "duplicate_within_run"): 6,
            ("quarantined", "ambiguous_price"): 1,
            ("quarantined", "zero_price_extracted"): 2,
            ("skipped", "gate.breaker"): 9,
            ("pending", None): 9,
        }
    )

    assert metrics == ScrapeRunMetrics(
        urls_attempted=34,
        urls_succeeded=30,
        urls_failed=4,
        offers_extracted=23,
        offers_valid=10,
        offers_dropped=4,
        offers_quarantined=3,
        zero_price_count=2,
        oos_no_price_count=5,
        duplicate_count=6,
        no_record_count=2,
    )
    assert (metrics.urls_judged, metrics.urls_troubled) == (23, 11)


def test_sold_out_pages_are_left_out_of_the_rates_once_and_not_twice() -> None:
    with_sold_out, without = batch(good=12, failed=8, oos=10), batch(good=12, failed=8)

    assert derive(with_sold_out) == derive(without)
    assert derive(with_sold_out).failure_rate == pytest.approx(8 / 20)
    assert derive(with_sold_out).yield_rate == pytest.approx(12 / 20)


@pytest.mark.parametrize("exempt", [{"oos": 100}, {"twice": 100}, {"oos": 60, "twice": 60}])
def test_a_batch_of_nothing_but_exempt_endings_is_no_drift(exempt: dict[str, int]) -> None:
    decisions = judge_all(*[batch(**exempt)] * 5)

    assert {decision.action for decision in decisions} == {Action.NOTHING}
    assert decisions[-1].status == FRESH
    assert derive(batch(**exempt)).failure_rate == 0.0


def test_an_unknown_availability_does_count() -> None:
    assert judge_all(*[batch(dropped=25)] * 2)[-1].action is Action.DISABLE


def test_a_page_that_says_there_is_nothing_is_an_answer() -> None:
    nothing_there = measure({("no_record", "no_record"): 500})

    assert judge_all(*[nothing_there] * 3)[-1].action is Action.NOTHING


# -- what is done about it ----------------------------------------------------------------------------------

BAD, GOOD, SMALL_BAD = batch(good=9, failed=11), batch(good=20), batch(failed=19)


@pytest.mark.parametrize(
    ("batches", "actions"),
    [
        ([BAD], "alert"),
        ([BAD, BAD], "alert disable"),
        ([BAD, GOOD, BAD], "alert nothing alert"),
        ([BAD, GOOD, BAD, BAD], "alert nothing alert disable"),
        ([batch(good=10, failed=10)] * 3, "nothing nothing nothing"),  # half is not more than half
        ([SMALL_BAD] * 4, "nothing nothing nothing nothing"),
        ([BAD, SMALL_BAD, BAD], "alert nothing disable"),  # a small batch does not break the series
        ([BAD, batch(good=5), BAD], "alert nothing disable"),
        ([BAD, BAD, BAD, GOOD], "alert disable nothing nothing"),  # under way when it was switched off
        ([batch(failed=11, good=9, oos=40)] * 2, "alert disable"),  # sold out pages do not hide it
        ([batch(failed=15, oos=6)] * 2, "nothing nothing"),  # fifteen that say anything are too few
    ],
)
def test_a_failing_adapter_alerts_once_and_is_disabled_at_the_second_batch_in_a_row(
    batches: list[ScrapeRunMetrics], actions: str
) -> None:
    assert " ".join(decision.action for decision in judge_all(*batches)) == actions


def test_what_is_disabled_says_since_when_why_and_by_whom() -> None:
    status = judge_all(BAD, batch(failed=64))[-1].status

    assert (status.enabled, status.disabled_at, status.disabled_reason) == (False, NOW, "DRIFT_DETECTED")
    assert "64 of 64" in str(status.disabled_details)
    assert (status.consecutive_failed_batches, status.last_batch_failure_rate) == (2, 1.0)
    assert status.disabled_by


def test_nothing_extracted_in_two_runs_disables() -> None:
    first, second = judge_all(batch(failed=30), batch(failed=30))

    assert DriftReason.ZERO_OFFERS in first.reasons and first.action is Action.ALERT
    assert DriftReason.ZERO_OFFERS in second.reasons and second.action is Action.DISABLE


@pytest.mark.parametrize(
    ("batches", "actions"),
    [
        ([batch(good=3, zero=1)], "alert"),  # small: set aside, and somebody is told
        ([batch(good=3, zero=1, lost=1)] * 4, "alert alert alert alert"),
        ([batch(good=30, zero=1, lost=1)], "alert"),
        ([batch(good=30, zero=1, lost=1)] * 2, "alert disable"),
        ([batch(good=30, zero=1, lost=1), GOOD, batch(good=30, zero=1, lost=1)], "alert nothing alert"),
        ([batch(good=30, zero=1)] * 4, "alert alert alert alert"),  # it never had a price: that page's matter
        ([batch(good=30, zero=6)] * 2, "alert disable"),  # so many are the adapter's
    ],
)
def test_zero_prices_alert_and_in_two_large_batches_disable(
    batches: list[ScrapeRunMetrics], actions: str
) -> None:
    decisions = judge_all(*batches)

    assert " ".join(decision.action for decision in decisions) == actions
    assert DriftReason.ZERO_PRICE in decisions[-1].reasons


# -- what is usual ------------------------------------------------------------------------------------------


def past(*batches: tuple[int, float, float]) -> DriftBaseline:
    return baseline_of([PastBatch(*each) for each in batches])


def test_a_baseline_is_the_median_of_good_batches_of_twenty() -> None:
    baseline = past((40, 0.1, 0.9), (40, 0.3, 0.7), (40, 0.2, 0.8), (19, 0.0, 1.0), (40, 0.9, 0.1))

    assert baseline == DriftBaseline(0.2, 0.8, 3)
    assert baseline.is_established


@pytest.mark.parametrize("batches", [[], [(40, 0.1, 0.9)] * 2, [(19, 0.1, 0.9)] * 50, [(40, 0.6, 0.4)] * 9])
def test_fewer_than_three_good_batches_establish_nothing(batches: list[tuple[int, float, float]]) -> None:
    assert not past(*batches).is_established


def test_until_a_baseline_is_established_only_absolute_limits_count() -> None:
    unusual = batch(good=14, failed=10)

    (unknown,) = judge_all(unusual, baseline=past((40, 0.0, 1.0), (40, 0.0, 1.0)))
    (known,) = judge_all(unusual, baseline=past(*[(40, 0.0, 1.0)] * 3))

    assert unknown.action is Action.NOTHING
    assert (known.action, known.reasons) == (Action.ALERT, (DriftReason.UNUSUAL,))


def test_an_unusual_batch_is_worth_a_look_but_never_disables() -> None:
    baseline = past(*[(40, 0.0, 1.0)] * 3)

    decisions = judge_all(*[batch(good=12, failed=10)] * 6, baseline=baseline)

    assert {decision.action for decision in decisions} == {Action.ALERT}


# -- the canary ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metrics", "action"),
    [
        (batch(good=20), Action.NOTHING),
        (batch(good=10, failed=10), Action.NOTHING),
        (batch(good=9, failed=11), Action.DISABLE),
        (batch(failed=3), Action.DISABLE),
        (batch(oos=20), Action.NOTHING),
    ],
)
def test_a_canary_is_judged_by_its_first_targets(metrics: ScrapeRunMetrics, action: Action) -> None:
    decision = judge_canary(metrics, replace(FRESH, watched_since=NOW), now=NOW)

    assert decision.action is action
    assert decision.status.watched_since is None
    assert decision.status.enabled is (action is Action.NOTHING)
