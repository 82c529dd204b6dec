"""The two gates a source shares with whoever visits the same domain: its breaker, and its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from limpet.assembly import House
from limpet.errors import LimpetError
from limpet.fetch.policy.breaker import Breaker
from limpet.observe.freshness import lanes_of
from limpet.source import Source


@dataclass(frozen=True, slots=True)
class LaneGate:
    """How a registrable domain is held at this moment."""

    domain: str
    breaker: str = "closed"  # closed, open, half_open, or unknown while its store is away
    failures: int = 0  # in a row
    opened_at: datetime | None = None
    rest_seconds: float = 0.0  # until the next try may pass
    paused_seconds: float = 0.0  # asked for by the site with Retry-After

    @property
    def is_open(self) -> bool:
        """Whether a request would pass now."""
        return self.breaker in ("closed", "half_open") and not self.paused_seconds


async def lane_gates(house: House, source: Source) -> Sequence[LaneGate]:
    """Return how each of the source's domains is held, read from what all workers share."""
    try:
        breakers = {breaker.name: breaker for breaker in await house.monitor.room.breakers.states()}
        return [
            _gate(lane, breakers.get(f"site:{lane}"), await house.budget.paused_for(lane), house.clock.now())
            for lane in lanes_of(source)
        ]
    except LimpetError:  # their store is away: then nothing passes, and the page still opens
        return [LaneGate(lane, breaker="unknown") for lane in lanes_of(source)]


def _gate(lane: str, breaker: Breaker | None, paused_seconds: float, now: datetime) -> LaneGate:
    if breaker is None:
        return LaneGate(lane, paused_seconds=paused_seconds)
    is_open, changed = breaker.state == "open", breaker.changed_at
    return LaneGate(
        lane,
        breaker.state,
        breaker.failure_count,
        datetime.fromtimestamp(changed, UTC) if is_open and changed else None,
        max(0.0, breaker.rest_left(now.timestamp())) if is_open else 0.0,
        paused_seconds,
    )
