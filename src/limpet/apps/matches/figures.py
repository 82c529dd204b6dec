"""What Prometheus may ask about the monitor: every name of the seeds. Labels are domains and closed words.

A match id is a label only where a seed asks for one, and then for the liveliest matches at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from limpet.apps.matches.ball_log import Found
from limpet.apps.matches.grading import HealthGrade, quantile
from limpet.apps.matches.lifecycle import MatchPriority, MatchState
from limpet.apps.matches.monitor.tally import BUCKETS, MINUTE
from limpet.apps.matches.monitor.watching import MatchMonitor
from limpet.fetch.browser import PoolReading
from limpet.fetch.browser.process_tree import TreeSize
from limpet.fetch.browser.recycling import Reason

MOST_MATCH_LABELS = 50
_FRESHNESS_BUCKETS = (10.0, 30.0, 60.0, 120.0)
_QUANTILES = (0.5, 0.95, 0.99)
_SCORES = {
    HealthGrade.HEALTHY: 100,
    HealthGrade.RECOVERING: 70,
    HealthGrade.DEGRADED: 50,
    HealthGrade.FAILING: 30,
}
# The seed's words for why a browser was replaced, beside our own.
_REASONS = {Reason.AGE.value: "uptime", Reason.TASKS.value: "task_count", Reason.ASKED.value: "manual"}
_ERROR_KINDS = ("network", "parsing", "browser", "auth", "database", "discovery")
_NO_BROWSER = PoolReading(0, 0, 0, 0.0, {}, TreeSize())


class MonitorCollector(Collector):
    """Tells the monitor's figures as they stand when they are asked for."""

    def __init__(self, monitor: MatchMonitor) -> None:
        self._monitor = monitor
        self._room = monitor.room
        self._pool = monitor.room.pool.reading() if monitor.room.pool else _NO_BROWSER

    def collect(self) -> Iterator[Metric]:
        """Yield every family."""
        yield from self._browser()
        yield from self._queue()
        yield from self._freshness()
        yield from self._scrapes()
        yield from self._per_match()
        yield from self._matches()
        yield from self._by_short_names()

    def _browser(self) -> Iterator[Metric]:
        load, pool = self._monitor.caretaker.load, self._pool
        yield _gauge("scraper_pids_current", "Processes of the monitor and its browser.", load.pids)
        yield _gauge("scraper_contexts_active", "Browser contexts in use.", pool.contexts_active)
        yield _gauge("scraper_pages_open", "Browser pages open.", pool.pages_open)
        yield _gauge(
            "scraper_browser_uptime_seconds", "Age of the browser in service.", pool.browser_uptime_seconds
        )
        yield _gauge("scraper_memory_bytes", "Memory of the monitor and its browser.", load.memory_bytes)
        recycles = {_REASONS.get(reason.value, reason.value): 0 for reason in Reason}
        for reason, count in pool.recycles.items():
            recycles[_REASONS.get(str(reason), str(reason))] += count
        yield _counter("scraper_recycles", "Browsers replaced, by reason.", "reason", recycles)
        yield _counter("scraper_browser_restarts", "The same, by its older name.", "reason", recycles)

    def _queue(self) -> Iterator[Metric]:
        depth = self._room.queue.depth(self._room.clock.monotonic())
        family = GaugeMetricFamily("scraper_queue_depth", "Tasks that are due and wait.", labels=["priority"])
        for priority in MatchPriority:
            family.add_metric([priority.word], depth[priority])
        yield family
        yield _gauge("scraper_active_tasks", "Scrapes under way.", self._room.queue.running)
        yield _gauge("scraper_queue_bytes", "Weight of the tasks that wait.", self._room.queue.size_bytes)
        yield _total(
            "scraper_deferrals", "Tasks a full queue put off; none is dropped.", self._room.tally.deferrals
        )

    def _freshness(self) -> Iterator[Metric]:
        ages = self._room.read_health().freshness.samples
        counts = [(f"{bound:g}", float(sum(age <= bound for age in ages))) for bound in _FRESHNESS_BUCKETS]
        yield HistogramMetricFamily(
            "scraper_freshness_seconds",
            "Age of each live match's data, as of now.",
            buckets=[*counts, ("+Inf", float(len(ages)))],
            sum_value=sum(ages),
        )
        shares = {share: quantile(ages, share) for share in _QUANTILES}
        family = _summary("scraper_data_staleness_seconds", "Quantiles of the same ages.", shares)
        family.add_sample("scraper_data_staleness_seconds_sum", {}, sum(ages))
        family.add_sample("scraper_data_staleness_seconds_count", {}, len(ages))
        yield family
        grade = self._room.grading.grade
        yield _gauge(
            "scraper_health_score", "100 healthy, 70 recovering, 50 degraded, 30 failing.", _SCORES[grade]
        )
        family = GaugeMetricFamily("scraper_health_grade", "1 for the grade that holds.", labels=["grade"])
        for each in HealthGrade:
            family.add_metric([each.value], float(each is grade))
        yield family

    def _scrapes(self) -> Iterator[Metric]:
        tally, domains = self._room.tally, self._domains()
        family = CounterMetricFamily(
            "scraper_scrapes",
            "Scrapes by how they ended; held ones were not made.",
            labels=["domain", "status"],
        )
        for domain in domains:
            for status in ("success", "failure", "held"):
                family.add_metric([domain, status], tally.scrapes[domain, status])
        yield family
        yield from self._durations(domains)
        failures = {domain: tally.navigation_failures[domain] for domain in domains}
        yield _counter("scraper_navigation_failures", "Pages that could not be had.", "domain", failures)
        yield _counter("scraper_domain_failures", "The same, by its older name.", "domain", failures)
        family = CounterMetricFamily("scraper_errors", "Errors by kind.", labels=["domain", "error_type"])
        for domain in domains:
            for kind in _ERROR_KINDS:
                family.add_metric([domain, kind], tally.errors[domain, kind])
        yield family
        yield _counter(
            "scraper_retry_attempts",
            "Scrapes tried again.",
            "domain",
            {each: tally.retries[each] for each in domains},
        )
        yield _counter(
            "scraper_updates",
            "Snapshots that brought something new.",
            "domain",
            {each: tally.updates[each] for each in domains},
        )
        yield _counter(
            "scraper_ball_updates",
            "Balls by how they were found.",
            "found",
            {each.value: tally.balls[each.value] for each in Found},
        )
        yield _total("scraper_ball_gaps", "Gaps in the balls that had to be asked about.", tally.ball_gaps)
        yield _total("scraper_conflicts", "Times sources differed by more than a twentieth.", tally.conflicts)

    def _durations(self, domains: list[str]) -> Iterator[Metric]:
        tally = self._room.tally
        family = HistogramMetricFamily(
            "scraper_scrape_duration_seconds", "How long scrapes took.", labels=["domain"]
        )
        for domain in domains:
            total = float(tally.scrapes[domain, "success"])
            buckets = [(f"{bound:g}", float(tally.duration_buckets[domain, bound])) for bound in BUCKETS]
            family.add_metric([domain], [*buckets, ("+Inf", total)], tally.duration_sums[domain])
        yield family
        shares = {share: tally.latency(share) for share in _QUANTILES}
        yield _summary("scraper_update_latency_seconds", "Quantiles of the latest scrapes.", shares)

    def _per_match(self) -> Iterator[Metric]:
        now = self._room.clock.monotonic()
        live = sorted(self._room.live_boards(), key=lambda board: -board.age_seconds(now))[:MOST_MATCH_LABELS]
        stale = GaugeMetricFamily(
            "data_staleness_seconds",
            f"Age of a live match's data; the {MOST_MATCH_LABELS} oldest.",
            labels=["match_id"],
        )
        polling = GaugeMetricFamily(
            "scraper_adaptive_polling_interval_seconds", "How often those are asked.", labels=["match_id"]
        )
        for board in live:
            stale.add_metric([board.match_id], board.age_seconds(now))
            interval = min(watch.rhythm.interval_seconds for watch in board.watches.values())
            polling.add_metric([board.match_id], interval)
        yield stale
        yield polling

    def _matches(self) -> Iterator[Metric]:
        family = GaugeMetricFamily("scraper_matches", "Matches by how they stand.", labels=["state"])
        states = list(self._room.states())
        for state in MatchState:
            family.add_metric([state.value], states.count(state))
        yield family
        active = sum(watch.record.state is MatchState.ACTIVE for watch in self._room.watched())
        yield _gauge("active_scrapers_count", "Sessions that watch a match.", active)
        now = self._room.clock.monotonic()
        yield _gauge(
            "scraper_updates_per_minute",
            "Snapshots in the last minute.",
            self._room.tally.updated.within(MINUTE, now=now),
        )

    def _by_short_names(self) -> Iterator[Metric]:
        """The five figures seed 002 names without a prefix, so that a query written from it works."""
        tally, load = self._room.tally, self._monitor.caretaker.load
        yield _total(
            "errors", "scraper_errors_total, over all domains and kinds.", sum(tally.errors.values())
        )
        yield _total("updates", "scraper_updates_total, over all domains.", sum(tally.updates.values()))
        active = sum(watch.record.state is MatchState.ACTIVE for watch in self._room.watched())
        yield _gauge("active_scrapers", "The same as active_scrapers_count.", active)
        yield _gauge("memory_bytes", "The same as scraper_memory_bytes.", load.memory_bytes)
        domains = self._domains()
        counts = [sum(tally.duration_buckets[domain, bound] for domain in domains) for bound in BUCKETS]
        total = float(sum(tally.scrapes[domain, "success"] for domain in domains))
        yield HistogramMetricFamily(
            "update_latency",
            "scraper_scrape_duration_seconds, over all domains.",
            buckets=[
                *((f"{bound:g}", float(n)) for bound, n in zip(BUCKETS, counts, strict=True)),
                ("+Inf", total),
            ],
            sum_value=sum(tally.duration_sums.values()),
        )

    def _domains(self) -> list[str]:
        return sorted({*self._room.active, *(domain for domain, _ in self._room.tally.scrapes)})


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_text, value=value)


def _summary(name: str, help_text: str, shares: Mapping[float, float]) -> Metric:
    """Return quantiles we know ourselves; the library's own summaries have none."""
    family = Metric(name, help_text, "summary")
    for share, value in shares.items():
        family.add_sample(name, {"quantile": f"{share:g}"}, value)
    return family


def _total(name: str, help_text: str, value: int) -> Metric:
    return CounterMetricFamily(name, help_text, value=value)


def _counter(name: str, help_text: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, help_text, labels=[label])
    for word, count in sorted(counts.items()):
        family.add_metric([word], count)
    return family
