"""What a delivery brought, from the letters scorers use: 4, w, wd, wd2, nb4, lb1, 2lb."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from limpet.apps.matches.balls import BALLS_PER_OVER, BallEvent, BallKey, ExtraKind

_KINDS = {
    "wd": ExtraKind.WIDE,
    "nb": ExtraKind.NO_BALL,
    "lb": ExtraKind.LEG_BYE,
    "b": ExtraKind.BYE,
    "pen": ExtraKind.PENALTY,
}
_LETTERS = {kind: letters for letters, kind in _KINDS.items()}
_TOKEN = re.compile(r"(?P<before>\d{0,2})(?P<letters>wd|nb|lb|b|pen|wk|w)?(?P<after>\d{0,2})", re.IGNORECASE)
MOST_RUNS = 13  # more than one ball has ever brought; a bigger number is not a number of runs


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one delivery."""

    runs: int
    extras: int = 0
    kind: ExtraKind | None = None
    is_wicket: bool = False

    @property
    def is_legal(self) -> bool:
        return self.kind not in (ExtraKind.WIDE, ExtraKind.NO_BALL)

    @property
    def text(self) -> str:
        """The outcome in scorers' letters, the same whichever source told it."""
        if self.is_wicket:
            return "w" if not self.runs else f"w{self.runs}"
        if self.kind is None:
            return str(self.runs)
        number = self.runs - self.extras if self.kind is ExtraKind.NO_BALL else self.runs
        silent = 1 if self.kind is ExtraKind.WIDE else 0
        return _LETTERS[self.kind] + (str(number) if number != silent else "")


def outcome_of(token: str) -> Outcome | None:
    """Return what the letters mean; None when nobody could say for certain."""
    found = _TOKEN.fullmatch(token.strip())
    if found is None or (found["before"] and found["after"]) or not token.strip():
        return None
    letters, digits = (found["letters"] or "").lower(), found["before"] or found["after"]
    number = int(digits) if digits else 0
    if number > MOST_RUNS:
        return None
    if not letters:
        return Outcome(number)
    if letters in ("w", "wk"):
        return Outcome(number, is_wicket=True)
    kind = _KINDS[letters]
    if kind is ExtraKind.NO_BALL:  # the ball itself is one, the number is what was hit off it
        return Outcome(number + 1, 1, kind)
    return Outcome(max(1, number), max(1, number), kind)


def balls_of_over(innings: int, over: int, outcomes: Iterable[Outcome | None]) -> list[BallEvent]:
    """Number the deliveries of one over from its first; what follows an unknown one cannot be numbered."""
    balls: list[BallEvent] = []
    legal = 0
    for place, outcome in enumerate(outcomes, start=1):
        if outcome is None or legal == BALLS_PER_OVER:
            break
        number = legal + 1
        legal += outcome.is_legal
        balls.append(ball_event(BallKey(innings, over, place), number, legal, outcome))
    return balls


def ball_event(key: BallKey, number: int, legal_in_over: int, outcome: Outcome) -> BallEvent:
    """Return the outcome as an event."""
    return BallEvent(
        key=key,
        ball=number,
        runs=outcome.runs,
        legal_balls=key.over * BALLS_PER_OVER + legal_in_over,
        extras=outcome.extras,
        extra_kind=outcome.kind,
        is_wicket=outcome.is_wicket,
        text=outcome.text,
    )
