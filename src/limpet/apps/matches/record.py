"""What a source states about a match at one moment, and the unified payload made of it (seed 004)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from limpet.apps.matches.balls import BallEvent, BallKey, ExtraKind, Overs, parse_overs
from limpet.apps.matches.scorecard import (
    BatterLine,
    BowlerLine,
    Dismissal,
    InningsCard,
    InningsScore,
    Scorecard,
    Side,
    Team,
)

CERTAIN = 1.0
STATED = 0.9  # said plainly by the source, where it means just that
DERIVED = 0.7  # worked out by us from what it says
DOUBTFUL = 0.4  # below the threshold of reconciliation: a code nobody has a name for, a half-read text


class MatchStatus(StrEnum):
    """Where a match stands."""

    UPCOMING = "upcoming"
    LIVE = "live"
    COMPLETED = "completed"
    ABANDONED = "abandoned"

    @property
    def is_over(self) -> bool:
        return self in (MatchStatus.COMPLETED, MatchStatus.ABANDONED)


class Phase(StrEnum):
    """What goes on within a match; a break is not an outage."""

    NOT_STARTED = "not_started"
    IN_PLAY = "in_play"
    INNINGS_BREAK = "innings_break"
    RAIN = "rain"
    STUMPS = "stumps"
    SUPER_OVER = "super_over"
    FINISHED = "finished"

    @property
    def is_playing(self) -> bool:
        return self in (Phase.IN_PLAY, Phase.SUPER_OVER)


class EventType(StrEnum):
    """What happened last."""

    RUNS = "runs"
    WICKET = "wicket"
    OVER_COMPLETE = "over_complete"
    BREAK = "break"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Toss:
    """Who won it and what they chose."""

    winner: str
    decision: str  # bat, bowl


@dataclass(frozen=True, slots=True)
class LastEvent:
    """The latest thing a source tells; `timestamp` is None unless the source itself states when."""

    type: EventType
    description: str
    timestamp: datetime | None = None


@dataclass(frozen=True, slots=True)
class DiscoveredMatch:
    """A match a source lists, as far as the list tells. `fixture` is the same at every source."""

    domain_id: str
    match_key: str  # the source's own key
    url: str
    status: MatchStatus
    title: str = ""
    teams: tuple[Team, Team] | None = None
    label: str = ""  # "24th Match"
    series: str = ""
    start_time: datetime | None = None  # None when the list shows no date: a clock time alone is no moment

    @property
    def match_id(self) -> str:
        """The id at this source, `crex:RE0`."""
        return f"{self.domain_id}:{self.match_key}"

    @property
    def fixture(self) -> str:
        """A key two sources agree on: both sides in a fixed order, and which match of them it is."""
        names = sorted(map(_place, self.teams or ()))
        return "-".join([*names, _slug(self.label)]) if names else f"{self.domain_id}-{self.match_key}"


@dataclass(frozen=True, slots=True)
class MatchList:
    """What a source's list holds."""

    matches: tuple[DiscoveredMatch, ...]


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """One source's statement about one match. What it does not say is None or empty, never invented.

    `confidence` holds what differs from `STATED`, by the top-level name of the payload.
    """

    domain_id: str
    match_key: str
    observed_at: datetime
    status: MatchStatus
    phase: Phase
    title: str = ""
    teams: tuple[Team, Team] | None = None
    innings: tuple[InningsScore, ...] = ()
    current_innings: int | None = None
    toss: Toss | None = None
    venue: str = ""
    start_time: datetime | None = None
    last_event: LastEvent | None = None
    result: str = ""
    target_runs: int | None = None
    batters: tuple[BatterLine, ...] = ()
    bowler: BowlerLine | None = None
    balls: tuple[BallEvent, ...] = ()  # what the source still shows of the latest overs, oldest first
    card: tuple[InningsCard, ...] = ()  # empty unless the scorecard was asked for
    metadata: Mapping[str, Any] = field(default_factory=dict)  # series, match_type, label, weather
    confidence: Mapping[str, float] = field(default_factory=dict)
    unknown_codes: tuple[str, ...] = ()  # codes the code book could not name yet
    troubles: tuple[
        str, ...
    ] = ()  # what was asked for besides and could not be had: the score stands without

    @property
    def match_id(self) -> str:
        """The id at this source, `crex:RE0`."""
        return f"{self.domain_id}:{self.match_key}"

    def confidence_in(self, name: str) -> float:
        """How far the field of that name may be believed, 0 to 1."""
        return self.confidence.get(name, STATED)

    def payload(self) -> dict[str, Any]:
        """Return the match in the unified schema of seed 004; fields the source does not state are absent."""
        stated: dict[str, Any] = {
            "match_id": self.match_id,
            "domain_id": self.domain_id,
            "title": self.title,
            "status": self.status.value,
            "phase": self.phase.value,
            "teams": self._teams(),
            "score": self._score(),
            "innings": [{**each.payload(), "side": each.side} for each in self.innings],
            "current_innings": self.current_innings,
            "toss": asdict(self.toss) if self.toss else None,
            "venue": self.venue,
            "start_time": _moment(self.start_time),
            "last_event": self._last_event(),
            "result": self.result,
            "target": self.target_runs,
            "batters": [asdict(each) for each in self.batters],
            "bowler": _bowler(self.bowler),
            "metadata": {name: value for name, value in self.metadata.items() if value not in (None, "")},
        }
        return {name: value for name, value in stated.items() if value not in (None, "", [], {})}

    def _teams(self) -> dict[str, Any]:
        if self.teams is None:
            return {}
        return {side: team.payload() for side, team in zip(("team_a", "team_b"), self.teams, strict=True)}

    def _score(self) -> dict[str, Any]:
        """Return each side's latest innings, a super over only when there is nothing else."""
        latest: dict[str, Any] = {}
        for innings in sorted(self.innings, key=lambda each: (not each.is_super_over, each.number)):
            latest[innings.side] = innings.payload()
        return latest

    def _last_event(self) -> dict[str, Any] | None:
        event = self.last_event
        if event is None:
            return None
        return {
            "type": event.type.value,
            "description": event.description,
            "timestamp": _moment(event.timestamp),
        }


def in_order(one: Team, other: Team) -> tuple[Team, Team]:
    """Return both sides in the order every source shares: whoever names whom first, team_a stays team_a."""
    return (one, other) if _place(one) <= _place(other) else (other, one)


def _place(team: Team) -> str:
    return _slug(team.short_name or team.name or team.code)


def _bowler(bowler: BowlerLine | None) -> dict[str, Any] | None:
    return {**asdict(bowler), "overs": str(bowler.overs)} if bowler else None


def _moment(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")


__all__ = [
    "CERTAIN",
    "DERIVED",
    "DOUBTFUL",
    "STATED",
    "BallEvent",
    "BallKey",
    "BatterLine",
    "BowlerLine",
    "DiscoveredMatch",
    "Dismissal",
    "EventType",
    "ExtraKind",
    "InningsCard",
    "InningsScore",
    "LastEvent",
    "MatchList",
    "MatchSnapshot",
    "MatchStatus",
    "Overs",
    "Phase",
    "Scorecard",
    "Side",
    "Team",
    "Toss",
    "in_order",
    "parse_overs",
]
