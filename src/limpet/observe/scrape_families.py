"""The `scrape_*` metric families, under exactly these names: dashboards and alerts elsewhere are written for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from limpet.observe.durations import Distribution
from limpet.observe.scrape_figures import ScrapeFigures
from limpet.target import JobState

_PAIR = ("adapter_id", "source_id")
_ATTEMPTED = frozenset({"succeeded", "no_record", "failed", "dropped", "quarantined"})
_TALLIES = (
    ("scrape_urls_succeeded", "urls_succeeded", "Targets whose page came and could be read."),
    ("scrape_offers_extracted", "offers_extracted", "Records read from pages, whatever was thought of them."),
    ("scrape_offers_valid", "offers_valid", "Records accepted and written."),
    (
        "scrape_oos_no_price",
        "oos_no_price_count",
        "Sold-out pages without a price: expected, no sign of drift.",
    ),
)
_ENDINGS = (
    ("scrape_urls_failed", JobState.FAILED, "Targets whose page did not come or could not be read."),
    ("scrape_offers_dropped", JobState.DROPPED, "Targets dropped by a rule, by its reason."),
    ("scrape_offers_quarantined", JobState.QUARANTINED, "Records set aside for a person, by reason."),
)
_TARGETS = (
    ("scrape_targets_active", "active", "Targets that are visited."),
    ("scrape_targets_broken", "broken", "Targets that failed five times in a row and are rechecked weekly."),
    ("scrape_targets_stale", "stale", "Targets that waited for more than a day."),
)
_DURATIONS = (
    ("scrape_fetch_duration_ms", "fetches", "adapter_id", "How long a request for a page took."),
    ("scrape_extract_duration_ms", "readings", "adapter_id", "How long a page took to be read."),
    ("scrape_rate_limit_wait_ms", "waits", "domain", "How long a request waited for its domain's pace."),
)


def scrape_families(figures: ScrapeFigures) -> Iterator[Metric]:
    """Yield every family; one nothing has happened in yet is there without samples."""
    yield _attempted(figures)
    yield from (_tally(figures, *each) for each in _TALLIES)
    yield from (_ending(figures, *each) for each in _ENDINGS)
    yield _counter(
        "scrape_adapter_disabled",
        "How often an adapter was switched off, by reason.",
        ("adapter_id", "reason"),
        figures.disablings,
    )
    rejections = {(reason,): count for reason, count in figures.rejections.items()}
    yield _counter("scrape_queue_rejected", "Runs refused before they began.", ("reason",), rejections)
    yield _pending(figures)
    yield _enabled(figures)
    yield from (_targets(figures, *each) for each in _TARGETS)
    for name, attribute, label, meaning in _DURATIONS:
        yield _histogram(name, meaning, label, getattr(figures, attribute))


def _attempted(figures: ScrapeFigures) -> Metric:
    counts: dict[tuple[str, ...], int] = {}
    for (adapter, source_id, state, _), count in figures.endings.items():
        if state in _ATTEMPTED:
            key = (adapter, source_id, state)
            counts[key] = counts.get(key, 0) + count
    return _counter(
        "scrape_urls_attempted", "Targets attempted, by how they ended.", (*_PAIR, "status"), counts
    )


def _tally(figures: ScrapeFigures, name: str, attribute: str, meaning: str) -> Metric:
    counts = {pair: getattr(tally, attribute) for pair, tally in figures.tallies.items()}
    return _counter(name, meaning, _PAIR, counts)


def _ending(figures: ScrapeFigures, name: str, state: JobState, meaning: str) -> Metric:
    counts = {
        (adapter, source_id, reason): count
        for (adapter, source_id, word, reason), count in figures.endings.items()
        if word == state
    }
    return _counter(name, meaning, (*_PAIR, "reason"), counts)


def _counter(name: str, meaning: str, labels: tuple[str, ...], counts: Mapping[Any, int]) -> Metric:
    family = CounterMetricFamily(name, meaning, labels=labels)
    for values, count in sorted(counts.items()):
        family.add_metric(list(values), count)
    return family


def _gauge(name: str, meaning: str, labels: tuple[str, ...], values: Mapping[Any, float]) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=labels)
    for label, value in sorted(values.items()):
        family.add_metric(list(label), value)
    return family


def _pending(figures: ScrapeFigures) -> Metric:
    waiting = {(adapter,): figures.pending.get(adapter, 0) for adapter in figures.enabled}
    return _gauge("scrape_queue_pending", "Targets that wait in the queue.", ("adapter_id",), waiting)


def _enabled(figures: ScrapeFigures) -> Metric:
    switched = {(adapter,): float(is_on) for adapter, is_on in figures.enabled.items()}
    meaning = "1 while the adapter may be used, 0 once drift or a person switched it off."
    return _gauge("scrape_adapter_enabled", meaning, ("adapter_id",), switched)


def _targets(figures: ScrapeFigures, name: str, status: str, meaning: str) -> Metric:
    pairs = dict.fromkeys([*figures.tallies, *((key[0], key[1]) for key in figures.targets)])
    counts = {pair: figures.targets.get((*pair, status), 0) for pair in pairs}
    return _gauge(name, meaning, _PAIR, counts)


def _histogram(name: str, meaning: str, label: str, found: Mapping[str, Distribution]) -> Metric:
    family = HistogramMetricFamily(name, meaning, labels=[label])
    for value, distribution in found.items():
        family.add_metric([value], distribution.buckets, sum_value=distribution.total)
    return family
