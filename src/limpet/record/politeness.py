"""How we behaved, per registrable domain, told from the requests the ledger holds."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select

from limpet.fetch.outcome import FetchOutcome
from limpet.record.log_tables import requests
from limpet.record.retention.horizons import horizons
from limpet.record.retention.policy import Kind

# The longest pause we promise, whatever was asked for.
RETRY_AFTER_CAP_SECONDS = 6 * 3_600.0
# Our own gates kept these back: the domain saw nothing of them.
_NEVER_LEFT = frozenset({FetchOutcome.REFUSED.value, FetchOutcome.ROBOTS_BLOCKED.value})


@dataclass(frozen=True, slots=True)
class RobotsUse:
    """Requests made, or not made, under one verdict of one robots.txt body."""

    verdict: str
    body_sha256: str | None
    requests: int


@dataclass(frozen=True, slots=True)
class DomainPoliteness:
    """What a domain saw of us."""

    domain: str
    requests: int
    first_at: datetime | None  # None: nothing ever left, our own gates kept it all back
    last_at: datetime | None
    smallest_gap_seconds: float | None  # from the start of one request to the start of the next
    highest_concurrency: int
    robots: tuple[RobotsUse, ...]
    outcomes: dict[str, int]
    retry_after_asked: int
    retry_after_honoured: int
    retry_after_violated: int
    complete_since: datetime | None = (
        None  # older requests may be gone by the retention rule; None: all are here
    )


@dataclass(slots=True)
class _Pause:
    begins: datetime
    ends: datetime
    is_violated: bool = False


@dataclass(slots=True)
class _Tally:
    requests: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    smallest_gap: float | None = None
    highest_concurrency: int = 0
    robots: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    violated: int = 0
    sources: set[str] = field(default_factory=set)
    _under_way: list[datetime] = field(default_factory=list)
    _pauses: list[_Pause] = field(default_factory=list)

    def add(self, row: Any) -> None:
        """Take one request in, in order of its start."""
        self.sources.add(row.source_id)
        self.outcomes[row.outcome] += 1
        if row.outcome in _NEVER_LEFT:
            if row.robots_verdict:
                self.robots[row.robots_verdict, row.robots_hash] += 1
            return
        ended_at = row.started_at + timedelta(milliseconds=row.elapsed_ms)
        self._measure(row.started_at, ended_at)
        self._check_pauses(row.started_at)
        self.robots[row.robots_verdict or "not_asked", row.robots_hash] += 1
        if row.retry_after_seconds:
            seconds = min(row.retry_after_seconds, RETRY_AFTER_CAP_SECONDS)
            self._pauses.append(_Pause(ended_at, ended_at + timedelta(seconds=seconds)))
            self.asked += 1

    def _measure(self, started_at: datetime, ended_at: datetime) -> None:
        self.requests += 1
        self.first_at = self.first_at or started_at
        if self.last_at is not None:
            gap = (started_at - self.last_at).total_seconds()
            self.smallest_gap = gap if self.smallest_gap is None else min(gap, self.smallest_gap)
        self.last_at = started_at
        while self._under_way and self._under_way[0] <= started_at:
            heapq.heappop(self._under_way)
        heapq.heappush(self._under_way, ended_at)
        self.highest_concurrency = max(self.highest_concurrency, len(self._under_way))

    def _check_pauses(self, started_at: datetime) -> None:
        self._pauses = [pause for pause in self._pauses if pause.ends > started_at]
        for pause in self._pauses:
            # What was on the wire when the answer came could not know of it.
            if pause.begins <= started_at and not pause.is_violated:
                pause.is_violated = True
                self.violated += 1


def politeness(
    connection: Connection, *, since: datetime | None = None, domain: str | None = None
) -> Iterator[DomainPoliteness]:
    """Yield one account per domain, by name, without holding the requests in memory."""
    question = select(
        requests.c.domain,
        requests.c.source_id,
        requests.c.started_at,
        requests.c.elapsed_ms,
        requests.c.outcome,
        requests.c.robots_verdict,
        requests.c.robots_hash,
        requests.c.retry_after_seconds,
    ).where(requests.c.domain != "")
    question = question.order_by(requests.c.domain, requests.c.started_at)
    if since is not None:
        question = question.where(requests.c.started_at >= since)
    if domain is not None:
        question = question.where(requests.c.domain == domain)
    gone = horizons(connection, Kind.REQUESTS)
    rows = connection.execution_options(yield_per=2_000).execute(question)
    for name, of_domain in groupby(rows, key=lambda row: str(row.domain)):
        tally = _Tally()
        for row in of_domain:
            tally.add(row)
        yield _account(name, tally, since=since, gone=gone)


def _account(
    domain: str, tally: _Tally, *, since: datetime | None, gone: Mapping[str, datetime]
) -> DomainPoliteness:
    known = max((gone[source] for source in tally.sources if source in gone), default=None)
    used = sorted(tally.robots.items(), key=lambda item: -item[1])
    return DomainPoliteness(
        domain=domain,
        requests=tally.requests,
        first_at=tally.first_at,
        last_at=tally.last_at,
        smallest_gap_seconds=tally.smallest_gap,
        highest_concurrency=tally.highest_concurrency,
        robots=tuple(RobotsUse(verdict, body, count) for (verdict, body), count in used),
        outcomes=dict(tally.outcomes),
        retry_after_asked=tally.asked,
        retry_after_honoured=tally.asked - tally.violated,
        retry_after_violated=tally.violated,
        complete_since=known if known is not None and (since is None or since < known) else None,
    )
