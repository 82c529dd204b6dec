"""One delivery and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

BALLS_PER_OVER = 6


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a delivery brought. `token` is how the first site writes it: 4, w, wd, nb4, lb1."""

    token: str
    bat: int = 0
    extras: int = 0
    extra: str = ""  # wd, nb, lb, b

    @property
    def runs(self) -> int:
        return self.bat + self.extras

    @property
    def is_wicket(self) -> bool:
        return self.token == "w"

    @property
    def is_legal(self) -> bool:
        return self.extra not in ("wd", "nb")

    @property
    def crosses(self) -> bool:
        """Whether the batters end at the other's end."""
        ran = self.bat if self.extra not in ("wd", "lb", "b") else self.extras - (self.extra == "wd")
        return ran % 2 == 1


def outcome_of(token: str) -> Outcome:
    """Return what a token means."""
    if token.isdecimal():
        return Outcome(token, bat=int(token))
    letters = token.rstrip("0123456789")
    number = int(token[len(letters) :] or 0)
    if letters == "w":
        return Outcome(token)
    if letters == "nb":
        return Outcome(token, bat=number, extras=1, extra="nb")
    if letters == "wd":
        return Outcome(token, extras=max(1, number), extra="wd")
    return Outcome(token, extras=max(1, number), extra=letters)


@dataclass(frozen=True, slots=True)
class Delivery:
    """One ball that was bowled. `tick` is the first moment at which it has happened."""

    innings: int
    over: int  # overs completed before it
    place: int  # 1 for the first delivery of its over, wides and no-balls counted
    ball: int  # 1 to 6; a wide or no-ball repeats the number
    legal_balls: int  # of the innings, this one included
    bowler: int  # place in the fielding side
    outcome: Outcome
    tick: int

    def stated_as(self, token: str) -> Delivery:
        """Return the same delivery with another outcome, as it is shown before a correction."""
        return replace(self, outcome=outcome_of(token))
