"""Who scored what: innings, batters, bowlers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from limpet.apps.matches.balls import Overs

NOTHING_BOWLED = Overs()
Side = Literal["team_a", "team_b"]


@dataclass(frozen=True, slots=True)
class Team:
    """A side; `name` is empty until a source has told it."""

    code: str
    name: str = ""
    short_name: str = ""

    def payload(self) -> dict[str, Any]:
        """Return it as seed 004 writes it, with the source's code beside."""
        return {"name": self.name, "short_name": self.short_name, "code": self.code}


@dataclass(frozen=True, slots=True)
class InningsScore:
    """The score of one innings; `number` counts the innings of the match from 1."""

    number: int
    side: Side
    runs: int
    wickets: int
    overs: Overs
    is_super_over: bool = False
    is_declared: bool = False

    def payload(self) -> dict[str, Any]:
        """Return it with overs in words and in whole numbers; never as a float."""
        return {
            "innings": self.number,
            "runs": self.runs,
            "wickets": self.wickets,
            "overs": str(self.overs),
            "over": self.overs.over,
            "ball": self.overs.ball,
            "legal_balls": self.overs.legal_balls,
            "super_over": self.is_super_over,
            "declared": self.is_declared,
        }


@dataclass(frozen=True, slots=True)
class Dismissal:
    """How a batter got out, as far as the source says."""

    kind: str  # caught, run_out, bowled, lbw, stumped, ...; "out" when the source does not say
    bowler: str = ""
    fielder: str = ""
    fell_at_runs: int | None = None
    fell_at_ball: int | None = None  # legal balls of the innings


@dataclass(frozen=True, slots=True)
class BatterLine:
    """One batter of an innings. `name` is empty while the code book has none."""

    code: str
    name: str = ""
    runs: int = 0
    balls: int = 0
    fours: int = 0
    sixes: int = 0
    state: Literal["yet_to_bat", "batting", "out"] = "batting"
    is_on_strike: bool = False
    dismissal: Dismissal | None = None


@dataclass(frozen=True, slots=True)
class BowlerLine:
    """One bowler of an innings."""

    code: str
    name: str = ""
    overs: Overs = NOTHING_BOWLED
    maidens: int = 0
    runs: int = 0
    wickets: int = 0


@dataclass(frozen=True, slots=True)
class InningsCard:
    """The scorecard of one innings."""

    number: int
    side: Side
    score: InningsScore | None = None
    batters: tuple[BatterLine, ...] = ()
    bowlers: tuple[BowlerLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All innings of a match, in order."""

    innings: tuple[InningsCard, ...]
