"""What Prometheus may ask. Every figure is derived from the ledger at scrape time; nothing is incremented.

Series are bounded: labels are apps, configured sources and words of the closed vocabulary, never addresses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Connection, func, select

from limpet.observe.freshness import Clocks, read_clocks
from limpet.observe.growing import summed
from limpet.observe.job_counts import JobCounter
from limpet.observe.promise import ErrorBudget
from limpet.observe.promise_families import promise_families
from limpet.observe.scrape_families import scrape_families
from limpet.observe.scrape_figures import ScrapeFigureReader, ScrapeFigures
from limpet.record.alert_tables import Severity
from limpet.record.alerts import count_alive
from limpet.record.retention.horizons import latest_horizons
from limpet.record.tables import runs
from limpet.source import Source
from limpet.target import JobState, Outcome
from limpet.target.outcome import Mode, RunState

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_OPEN = (JobState.PENDING, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class Figures:
    """What the ledger says at one moment."""

    runs: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by app and RunState
    jobs: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by app and JobState
    clocks: Mapping[str, Clocks] = field(default_factory=dict)  # by source
    scrape: ScrapeFigures = field(default_factory=ScrapeFigures)
    alerts: Mapping[str, int] = field(default_factory=dict)  # open or acknowledged, by severity
    complete_since: Mapping[str, datetime] = field(default_factory=dict)  # by kind of which rows have gone
    budgets: Mapping[str, ErrorBudget] = field(default_factory=dict)  # by source, where one was promised


class FigureReader:
    """Reads the figures; jobs of runs that ended it need not count again."""

    def __init__(self) -> None:
        self._jobs = JobCounter()
        self._scrape = ScrapeFigureReader()

    def read(self, connection: Connection, sources: Iterable[Source]) -> Figures:
        """Return every figure in one read transaction."""
        listed, jobs = list(sources), self._jobs.count(connection)
        return Figures(
            runs=_count_runs(connection),
            jobs=summed(jobs, lambda ended: (ended.app, ended.state)),
            clocks=read_clocks(connection, listed),
            scrape=self._scrape.read(connection, jobs, listed),
            alerts=count_alive(connection),
            complete_since=latest_horizons(connection),
        )


def render_metrics(
    figures: Figures, *, now: datetime, uptime_seconds: float, more: Iterable[Collector] = ()
) -> bytes:
    """Return the exposition text; `more` are what apps count by themselves."""
    registry = CollectorRegistry(auto_describe=False)
    for collector in more:
        registry.register(collector)
    registry.register(LedgerCollector(figures, now=now, uptime_seconds=uptime_seconds))
    return generate_latest(registry)


class LedgerCollector(Collector):
    """Turns figures into metric families; words that have not happened yet are there as zero."""

    def __init__(self, figures: Figures, *, now: datetime, uptime_seconds: float) -> None:
        self._figures = figures
        self._now = now
        self._uptime_seconds = uptime_seconds

    def collect(self) -> Iterator[Metric]:
        """Yield every family."""
        yield self._runs()
        yield self._jobs()
        yield self._open_jobs()
        yield self._fetch_age()
        yield self._oldest_fetch_age()
        yield GaugeMetricFamily(
            "limpet_uptime_seconds", "How long this process has served.", value=self._uptime_seconds
        )
        yield self._alerts()
        yield self._complete_since()
        yield from promise_families(self._figures.budgets)
        yield from scrape_families(self._figures.scrape)

    def _runs(self) -> Metric:
        family = GaugeMetricFamily("limpet_runs", "Runs by how they stand.", labels=["app", "state"])
        for app in self._apps():
            for state in RunState:
                family.add_metric([app, state.value], self._figures.runs.get((app, state.value), 0))
        return family

    def _jobs(self) -> Metric:
        family = CounterMetricFamily(
            "limpet_jobs", "Jobs by the word they ended with.", labels=["app", "outcome"]
        )
        for app in self._apps():
            for outcome in Outcome:
                family.add_metric([app, outcome.value], self._figures.jobs.get((app, outcome.value), 0))
        return family

    def _open_jobs(self) -> Metric:
        family = GaugeMetricFamily("limpet_open_jobs", "Jobs not ended yet.", labels=["app", "state"])
        for app in self._apps():
            for state in _OPEN:
                family.add_metric([app, state.value], self._figures.jobs.get((app, state.value), 0))
        return family

    def _alerts(self) -> Metric:
        family = GaugeMetricFamily("limpet_alerts", "Alerts nobody has resolved.", labels=["severity"])
        for severity in Severity:
            family.add_metric([severity.value], self._figures.alerts.get(severity.value, 0))
        return family

    def _complete_since(self) -> Metric:
        family = GaugeMetricFamily(
            "limpet_complete_since_seconds",
            "Unix time from which on rows of a kind are whole; the retention rule removed older ones.",
            labels=["kind"],
        )
        for kind, moment in sorted(self._figures.complete_since.items()):
            family.add_metric([kind], moment.timestamp())
        return family

    def _fetch_age(self) -> Metric:
        family = GaugeMetricFamily(
            "limpet_last_fetch_age_seconds", "Age of the newest page of a source.", labels=["source"]
        )
        for source_id, clocks in sorted(self._figures.clocks.items()):
            age = clocks.fetch_age_seconds(self._now)
            if age is not None:
                family.add_metric([source_id], age)
        return family

    def _oldest_fetch_age(self) -> Metric:
        family = GaugeMetricFamily(
            "limpet_oldest_fetch_age_seconds",
            "Time since the most neglected active target of a source was last visited.",
            labels=["source"],
        )
        for source_id, moment in sorted(self._figures.scrape.oldest_fetch_at.items()):
            family.add_metric([source_id], max(0.0, (self._now - moment).total_seconds()))
        return family

    def _apps(self) -> list[str]:
        return sorted({app for app, _ in (*self._figures.runs, *self._figures.jobs)})


def _count_runs(connection: Connection) -> dict[tuple[str, str], int]:
    question = select(runs.c.app, runs.c.state, func.count()).where(runs.c.mode != Mode.REREAD.value)
    question = question.group_by(runs.c.app, runs.c.state)
    return {(app, state): count for app, state, count in connection.execute(question)}
