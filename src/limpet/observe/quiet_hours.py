"""Hours in which only what cannot wait is told: `22:00-07:00`, in UTC or in a named zone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

_SPELLING = re.compile(r"(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})(?: +([A-Za-z0-9_+\-/]+))?")
WANTED = "two times of day such as 22:00-07:00, with a zone behind them if it is not UTC: 22:00-07:00 Europe/Berlin"


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `begins` up to, not including, `ends`; over midnight when it ends earlier than it begins."""

    begins: time
    ends: time
    zone: tzinfo = UTC

    def end_after(self, now: datetime) -> datetime | None:
        """Return when the quiet of this moment ends; None when it is not quiet."""
        local = now.astimezone(self.zone)
        if not self._is_quiet(local.time()):
            return None
        end = local.replace(hour=self.ends.hour, minute=self.ends.minute, second=0, microsecond=0)
        if end <= local:
            end += timedelta(days=1)
        return end.astimezone(UTC)

    def _is_quiet(self, at: time) -> bool:
        if self.begins <= self.ends:
            return self.begins <= at < self.ends
        return at >= self.begins or at < self.ends


def parse_quiet_hours(text: str) -> QuietHours | None:
    """Return the hours; None for an empty text; raise ValueError for any other that says none."""
    if not text.strip():
        return None
    found = _SPELLING.fullmatch(text.strip())
    if found is None:
        raise ValueError(WANTED)
    first, second, third, fourth, zone = found.groups()
    try:
        begins, ends = time(int(first), int(second)), time(int(third), int(fourth))
        return QuietHours(begins, ends, ZoneInfo(zone) if zone else UTC)
    except (ValueError, KeyError, OSError) as wrong:
        raise ValueError(WANTED) from wrong
