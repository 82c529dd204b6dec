"""How many questions a domain is asked at a stretch (`burst_allowance`, seed 004)."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

WINDOW_SECONDS = 1.0


@dataclass(slots=True)
class Bursts:
    """Counts what was started at each domain within the last second; the source's own pace holds besides."""

    allowance_of: Callable[[str], int | None] = lambda domain_id: None
    _started: defaultdict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def free_at(self, domain_id: str, now: float) -> float:
        """Return when the domain may be asked again: now, or once the oldest of a full burst is a second old."""
        allowance, started = self.allowance_of(domain_id), self._started[domain_id]
        while started and started[0] <= now - WINDOW_SECONDS:
            started.popleft()
        if allowance is None or len(started) < allowance:
            return now
        return started[-allowance] + WINDOW_SECONDS

    def note(self, domain_id: str, now: float) -> None:
        """Count a question that is asked now."""
        if self.allowance_of(domain_id) is not None:
            self._started[domain_id].append(now)
