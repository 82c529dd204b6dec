"""One source's page in the book of promises: visits by the hour, and the beats nobody walked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from limpet.errors import ConfigError
from limpet.observe.promise import WINDOWS, Visits
from limpet.target.schedule import Cadence, Cron, parse_schedule

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Walk:
    """One ended run that answered a fire of the schedule."""

    due_at: datetime
    ended_at: datetime
    visits: Visits
    schedule: str | None = None  # as it was then


@dataclass(slots=True)
class PromisePage:
    """Sums by the hour, so that a month of a busy source is a few hundred numbers."""

    hours: dict[datetime, Visits] = field(default_factory=dict)
    last: Walk | None = None
    first_at: datetime | None = None  # the earliest visit ever entered; hours alone would round it down

    @property
    def since(self) -> datetime | None:
        """Return from when on visits are counted; once early hours are forgotten, the earliest one kept."""
        hour = min(self.hours, default=None)
        return max(hour, self.first_at) if hour is not None and self.first_at is not None else hour

    def enter(self, walk: Walk) -> None:
        """Add a run, and what was missed between the one before and this."""
        if self.last is not None and walk.due_at > self.last.due_at:
            for hour, missed in self._missed_until(walk.due_at, self.last.schedule):
                self._add(hour, missed)
        self._add(hour_of(walk.due_at), walk.visits)
        self.first_at = min(self.first_at or walk.due_at, walk.due_at)
        if self.last is None or walk.due_at > self.last.due_at:
            self.last = walk

    def sums(self, now: datetime, *, schedule: str | None, answered: datetime | None) -> dict[str, Visits]:
        """Return the visits in each window, with the beats missed since the last run.

        `answered` is the fire of a run under way: what came before it is known to be missed.
        """
        hours = dict(self.hours)
        for hour, missed in self._missed_until(answered or _latest(schedule, now), schedule):
            hours[hour] = hours.get(hour, Visits()) + missed
        return {name: _sum_since(hours, now - span) for name, span in WINDOWS.items()}

    def forget_before(self, moment: datetime) -> None:
        """Drop the hours no window reaches any more."""
        for hour in [each for each in self.hours if each + _HOUR <= moment]:
            del self.hours[hour]

    def _add(self, hour: datetime, visits: Visits) -> None:
        self.hours[hour] = self.hours.get(hour, Visits()) + visits

    def _missed_until(
        self, due_at: datetime | None, schedule: str | None
    ) -> Iterator[tuple[datetime, Visits]]:
        """Yield hour by hour what the fires before `due_at` would have visited; a long run answers those in it."""
        beat = _parsed(schedule)
        if self.last is None or beat is None or due_at is None:
            return
        start = max(self.last.due_at, self.last.ended_at, due_at - max(WINDOWS.values()))
        each = max(1, self.last.visits.due)
        for hour in _hours_between(start, due_at):
            # A fire on the stroke of the hour belongs to it, so it is looked for from just before.
            after = max(start, hour - timedelta(microseconds=1))
            fires = beat.fires_between(after, min(due_at, hour + _HOUR))
            if fires:
                yield hour, Visits(due=fires * each)


def hour_of(moment: datetime) -> datetime:
    """Return the hour a moment belongs to."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _hours_between(start: datetime, end: datetime) -> Iterator[datetime]:
    hour = hour_of(start)
    while hour < end:
        yield hour
        hour += _HOUR


def _sum_since(hours: dict[datetime, Visits], moment: datetime) -> Visits:
    return sum((visits for hour, visits in hours.items() if hour + _HOUR > moment), Visits())


def _parsed(schedule: str | None) -> Cron | Cadence | None:
    try:
        return parse_schedule(schedule) if schedule else None
    except ConfigError:
        return None


def _latest(schedule: str | None, now: datetime) -> datetime | None:
    """Return the latest fire; its run may still be about to begin, so it is not missed yet."""
    beat = _parsed(schedule)
    return beat.last_fire(now) if beat is not None else None
