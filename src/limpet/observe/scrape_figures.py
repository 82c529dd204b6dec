"""What the `scrape_*` metrics say, read from the ledger: per adapter and source, how targets fared."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, func, select

from limpet.observe.batch import ScrapeRunMetrics, measure
from limpet.observe.durations import Distribution, Durations, merged
from limpet.observe.freshness import lanes_of
from limpet.observe.growing import Counts, Growing
from limpet.observe.job_counts import Counts as JobCounts
from limpet.record.backlog import backlog
from limpet.record.log_tables import events
from limpet.record.switching import adapter_statuses
from limpet.record.tables import sources as source_rows
from limpet.record.tables import targets
from limpet.source import Source

Pair = tuple[str, str]  # adapter and source
OTHER = "other"
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_MOST_WORDS = 100  # of one kind: whatever comes beyond them is `other`
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ScrapeFigures:
    """What the ledger says at one moment, in bounded words."""

    tallies: Mapping[Pair, ScrapeRunMetrics] = field(default_factory=dict)
    endings: Mapping[tuple[str, str, str, str], int] = field(default_factory=dict)  # pair, state, reason
    targets: Mapping[tuple[str, str, str], int] = field(default_factory=dict)  # pair, status
    oldest_fetch_at: Mapping[str, datetime] = field(
        default_factory=dict
    )  # of a source's most neglected target
    pending: Mapping[str, int] = field(default_factory=dict)  # by adapter
    enabled: Mapping[str, bool] = field(default_factory=dict)  # by adapter
    disablings: Mapping[Pair, int] = field(default_factory=dict)  # by adapter and reason
    rejections: Mapping[str, int] = field(default_factory=dict)  # by reason
    fetches: Mapping[str, Distribution] = field(default_factory=dict)  # by adapter
    readings: Mapping[str, Distribution] = field(default_factory=dict)  # by adapter
    waits: Mapping[str, Distribution] = field(default_factory=dict)  # by registrable domain


class ScrapeFigureReader:
    """Reads the figures; what cannot change any more it need not count again."""

    def __init__(self) -> None:
        self._durations = Durations()
        self._told = Growing(events, _told)

    def read(self, connection: Connection, jobs: JobCounts, configured: Iterable[Source]) -> ScrapeFigures:
        """Return the figures; `jobs` were counted in the same transaction."""
        listed = list(configured)
        adapters = _adapters(connection, listed)
        told = self._told.read(connection)
        endings = _endings(jobs, adapters)
        counted, oldest = _targets(connection)
        return ScrapeFigures(
            tallies=_tallies(endings, {(adapters[source.id], source.id) for source in listed}),
            endings=endings,
            targets=counted,
            oldest_fetch_at=oldest,
            pending=backlog(connection, planned_since=_EVER),
            enabled=_enabled(connection, adapters.values()),
            disablings={key[1:]: count for key, count in told.items() if key[0] == "adapter_disabled"},
            rejections={key[2]: count for key, count in told.items() if key[0] == "queue_rejected"},
            fetches=_regrouped(self._durations.fetches(connection), adapters),
            readings=_regrouped(self._durations.readings(connection), adapters),
            waits=_by_domain(self._durations.waits(connection), listed),
        )


def _adapters(connection: Connection, listed: Iterable[Source]) -> dict[str, str]:
    """Return which adapter reads each source, also those no longer configured."""
    known = connection.execute(select(source_rows.c.id, source_rows.c.adapter_id))
    return {row[0]: row[1] for row in known} | {source.id: source.site for source in listed}


def _endings(jobs: JobCounts, adapters: Mapping[str, str]) -> dict[tuple[str, str, str, str], int]:
    words, total = _Words(), Counter[tuple[str, str, str, str]]()
    for ended, count in jobs.items():
        adapter = words.bounded(ended.site_id) or adapters.get(ended.source_id, OTHER)
        total[adapter, ended.source_id, ended.state, words.bounded(ended.reason)] += count
    return dict(total)


class _Words:
    """Keeps label values few: an outside text that found its way into a reason must not become a series."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def bounded(self, word: str | None) -> str:
        if not word:
            return ""
        is_room = word in self._seen or len(self._seen) < _MOST_WORDS
        if not is_room or _WORD.fullmatch(word) is None:
            return OTHER
        self._seen.add(word)
        return word


def _tallies(
    endings: Mapping[tuple[str, str, str, str], int], expected: Iterable[Pair]
) -> dict[Pair, ScrapeRunMetrics]:
    """Count each pair as drift does; a configured source that never ran is there with zeros."""
    grouped: dict[Pair, dict[tuple[str, str | None], int]] = {pair: {} for pair in expected}
    for (adapter, source_id, state, reason), count in endings.items():
        grouped.setdefault((adapter, source_id), {})[state, reason or None] = count
    return {pair: measure(found) for pair, found in sorted(grouped.items())}


def _targets(connection: Connection) -> tuple[dict[tuple[str, str, str], int], dict[str, datetime]]:
    """Return how many targets stand how, and when each source's most neglected active one was visited."""
    kinds = (targets.c.adapter_id, targets.c.source_id, targets.c.status)
    figures = func.count(), func.min(targets.c.last_scraped_at)
    counted: dict[tuple[str, str, str], int] = {}
    oldest: dict[str, datetime] = {}
    question = select(*kinds, *figures).where(targets.c.enabled.is_(True)).group_by(*kinds)
    for adapter_id, source_id, status, count, visited_at in connection.execute(question):
        counted[adapter_id, source_id, status] = count
        if status == "active" and visited_at is not None:
            oldest[source_id] = min(visited_at, oldest.get(source_id, visited_at))
    return counted, oldest


def _enabled(connection: Connection, adapters: Iterable[str]) -> dict[str, bool]:
    switched = {status.adapter_id: status.enabled for status in adapter_statuses(connection)}
    return dict.fromkeys(sorted(adapters), True) | switched


def _told(connection: Connection, which: ColumnElement[bool]) -> Counts:
    words, found = _Words(), Counter[tuple[str, str, str]]()
    kinds = ("adapter_disabled", "queue_rejected")
    question = select(events.c.event_type, events.c.payload).where(which, events.c.event_type.in_(kinds))
    for kind, payload in connection.execute(question):
        adapter, reason = str(payload.get("adapter_id") or ""), str(payload.get("reason") or OTHER)
        found[kind, words.bounded(adapter), words.bounded(reason)] += 1
    return found


def _by_domain(by_domain: Mapping[str, Distribution], listed: Iterable[Source]) -> dict[str, Distribution]:
    """Only domains somebody configured get a series of their own."""
    known = {lane: lane for source in listed for lane in lanes_of(source)}
    return _regrouped(by_domain, known)


def _regrouped(found: Mapping[str, Distribution], names: Mapping[str, str]) -> dict[str, Distribution]:
    grouped: dict[str, list[Distribution]] = defaultdict(list)
    for key, distribution in found.items():
        grouped[names.get(key, OTHER)].append(distribution)
    return {name: merged(each) for name, each in sorted(grouped.items())}
