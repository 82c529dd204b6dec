"""How long to keep away from what refused us, as a full queue does: twice as long each time, an hour at most."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

LONGEST_SECONDS = 3_600.0
ALERT_SECONDS = 1_800.0
EVERYBODY = ""  # the key under which all sources wait together


@dataclass(slots=True)
class Backoff:
    """Remembers, by source or run, until when not to ask again."""

    longest_seconds: float = LONGEST_SECONDS
    _until: dict[str, datetime] = field(default_factory=dict)
    _seconds: dict[str, float] = field(default_factory=dict)

    def holds(self, key: str, now: datetime) -> bool:
        """Whether it is too early to ask again."""
        until = self._until.get(key)
        return until is not None and now < until

    def refused(self, key: str, retry_after: float, *, now: datetime) -> bool:
        """Wait as long as asked, then twice as long each time; True when that just became worth an alert."""
        before = self._seconds.get(key, 0.0)
        seconds = min(max(retry_after, 2 * before), self.longest_seconds)
        self._seconds[key], self._until[key] = seconds, now + timedelta(seconds=seconds)
        return before <= ALERT_SECONDS < seconds

    def accepted(self, key: str) -> None:
        """Forget the refusals of before."""
        self._until.pop(key, None)
        self._seconds.pop(key, None)

    def holds_back(self, key: str) -> bool:
        """Whether anybody was refused under this key since the last time it was accepted."""
        return key in self._seconds

    def seconds(self, key: str) -> float:
        """Return how long the present wait is."""
        return self._seconds.get(key, 0.0)
