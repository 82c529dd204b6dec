"""Schedules: when a source is due again, by cron expression or by cadence. All times are UTC."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Protocol

from cronsim import CronSim, CronSimError

from limpet.errors import ConfigError

_NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_CADENCE = re.compile(r"every\s+(\d{1,9}(?:\.\d{1,3})?)\s*([smhd])")
_LONGEST_CADENCE_SECONDS = 366 * 86_400


class Schedule(Protocol):
    """Says when to go again."""

    def next_fire(self, after: datetime) -> datetime:
        """Return the first moment later than `after`, in UTC."""
        ...

    def last_fire(self, before: datetime) -> datetime:
        """Return the latest moment not later than `before`, in UTC."""
        ...

    def fires_between(self, after: datetime, before: datetime) -> int:
        """Return how many moments lie later than `after` and earlier than `before`."""
        ...


@dataclass(frozen=True, slots=True)
class Cron:
    """Moments of the calendar: `0 */4 * * *`."""

    expression: str

    def next_fire(self, after: datetime) -> datetime:
        return next(CronSim(self.expression, after.astimezone(UTC)))

    def last_fire(self, before: datetime) -> datetime:
        """Return the latest moment not later than `before`: what should have run by now."""
        just_after = before.astimezone(UTC) + timedelta(microseconds=1)
        return next(CronSim(self.expression, just_after, reverse=True))

    def fires_between(self, after: datetime, before: datetime) -> int:
        later = CronSim(self.expression, after.astimezone(UTC))
        return sum(1 for _ in takewhile(lambda fire: fire < before, later))


@dataclass(frozen=True, slots=True)
class Cadence:
    """A steady beat, counted from the last time: `every 30s`."""

    seconds: float

    def next_fire(self, after: datetime) -> datetime:
        return after.astimezone(UTC) + timedelta(seconds=self.seconds)

    def last_fire(self, before: datetime) -> datetime:
        """Return the latest beat not later than `before`; beats count from 1970, so all schedulers agree on them."""
        beats = before.timestamp() // self.seconds
        return datetime.fromtimestamp(beats * self.seconds, UTC)

    def fires_between(self, after: datetime, before: datetime) -> int:
        """Return how many beats since 1970 lie in between."""
        first = math.floor(after.timestamp() / self.seconds) + 1
        last = math.ceil(before.timestamp() / self.seconds) - 1
        return max(0, last - first + 1)


def parse_schedule(text: str) -> Cron | Cadence:
    """Read a cron expression, a nickname (@daily) or a cadence (`every 15m`), or raise ConfigError."""
    wanted = " ".join(text.split()).lower()
    if wanted.startswith("every"):
        return _parse_cadence(wanted)
    expression = _NICKNAMES.get(wanted, wanted)
    if len(expression.split(" ")) != 5:
        raise _unreadable(text, "it needs five fields")
    try:
        next(CronSim(expression, datetime(2026, 1, 1, tzinfo=UTC)))
    except (CronSimError, StopIteration, AssertionError) as exc:
        raise _unreadable(text, str(exc).lower() or "no day ever matches it") from exc
    return Cron(expression)


def _parse_cadence(wanted: str) -> Cadence:
    match = _CADENCE.fullmatch(wanted)
    seconds = float(match[1]) * _UNIT_SECONDS[match[2]] if match else 0.0
    if not 0 < seconds <= _LONGEST_CADENCE_SECONDS:
        raise _unreadable(wanted, "a cadence is a number and s, m, h or d, up to a year")
    return Cadence(seconds)


def _unreadable(text: str, why: str) -> ConfigError:
    return ConfigError(
        f"The schedule {text[:80]!r} cannot be read: {why}.",
        fix="Write minute hour day month weekday in UTC, as in '0 */4 * * *', or 'every 30m'.",
    )
