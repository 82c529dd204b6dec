"""The grade of the monitor: exact transitions, looked at every fifteen seconds, and idle is healthy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

EVALUATE_EVERY_SECONDS = 15.0
DEGRADED_SECONDS = 60.0
FAILING_SECONDS = 120.0
STALL_SECONDS = 90.0
GOOD_INTERVALS = 2


class HealthGrade(StrEnum):
    """How the monitor stands."""

    HEALTHY = "healthy"
    DEGRADED = "degraded"
    FAILING = "failing"
    RECOVERING = "recovering"


G = HealthGrade
TRANSITIONS: Mapping[HealthGrade, frozenset[HealthGrade]] = {
    G.HEALTHY: frozenset({G.DEGRADED}),
    G.DEGRADED: frozenset({G.HEALTHY, G.FAILING}),
    G.FAILING: frozenset({G.RECOVERING, G.DEGRADED}),
    # Failing again when the recovery was judged to have failed: else nobody would ever try another.
    G.RECOVERING: frozenset({G.HEALTHY, G.FAILING}),
}


@dataclass(frozen=True, slots=True)
class FreshnessStats:
    """Ages of the matches that are live, in seconds since each was last fetched."""

    median: float = 0.0
    p95: float = 0.0
    max: float = 0.0
    count: int = 0
    samples: tuple[float, ...] = ()

    @property
    def p50(self) -> float:
        return self.median

    def to_dict(self) -> dict[str, Any]:
        """Return it as /status shows it."""
        return {
            "median": round(self.median, 3),
            "p50": round(self.p50, 3),
            "p95": round(self.p95, 3),
            "max": round(self.max, 3),
            "count": self.count,
            "samples": [round(each, 3) for each in self.samples],
        }


def freshness_of(ages: Sequence[float]) -> FreshnessStats:
    """Return the statistics of these ages; none at all is all zero."""
    if not ages:
        return FreshnessStats()
    ordered = tuple(sorted(ages))
    return FreshnessStats(quantile(ordered, 0.5), quantile(ordered, 0.95), ordered[-1], len(ordered), ordered)


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that so large a share does not exceed (nearest rank)."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What the grade is made of."""

    freshness: FreshnessStats = FreshnessStats()
    stall_seconds: float = 0.0  # since anything at all was fetched, while something should have been

    @property
    def is_slow(self) -> bool:
        return self.freshness.median >= DEGRADED_SECONDS or self.freshness.p95 >= DEGRADED_SECONDS

    @property
    def is_dead(self) -> bool:
        return self.freshness.max >= FAILING_SECONDS or self.stall_seconds >= STALL_SECONDS


@dataclass(frozen=True, slots=True)
class Grading:
    """The grade at one moment, and what it remembers to get to the next."""

    grade: HealthGrade = HealthGrade.HEALTHY
    good_intervals: int = 0

    def evaluated(self, reading: Reading) -> Grading:
        """Return the grade after one interval; one step at most."""
        match self.grade:
            case HealthGrade.HEALTHY:
                # One match beyond every limit is not "all within normal", however fresh the others are.
                return self._become(G.DEGRADED) if reading.is_slow or reading.is_dead else self
            case HealthGrade.DEGRADED:
                return self._from_degraded(reading)
            case HealthGrade.FAILING:
                return self if reading.is_dead else self._become(G.DEGRADED)
            case HealthGrade.RECOVERING:
                return self  # only a success, or a failed recovery, ends it

    def recycled(self) -> Grading:
        """Return the grade after a recovery was begun; what does not fail goes on as it is."""
        return self._become(G.RECOVERING) if self.grade is G.FAILING else self

    def succeeded(self) -> Grading:
        """Return the grade after a successful scrape; the first one since the recovery ends it."""
        return self._become(G.HEALTHY) if self.grade is G.RECOVERING else self

    def recovery_failed(self) -> Grading:
        """Return the grade after a recovery brought no success in its time."""
        return self._become(G.FAILING) if self.grade is G.RECOVERING else self

    def _from_degraded(self, reading: Reading) -> Grading:
        if reading.is_dead:
            return self._become(G.FAILING)
        if reading.is_slow:
            return replace(self, good_intervals=0)
        good = replace(self, good_intervals=self.good_intervals + 1)
        return good._become(G.HEALTHY) if good.good_intervals >= GOOD_INTERVALS else good

    def _become(self, grade: HealthGrade) -> Grading:
        if grade not in TRANSITIONS[self.grade]:
            raise ValueError(f"{self.grade.value} does not lead to {grade.value}")
        return Grading(grade)
