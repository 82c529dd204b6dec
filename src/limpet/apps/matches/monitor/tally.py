"""What the monitor counts about itself: since it began, and over the last minutes."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

from limpet.apps.matches.grading import quantile

_KEPT = 2_000
BUCKETS = (0.1, 0.25, 0.5, 1.0, 3.0, 5.0, 10.0, 15.0, 30.0, 45.0)  # seconds of a scrape
MINUTE, HOUR = 60.0, 3600.0


@dataclass(slots=True)
class Window:
    """Moments of the last hour, bounded; times are monotonic."""

    moments: deque[float] = field(default_factory=lambda: deque(maxlen=100_000))

    def add(self, now: float) -> None:
        while self.moments and now - self.moments[0] > HOUR:
            self.moments.popleft()
        self.moments.append(now)

    def within(self, seconds: float, *, now: float) -> int:
        """Return how many there were in the last so many seconds."""
        found = 0
        for moment in reversed(self.moments):
            if now - moment > seconds:
                break
            found += 1
        return found


@dataclass(slots=True)
class Tally:
    """Counters for metrics and health."""

    scrapes: Counter[tuple[str, str]] = field(default_factory=Counter)  # by domain and success, failure, held
    navigation_failures: Counter[str] = field(default_factory=Counter)
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)  # by domain and kind of error
    retries: Counter[str] = field(default_factory=Counter)
    updates: Counter[str] = field(default_factory=Counter)
    balls: Counter[str] = field(default_factory=Counter)  # by how they were found
    ball_gaps: int = 0
    conflicts: int = 0
    deferrals: int = 0
    pushes: Counter[tuple[str, str]] = field(default_factory=Counter)  # by stream and outcome
    duration_sums: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    duration_buckets: Counter[tuple[str, float]] = field(default_factory=Counter)
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_KEPT))
    failed: Window = field(default_factory=Window)
    updated: Window = field(default_factory=Window)
    asked: Window = field(default_factory=Window)

    def succeeded(self, domain_id: str, seconds: float, *, now: float) -> None:
        """Count a scrape that gave data."""
        self.scrapes[domain_id, "success"] += 1
        self.asked.add(now)
        self.latencies.append(seconds)
        self.duration_sums[domain_id] += seconds
        for bound in BUCKETS:
            if seconds <= bound:
                self.duration_buckets[domain_id, bound] += 1

    def went_wrong(self, domain_id: str, kind: str, *, now: float) -> None:
        """Count a scrape that gave nothing."""
        self.scrapes[domain_id, "failure"] += 1
        self.errors[domain_id, kind] += 1
        self.asked.add(now)
        self.failed.add(now)
        if kind in ("network", "browser"):
            self.navigation_failures[domain_id] += 1

    def failure_ratio(self, *, now: float) -> float:
        """Return the share of scrapes that failed in the last five minutes."""
        asked = self.asked.within(5 * MINUTE, now=now)
        return self.failed.within(5 * MINUTE, now=now) / asked if asked else 0.0

    def latency(self, share: float) -> float:
        """Return a quantile of the latest scrapes, in seconds."""
        return quantile(sorted(self.latencies), share)

    @property
    def average_latency(self) -> float:
        return sum(self.latencies) / len(self.latencies) if self.latencies else 0.0
