"""The breaker: leaves a failing dependency alone for a while, then tries it with one call at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal, Protocol

from limpet.clock import Clock, SystemClock
from limpet.errors import BreakerOpen

State = Literal["closed", "open", "half_open"]
PROBE_UNDERWAY_SECONDS = 1.0
_ROUNDING_SECONDS = 0.001  # (now + rest) - now may be a trifle more than rest


@dataclass(frozen=True, slots=True)
class BreakerTerms:
    """When a breaker opens, how long it rests, and what closes it again."""

    failure_threshold: int = 5
    rest_seconds: float = 60.0
    success_threshold: int = 5
    probe_patience_seconds: float = 120.0  # a probe unheard of for so long died with its process


@dataclass(frozen=True, slots=True)
class Breaker:
    """One breaker at one moment. Times are wall time in seconds, so that all processes mean the same."""

    name: str
    state: State = "closed"
    failure_count: int = 0
    success_count: int = 0
    total_successes: int = 0
    total_failures: int = 0
    total_rejections: int = 0
    changed_at: float | None = None
    failed_at: float | None = None
    probe_until: float | None = None
    terms: BreakerTerms = field(default_factory=BreakerTerms)

    @property
    def is_calm(self) -> bool:
        """True when a success would change nothing but the totals."""
        return self.state == "closed" and not self.failure_count

    @property
    def total_calls(self) -> int:
        """Calls that were made and judged; a rejected call was not made."""
        return self.total_successes + self.total_failures

    def check(self, now: float) -> tuple[Breaker, float | None]:
        """Return the breaker after one more call asked to pass, and how long it must wait (None: pass)."""
        if self.state == "closed":
            return self, None
        rest = self.rest_left(now)
        if self.state == "open" and rest <= 0:
            return self._become("half_open", now)._with_probe(now), None
        if self.state == "half_open" and not self._probe_is_underway(now):
            return self._with_probe(now), None
        rejected = replace(self, total_rejections=self.total_rejections + 1)
        return rejected, rest if self.state == "open" else PROBE_UNDERWAY_SECONDS

    def succeeded(self, now: float) -> Breaker:
        """Return the breaker after a call that worked."""
        counted = replace(self, total_successes=self.total_successes + 1)
        if self.state == "closed":
            return replace(counted, failure_count=0)
        if self.state == "open":  # a call from before: it says nothing about the dependency after its rest
            return counted
        if self.success_count + 1 >= self.terms.success_threshold:
            return counted._become("closed", now)
        return replace(counted, success_count=self.success_count + 1, probe_until=None)

    def failed(self, now: float) -> Breaker:
        """Return the breaker after a call that did not work."""
        counted = replace(self, total_failures=self.total_failures + 1, failed_at=now)
        if self.state == "open":
            return counted
        failures = self.failure_count + 1
        if self.state == "half_open" or failures >= self.terms.failure_threshold:
            return replace(counted._become("open", now), failure_count=failures)
        return replace(counted, failure_count=failures)

    def abandoned(self, now: float) -> Breaker:
        """Return the breaker after a call that ended without a verdict: the next one may probe."""
        return replace(self, probe_until=None) if self.state == "half_open" else self

    def with_successes(self, count: int) -> Breaker:
        """Return the breaker with calls added that worked while it was calm."""
        return replace(self, total_successes=self.total_successes + count) if count else self

    def to_dict(self) -> dict[str, object]:
        """Return what /health shows, with the fields monitoring already knows."""
        return {
            "name": self.name,
            "state": self.state,
            "failure_count": self.failure_count,
            "success_count": self.success_count,
            "total_calls": self.total_calls,
            "total_successes": self.total_successes,
            "total_failures": self.total_failures,
            "total_rejections": self.total_rejections,
            "last_state_change": None
            if self.changed_at is None
            else datetime.fromtimestamp(self.changed_at, UTC).isoformat(),
        }

    def _become(self, state: State, now: float) -> Breaker:
        return replace(self, state=state, failure_count=0, success_count=0, changed_at=now, probe_until=None)

    def _with_probe(self, now: float) -> Breaker:
        return replace(self, probe_until=now + self.terms.probe_patience_seconds)

    def rest_left(self, now: float) -> float:
        """Return for how many seconds an open breaker lets nobody through; below zero, its rest is over."""
        left = (self.changed_at or 0.0) + self.terms.rest_seconds - now
        # A wall clock that was set back must not keep the breaker open for as long as it was wrong.
        return left if left <= self.terms.rest_seconds + _ROUNDING_SECONDS else 0.0

    def _probe_is_underway(self, now: float) -> bool:
        left = (self.probe_until or 0.0) - now
        return 0 < left <= self.terms.probe_patience_seconds + _ROUNDING_SECONDS


class Breakers(Protocol):
    """Every breaker by name (`site:example.com`, `browser`, `push:...`), shared by all workers."""

    async def check(self, name: str) -> None:
        """Let the call pass, or raise BreakerOpen; who passed must tell how the call ended."""
        ...

    async def succeeded(self, name: str) -> None:
        """Tell that the call worked."""
        ...

    async def failed(self, name: str) -> None:
        """Tell that the call did not work."""
        ...

    async def abandoned(self, name: str) -> None:
        """Tell that the call ended without a verdict on the dependency, for instance by our own cancel."""
        ...

    async def state(self, name: str) -> Breaker:
        """Return the breaker as it stands."""
        ...

    async def states(self) -> list[Breaker]:
        """Return every breaker that was ever asked, by name."""
        ...


def refuse(name: str, retry_after: float) -> BreakerOpen:
    """Return the error for a call that may not pass."""
    return BreakerOpen(f"{name} failed repeatedly and is resting", retry_after=retry_after)


class MemoryBreakers:
    """Breakers of one process, forgotten when it ends."""

    def __init__(self, *, clock: Clock | None = None, terms: BreakerTerms | None = None) -> None:
        self._clock = clock or SystemClock()
        self._terms = terms or BreakerTerms()
        self._all: dict[str, Breaker] = {}

    async def check(self, name: str) -> None:
        after, wait = self._get(name).check(self._clock.now().timestamp())
        self._all[name] = after
        if wait is not None:
            raise refuse(name, wait)

    async def succeeded(self, name: str) -> None:
        self._change(name, Breaker.succeeded)

    async def failed(self, name: str) -> None:
        self._change(name, Breaker.failed)

    async def abandoned(self, name: str) -> None:
        self._change(name, Breaker.abandoned)

    async def state(self, name: str) -> Breaker:
        return self._get(name)

    async def states(self) -> list[Breaker]:
        return [self._all[name] for name in sorted(self._all)]

    def _get(self, name: str) -> Breaker:
        return self._all.get(name) or Breaker(name, terms=self._terms)

    def _change(self, name: str, change: Callable[[Breaker, float], Breaker]) -> None:
        self._all[name] = change(self._get(name), self._clock.now().timestamp())
