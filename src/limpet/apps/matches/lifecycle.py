"""The life of a match as one source shows it: found, watched, paused when it fails, finished, put away - and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any

PAUSE_THRESHOLD = 5
COOL_DOWN = timedelta(seconds=300)
ARCHIVE_AFTER = timedelta(hours=24)
ABSENCES_UNTIL_FINISHED = 2


class MatchState(StrEnum):
    """Where a match stands with us."""

    DISCOVERED = "discovered"
    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"
    ARCHIVED = "archived"


class MatchPriority(IntEnum):
    """What is asked first; lower wins."""

    LIVE = 0
    IMMINENT = 1
    COMPLETED = 2

    @property
    def word(self) -> str:
        return self.name.lower()


S = MatchState
TRANSITIONS: Mapping[MatchState, frozenset[MatchState]] = {
    # A match that never answers is paused too: otherwise it would be asked for ever.
    S.DISCOVERED: frozenset({S.ACTIVE, S.PAUSED, S.COMPLETED}),
    S.ACTIVE: frozenset({S.PAUSED, S.COMPLETED}),
    S.PAUSED: frozenset({S.ACTIVE, S.COMPLETED}),
    S.COMPLETED: frozenset({S.ACTIVE, S.ARCHIVED}),  # active again: stumps, rain, a list that forgot it
    S.ARCHIVED: frozenset({S.ACTIVE}),
}


class ForbiddenTransition(ValueError):
    """A match was to go where its state does not lead."""


@dataclass(frozen=True, slots=True)
class MatchMonitoringRecord:
    """How one match is watched at one source. Every change is a new record."""

    match_id: str  # at this source, `crex:RE0`
    domain_id: str
    created_at: datetime
    state: MatchState = MatchState.DISCOVERED
    priority_state: MatchPriority = MatchPriority.LIVE
    last_update_time: datetime | None = None
    consecutive_failure_count: int = 0
    paused: bool = False
    pause_until: datetime | None = None  # none while paused: until somebody resumes it
    total_scrapes: int = 0
    total_failures: int = 0
    absences: int = 0
    completed_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def freshness_age_seconds(self, now: datetime) -> float:
        """How old the last successful scrape is; before there was one, how long we have been waiting."""
        return max(0.0, (now - (self.last_update_time or self.created_at)).total_seconds())

    def may_be_asked(self, now: datetime) -> bool:
        """Whether it may be scraped now: not put away, and no pause holds."""
        if self.state is MatchState.ARCHIVED:
            return False
        return not self.paused or (self.pause_until is not None and now >= self.pause_until)

    # -- what happens to it --------------------------------------------------------------------------------

    def succeeded(self, now: datetime, *, is_over: bool, is_playing: bool = False) -> MatchMonitoringRecord:
        """Return the record after a scrape that gave data; play going on revives what had ended."""
        counted = replace(
            self,
            last_update_time=now,
            consecutive_failure_count=0,
            total_scrapes=self.total_scrapes + 1,
        )
        if is_over:
            return counted._finish(now)
        if counted.state in (MatchState.COMPLETED, MatchState.ARCHIVED):
            return counted._revive() if is_playing else counted
        if not self.may_be_asked(now):
            return counted  # asked before it was paused: a late answer does not end the pause
        return counted._become(MatchState.ACTIVE) if counted.state is not MatchState.ACTIVE else counted

    def failed(self, now: datetime) -> MatchMonitoringRecord:
        """Return the record after a scrape that gave nothing; the fifth in a row pauses it."""
        counted = replace(
            self,
            consecutive_failure_count=self.consecutive_failure_count + 1,
            total_scrapes=self.total_scrapes + 1,
            total_failures=self.total_failures + 1,
        )
        if counted.state is MatchState.PAUSED:
            return counted if counted.pause_until is None else replace(counted, pause_until=now + COOL_DOWN)
        if counted.state in (MatchState.COMPLETED, MatchState.ARCHIVED):
            return counted
        if counted.consecutive_failure_count >= PAUSE_THRESHOLD:
            return replace(counted._become(MatchState.PAUSED), pause_until=now + COOL_DOWN)
        return counted

    def listed(self, *, is_over: bool, now: datetime) -> MatchMonitoringRecord:
        """Return the record after the source listed the match; listed as not over, it lives again."""
        seen = replace(self, absences=0)
        if is_over:
            return seen
        return seen._revive() if seen.state in (MatchState.COMPLETED, MatchState.ARCHIVED) else seen

    def absent(self, now: datetime, *, is_playing: bool) -> MatchMonitoringRecord:
        """Return the record after the source's list left the match out; twice means finished.

        Not while we see it being played: then it is the list that is wrong.
        """
        missed = replace(self, absences=self.absences + 1)
        if missed.absences < ABSENCES_UNTIL_FINISHED or is_playing or missed.state is MatchState.ARCHIVED:
            return missed
        return missed._finish(now)

    def aged(self, now: datetime) -> MatchMonitoringRecord:
        """Return the record, put away when it ended a day ago."""
        if self.state is MatchState.COMPLETED and now - (self.completed_at or now) >= ARCHIVE_AFTER:
            return self._become(MatchState.ARCHIVED)
        return self

    def paused_by_hand(self) -> MatchMonitoringRecord:
        """Return the record paused until somebody resumes it; what has ended cannot be paused."""
        if self.state in (MatchState.COMPLETED, MatchState.ARCHIVED):
            return self
        paused = self if self.state is MatchState.PAUSED else self._become(MatchState.PAUSED)
        return replace(paused, pause_until=None)

    def resumed_by_hand(self, now: datetime) -> MatchMonitoringRecord:
        """Return the record with its cool-down over now; the next success makes it active."""
        return replace(self, pause_until=now) if self.state is MatchState.PAUSED else self

    # -- transitions ---------------------------------------------------------------------------------------

    def _finish(self, now: datetime) -> MatchMonitoringRecord:
        if self.state in (MatchState.COMPLETED, MatchState.ARCHIVED):
            return self
        ended = self._become(MatchState.COMPLETED)
        return replace(ended, completed_at=now, priority_state=MatchPriority.COMPLETED)

    def _revive(self) -> MatchMonitoringRecord:
        return replace(
            self._become(MatchState.ACTIVE),
            completed_at=None,
            consecutive_failure_count=0,
            priority_state=MatchPriority.LIVE,
        )

    def _become(self, state: MatchState) -> MatchMonitoringRecord:
        if state not in TRANSITIONS[self.state]:
            raise ForbiddenTransition(f"{self.match_id}: {self.state.value} does not lead to {state.value}")
        is_paused = state is MatchState.PAUSED
        return replace(
            self, state=state, paused=is_paused, pause_until=self.pause_until if is_paused else None
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as `match_monitor:{id}` holds it."""
        plain = {name: value for name, value in asdict(self).items() if name != "metadata"}
        moments = {name: value.timestamp() for name, value in plain.items() if isinstance(value, datetime)}
        words = {"state": self.state.value, "priority_state": self.priority_state.word}
        return plain | moments | words | {"metadata": dict(self.metadata)}


def overall(states: set[MatchState]) -> MatchState:
    """Return how a match stands when several sources show it: as well as at the best of them."""
    order = (S.ACTIVE, S.DISCOVERED, S.PAUSED, S.COMPLETED, S.ARCHIVED)
    return next((state for state in order if state in states), S.DISCOVERED)
