"""How often a match is asked and how long it is waited for: quicker in play, slower in trouble, within bounds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from limpet.apps.matches.lifecycle import MatchPriority

# Errors in a row, and the least pause then, as multiples of the base of 2.5 s: 5, 10 and 20 s.
_SLOWER_AFTER_ERRORS = ((20, 8.0), (10, 4.0), (5, 2.0))
_LATENCIES_KEPT = 10


@dataclass(frozen=True, slots=True)
class RhythmTerms:
    """The bounds; the base is POLLING_INTERVAL_SECONDS."""

    base_seconds: float = 2.5
    slowest_seconds: float = 30.0
    imminent_seconds: float = 30.0
    completed_seconds: float = 300.0
    unchanged_cycles: int = 10
    shortest_timeout_seconds: float = 15.0
    longest_timeout_seconds: float = 45.0
    is_adaptive: bool = True
    has_adaptive_timeouts: bool = True


@dataclass(slots=True)
class Rhythm:
    """One match's pulse at one source."""

    terms: RhythmTerms = field(default_factory=RhythmTerms)
    priority: MatchPriority = MatchPriority.LIVE
    is_playing: bool = True
    errors: int = 0
    unchanged: int = 0
    timeout_seconds: float = field(init=False)
    _changes: deque[bool] = field(default_factory=lambda: deque(maxlen=_LATENCIES_KEPT))
    _latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_LATENCIES_KEPT))

    def __post_init__(self) -> None:
        self.timeout_seconds = self.terms.shortest_timeout_seconds

    def succeeded(self, *, changed: bool, latency_seconds: float) -> None:
        """Take note of an answer."""
        self.errors = 0
        self.unchanged = 0 if changed else self.unchanged + 1
        self._changes.append(changed)
        self._latencies.append(latency_seconds)
        if self.terms.has_adaptive_timeouts:
            self._adapt_timeout()

    def failed(self, *, timed_out: bool = False) -> None:
        """Take note of a failure; one that ran out of time earns a longer wait at once."""
        self.errors += 1
        if timed_out and self.terms.has_adaptive_timeouts:
            self._set_timeout(self.timeout_seconds * 1.5)

    @property
    def interval_seconds(self) -> float:
        """How long to wait before asking again."""
        terms = self.terms
        if self.priority is MatchPriority.COMPLETED:
            return terms.completed_seconds
        if self.priority is MatchPriority.IMMINENT:
            return max(terms.base_seconds, terms.imminent_seconds)
        if not terms.is_adaptive:
            return terms.base_seconds
        return min(terms.slowest_seconds, terms.base_seconds * max(self._calm_factor(), self._error_factor()))

    def _error_factor(self) -> float:
        return next((factor for errors, factor in _SLOWER_AFTER_ERRORS if self.errors >= errors), 0.0)

    def _calm_factor(self) -> float:
        """In play hardly slower, however quiet: the next ball must be seen. In a break much slower."""
        is_quiet = self.unchanged >= self.terms.unchanged_cycles
        if self.is_playing:
            is_busy = len(self._changes) >= 4 and sum(self._changes) * 2 > len(self._changes)
            return 0.8 if is_busy else 1.2 if is_quiet else 1.0
        return 4.0 if is_quiet else 2.0

    def _adapt_timeout(self) -> None:
        if len(self._latencies) < _LATENCIES_KEPT:
            return
        average = sum(self._latencies) / len(self._latencies)
        if average > 2.0:
            self._set_timeout(self.timeout_seconds * 1.5)
        elif average < 0.5:
            self._set_timeout(self.timeout_seconds * 0.8)

    def _set_timeout(self, seconds: float) -> None:
        terms = self.terms
        self.timeout_seconds = min(
            terms.longest_timeout_seconds, max(terms.shortest_timeout_seconds, seconds)
        )
