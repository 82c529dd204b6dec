"""The promise of freshness, and its error budget: how many visits may go without a page before it is broken.

A source promises a page of every target at every beat of its schedule. Some misses are allowed; how many are left
says earlier than any grade whether a source needs care, and whether there is room for a risky change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

# How far back each window looks; the longest is the one the budget is drawn up for.
WINDOWS: Mapping[str, timedelta] = {
    "1d": timedelta(days=1),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
}
LONGEST = "30d"


@dataclass(frozen=True, slots=True)
class Visits:
    """How many visits were due, and how many of them brought a page."""

    due: int = 0
    kept: int = 0

    @property
    def missed(self) -> int:
        """How many brought none, or were never made."""
        return self.due - self.kept

    @property
    def share(self) -> float | None:
        """What part was kept; None when nothing was due."""
        return self.kept / self.due if self.due else None

    def __add__(self, other: Visits) -> Visits:
        return Visits(self.due + other.due, self.kept + other.kept)


@dataclass(frozen=True, slots=True)
class ErrorBudget:
    """What was promised and what was kept, in each window."""

    objective: float  # the part of all visits that must bring a page
    visits: Mapping[str, Visits] = field(default_factory=dict)  # by window
    since: datetime | None = None  # the earliest visit that is counted

    @property
    def left(self) -> float | None:
        """What part of the allowed misses is unspent; below zero it is overspent, None when nothing was due."""
        burn = self.burn(LONGEST)
        return None if burn is None else 1.0 - burn

    @property
    def misses_left(self) -> int:
        """How many more of the visits counted so far might have been missed."""
        visits = self.visits.get(LONGEST, Visits())
        return int(visits.due * (1.0 - self.objective)) - visits.missed

    def burn(self, window: str) -> float | None:
        """Return how fast the budget is spent: at 1 it lasts exactly as long as the window, at 2 half as long."""
        share = self.visits.get(window, Visits()).share
        return None if share is None else (1.0 - share) / (1.0 - self.objective)


def together(budgets: Sequence[ErrorBudget]) -> ErrorBudget:
    """Return the budget of several sources as if they were one."""
    visits = {name: sum((each.visits[name] for each in budgets), Visits()) for name in WINDOWS}
    began = [each.since for each in budgets if each.since is not None]
    return ErrorBudget(budgets[0].objective, visits, min(began, default=None))
