"""Balls as people read them: over by over, the newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

Ball = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Over:
    """One over of one innings, its balls in the order they were bowled."""

    innings: int
    number: int  # from 1, as it is called
    balls: Sequence[Ball]

    @property
    def runs(self) -> int:
        return sum(ball["runs"] for ball in self.balls)

    @property
    def wickets(self) -> int:
        return sum(bool(ball["is_wicket"]) for ball in self.balls)

    @property
    def sources(self) -> list[str]:
        """Who told of them first."""
        return sorted({ball["domain_id"] for ball in self.balls})


def overs_of(balls: Sequence[Ball]) -> list[Over]:
    """Return the overs of these balls, the newest first; the balls must come in the order of play."""
    together = groupby(balls, key=lambda ball: (ball["innings"], ball["over"]))
    return [Over(innings, over + 1, list(bowled)) for (innings, over), bowled in together][::-1]
