"""Drift: has the site, or our reading of it, changed? Pure judgement over one batch and what came before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import median

from limpet.observe.batch import DerivedMetrics, ScrapeRunMetrics, derive, measure
from limpet.record.logbook import AdapterStatus
from limpet.source import SwitchReason

__all__ = ["DerivedMetrics", "ScrapeRunMetrics", "derive", "measure"]

MOST_FAILURES = 0.5
SMALLEST_BATCH = 20
BATCHES_UNTIL_DISABLED = 2
BASELINE_WINDOW = timedelta(days=7)
BASELINE_RUNS = 3
# Once we know what is usual, a batch far from it is worth a look though no limit is crossed.
UNUSUAL_FAILURES = 0.25
UNUSUAL_YIELD = 0.5
MANY_ZERO_PRICES = 0.1
DETECTOR = "the drift detector"
CANARY_SIZE = 20  # so many targets are walked before the rest may follow
SMALLEST_CANARY = 3  # fewer than these prove nothing: the next run is watched too


class Action(StrEnum):
    """What a batch calls for."""

    NOTHING = "nothing"
    ALERT = "alert"
    DISABLE = "disable"


class DriftReason(StrEnum):
    """What was noticed; each is an alert of its own, named `alert_` and this word."""

    HIGH_FAILURE_RATE = "high_failure_rate"
    ZERO_OFFERS = "zero_offers"
    ZERO_PRICE = "zero_price"
    UNUSUAL = "unusual_batch"
    CANARY_FAILED = "canary_failed"


@dataclass(frozen=True, slots=True)
class PastBatch:
    """What the baseline needs of an earlier batch."""

    urls_judged: int
    failure_rate: float
    yield_rate: float


@dataclass(frozen=True, slots=True)
class DriftBaseline:
    """What is usual for an adapter: medians over the good batches of seven days."""

    median_failure_rate: float | None = None
    median_yield_rate: float | None = None
    sample_size: int = 0

    @property
    def is_established(self) -> bool:
        """Until it is, only the absolute limits count."""
        return self.sample_size >= BASELINE_RUNS


@dataclass(frozen=True, slots=True)
class DriftDecision:
    """What to do about a batch, why, and how the adapter stands from now on."""

    action: Action
    reasons: tuple[DriftReason, ...]
    status: AdapterStatus


def baseline_of(batches: Sequence[PastBatch]) -> DriftBaseline:
    """Return what these batches make usual; small ones and failed ones teach nothing."""
    good = [
        each for each in batches if each.urls_judged >= SMALLEST_BATCH and each.failure_rate <= MOST_FAILURES
    ]
    if not good:
        return DriftBaseline()
    failures = median(each.failure_rate for each in good)
    return DriftBaseline(failures, median(each.yield_rate for each in good), len(good))


def judge_batch(
    metrics: ScrapeRunMetrics, status: AdapterStatus, baseline: DriftBaseline, *, now: datetime
) -> DriftDecision:
    """Judge one ended batch. Batches below twenty neither count nor break a series of bad ones."""
    if not status.enabled:
        return DriftDecision(Action.NOTHING, (), status)  # what was under way when it was switched off
    if metrics.urls_judged < SMALLEST_BATCH:
        if not metrics.zero_price_count:
            return DriftDecision(Action.NOTHING, (), status)
        return DriftDecision(Action.ALERT, (DriftReason.ZERO_PRICE,), status)
    counted = _count_batch(metrics, status)
    fatal, reasons = tuple(_fatal(counted)), tuple(_noticed(metrics, baseline))
    if fatal:
        return DriftDecision(Action.DISABLE, fatal, disabled(counted, _sentence(fatal, metrics), now=now))
    return DriftDecision(Action.ALERT if reasons else Action.NOTHING, reasons, counted)


def judge_canary(metrics: ScrapeRunMetrics, status: AdapterStatus, *, now: datetime) -> DriftDecision:
    """Judge the first targets after an adapter was switched on again: mended, or off at once."""
    if derive(metrics).failure_rate <= MOST_FAILURES:
        return DriftDecision(Action.NOTHING, (), replace(status, watched_since=None))
    said = (
        f"{metrics.urls_troubled} of the first {metrics.urls_judged} targets since it was switched on failed"
    )
    return DriftDecision(Action.DISABLE, (DriftReason.CANARY_FAILED,), disabled(status, said, now=now))


def disabled(status: AdapterStatus, details: str, *, now: datetime) -> AdapterStatus:
    """Return the adapter as it stands once drift has switched it off."""
    return replace(
        status,
        enabled=False,
        disabled_at=now,
        disabled_reason=SwitchReason.DRIFT_DETECTED.value,
        disabled_by=DETECTOR,
        disabled_details=details,
        watched_since=None,
    )


def _count_batch(metrics: ScrapeRunMetrics, status: AdapterStatus) -> AdapterStatus:
    rate = derive(metrics).failure_rate

    def series(was: int, *, is_bad: bool) -> int:
        return was + 1 if is_bad else 0

    return replace(
        status,
        last_batch_failure_rate=rate,
        consecutive_failed_batches=series(status.consecutive_failed_batches, is_bad=rate > MOST_FAILURES),
        consecutive_zero_offer_runs=series(status.consecutive_zero_offer_runs, is_bad=_is_barren(metrics)),
        consecutive_zero_price_runs=series(
            status.consecutive_zero_price_runs, is_bad=_has_lost_prices(metrics)
        ),
    )


def _is_barren(metrics: ScrapeRunMetrics) -> bool:
    """Whether nothing was extracted where something should have been; a page that has nothing says so."""
    return metrics.offers_extracted == 0 and metrics.urls_judged - metrics.no_record_count >= SMALLEST_BATCH


def _has_lost_prices(metrics: ScrapeRunMetrics) -> bool:
    """Whether zero prices are the site's doing; a product that never had a price is that target's own matter."""
    return metrics.lost_price_count > 0 or metrics.zero_price_count > MANY_ZERO_PRICES * metrics.urls_judged


def _fatal(status: AdapterStatus) -> Iterator[DriftReason]:
    if status.consecutive_failed_batches >= BATCHES_UNTIL_DISABLED:
        yield DriftReason.HIGH_FAILURE_RATE
    if status.consecutive_zero_offer_runs >= BATCHES_UNTIL_DISABLED:
        yield DriftReason.ZERO_OFFERS
    if status.consecutive_zero_price_runs >= BATCHES_UNTIL_DISABLED:
        yield DriftReason.ZERO_PRICE


def _noticed(metrics: ScrapeRunMetrics, baseline: DriftBaseline) -> Iterator[DriftReason]:
    rates = derive(metrics)
    if rates.failure_rate > MOST_FAILURES:
        yield DriftReason.HIGH_FAILURE_RATE
    elif _is_unusual(rates, baseline):
        yield DriftReason.UNUSUAL
    if _is_barren(metrics):
        yield DriftReason.ZERO_OFFERS
    if metrics.zero_price_count:
        yield DriftReason.ZERO_PRICE


def _is_unusual(rates: DerivedMetrics, baseline: DriftBaseline) -> bool:
    if not baseline.is_established:
        return False
    assert baseline.median_failure_rate is not None and baseline.median_yield_rate is not None
    return (
        rates.failure_rate > baseline.median_failure_rate + UNUSUAL_FAILURES
        or rates.yield_rate < baseline.median_yield_rate * UNUSUAL_YIELD
    )


def _sentence(reasons: Sequence[DriftReason], metrics: ScrapeRunMetrics) -> str:
    said = {
        DriftReason.HIGH_FAILURE_RATE: f"{metrics.urls_troubled} of {metrics.urls_judged} targets ended in trouble",
        DriftReason.ZERO_OFFERS: f"nothing was extracted from {metrics.urls_judged} targets",
        DriftReason.ZERO_PRICE: f"{metrics.zero_price_count} prices of zero among {metrics.urls_judged} targets",
    }
    return f"{', '.join(said[each] for each in reasons)}, the second such batch in a row"
