"""The oracle: which grade the monitor must have, worked out from what the origin answered.

Written from seed 004's text of the grade's transitions alone, and nothing of Limpet is imported: ages come from the
origin's own log of answers, so that a monitor which deceives itself about its freshness is found out.

    healthy -> degraded     median >= 60 s or p95 >= 60 s         looked at every 15 s, one step at most
    degraded -> failing     any >= 120 s, or nothing at all answered for >= 90 s
    failing -> recovering   a recycle was begun
    recovering -> healthy   the first answer since
    degraded -> healthy     below 60 s at two looks in a row
    failing -> degraded     none >= 120 s any more

Two things the text leaves open: from healthy, one match of many beyond 120 s leads to degraded first, as there is no
step to failing; and a recovery that is written down as failed is failing again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

SLOW, DEAD, STALLED, GOOD_LOOKS = 60.0, 120.0, 90.0, 2
State = tuple[str, int]  # the grade, and for how many looks in a row it was good


@dataclass(frozen=True, slots=True)
class Look:
    """What may have been seen at one look: ages at least and at most, since an answer takes time to be taken in."""

    at_least: Sequence[float]
    at_most: Sequence[float]
    stall_at_least: float = 0.0
    stall_at_most: float = 0.0

    def possible(self) -> set[tuple[bool, bool]]:
        """Return every (slow, dead) it can have been."""
        slow = {_is_slow(self.at_least), _is_slow(self.at_most)}
        dead = {
            max(ages, default=0.0) >= DEAD or (bool(ages) and stall >= STALLED)
            for ages, stall in ((self.at_least, self.stall_at_least), (self.at_most, self.stall_at_most))
        }
        return set(product(slow, dead))


@dataclass(slots=True)
class Oracle:
    """Every state the monitor can be in; more than one only while an age is too near a limit to tell."""

    states: set[State] = field(default_factory=lambda: {("healthy", 0)})

    @property
    def grades(self) -> set[str]:
        return {grade for grade, _ in self.states}

    def look(self, look: Look) -> None:
        """Take in one look."""
        self.states = {
            _looked(state, slow=slow, dead=dead) for state in self.states for slow, dead in look.possible()
        }

    def recycled(self) -> None:
        """Take in that a recovery was begun."""
        self._move("failing", "recovering")

    def answered(self, *, surely: bool) -> None:
        """Take in an answer; one of this moment may not have been taken in yet."""
        before = set() if surely else set(self.states)
        self._move("recovering", "healthy")
        self.states |= before

    def recovery_failed(self) -> None:
        """Take in that a recovery was judged to have failed."""
        self._move("recovering", "failing")

    def agrees(self, grade: str) -> bool:
        """Whether this grade is a possible one; from then on it is the one there was."""
        if grade not in self.grades:
            return False
        self.states = {state for state in self.states if state[0] == grade}
        return True

    def _move(self, before: str, after: str) -> None:
        self.states = {(after, 0) if state[0] == before else state for state in self.states}


def _looked(state: State, *, slow: bool, dead: bool) -> State:
    grade, good = state
    if grade == "healthy":
        return ("degraded", 0) if slow or dead else state
    if grade == "degraded":
        if dead:
            return "failing", 0
        if slow:
            return "degraded", 0
        return ("healthy", 0) if good + 1 >= GOOD_LOOKS else ("degraded", good + 1)
    if grade == "failing":
        return state if dead else ("degraded", 0)
    return state  # recovering ends by an answer, not by a look


def _is_slow(ages: Sequence[float]) -> bool:
    return share_of(ages, 0.5) >= SLOW or share_of(ages, 0.95) >= SLOW


def share_of(values: Iterable[float], share: float) -> float:
    """Return the smallest value that this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0
