"""Balls and overs in whole numbers: 9.6 and 10.0 are the same sixty balls, and neither is a float."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

BALLS_PER_OVER = 6
_OVERS = re.compile(r"\(?\s*(\d{1,4})(?:\.(\d))?\s*(?:ov(?:ers?)?)?\s*\)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Overs:
    """How much has been bowled, counted in legal balls."""

    legal_balls: int = 0

    @property
    def over(self) -> int:
        """The completed overs."""
        return self.legal_balls // BALLS_PER_OVER

    @property
    def ball(self) -> int:
        """The legal balls of the over under way, 0 to 5."""
        return self.legal_balls % BALLS_PER_OVER

    def __str__(self) -> str:
        return f"{self.over}.{self.ball}"


def parse_overs(text: str) -> Overs | None:
    """Read `15.3`, `(35.0)`, `20` or the unclosed `(31.1`; None for what no scorer would write."""
    found = _OVERS.fullmatch(text.strip())
    if found is None:
        return None
    over, ball = int(found[1]), int(found[2] or 0)
    return Overs(over * BALLS_PER_OVER + ball) if ball <= BALLS_PER_OVER else None


class ExtraKind(StrEnum):
    """Runs nobody hit."""

    WIDE = "wide"
    NO_BALL = "no_ball"
    BYE = "bye"
    LEG_BYE = "leg_bye"
    PENALTY = "penalty"


NOT_LEGAL = frozenset({ExtraKind.WIDE, ExtraKind.NO_BALL})


@dataclass(frozen=True, slots=True, order=True)
class BallKey:
    """Which delivery it is, the same whoever tells of it: the n-th of its over, wides and no-balls counted."""

    innings: int  # 1 for the first of the match
    over: int  # overs completed before it, as in 9.3
    delivery: int  # 1 for the first of its over

    def __str__(self) -> str:
        return f"{self.innings}/{self.over}/{self.delivery}"


@dataclass(frozen=True, slots=True)
class BallEvent:
    """One delivery as one source states it. A later statement about the same key is a correction."""

    key: BallKey
    ball: int  # 1 to 6, the number scorers give it; a wide or no-ball repeats the number
    runs: int  # all runs it brought, extras included
    legal_balls: int  # legal balls of the innings once it was bowled
    extras: int = 0
    extra_kind: ExtraKind | None = None
    is_wicket: bool = False
    text: str = ""  # the outcome in scorers' letters: "4", "w", "lb1"

    @property
    def is_legal(self) -> bool:
        """Whether it counts towards the over."""
        return self.extra_kind not in NOT_LEGAL

    @property
    def is_boundary(self) -> bool:
        """Whether the bat alone made four or six of it."""
        return self.runs - self.extras in (4, 6)

    @property
    def label(self) -> str:
        """Its number as commentators say it: `9.6` is the last ball of the tenth over."""
        return f"{self.key.over}.{self.ball}"
