"""Gaps: numbers missing from a sequence, months in which too little came. Neither is proof; both ask for a look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from statistics import median

Month = tuple[int, int]  # year, month

# A sequence of which we know less than this share was never published whole: its holes say nothing.
DENSE_FROM = 0.5
FEWEST_KNOWN = 3
# Nothing at all is odd where eight are usual. Over twenty years of months, chance alone would point at a wrong one
# in about one report of eight.
SURPRISE = 5e-4
NEIGHBOURS = 12
FEWEST_NEIGHBOURS = 6  # a few months show no habit: one month of history would make every later one quiet
SAME_MONTHS = 3


@dataclass(frozen=True, slots=True)
class Hole:
    """Numbers nobody has seen, first and last included."""

    first: int
    last: int

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Numbering:
    """One sequence that begins at 1: how much of it is known, and what is missing."""

    name: str
    known: int
    last: int
    holes: tuple[Hole, ...]

    @property
    def is_dense(self) -> bool:
        """Whether so much is known that a hole means something."""
        return self.known >= FEWEST_KNOWN and self.known >= DENSE_FROM * self.last

    @property
    def missing(self) -> int:
        return sum(hole.count for hole in self.holes)


@dataclass(frozen=True, slots=True)
class QuietMonth:
    """A month with far less than its neighbours and its namesakes in other years have."""

    year: int
    month: int
    count: int
    expected: float

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02d}"


def numbering(name: str, numbers: Iterable[int]) -> Numbering:
    """Return what is missing of a sequence below the highest number known."""
    known = sorted({number for number in numbers if number > 0})
    holes = tuple(Hole(a + 1, b - 1) for a, b in pairwise([0, *known]) if b - a > 1)
    return Numbering(name, len(known), known[-1] if known else 0, holes)


def quiet_months(counts: Mapping[Month, int], *, until: Month) -> list[QuietMonth]:
    """Return months before `until` whose count chance would hardly explain, oldest first."""
    if not any(counts.values()):
        return []
    first = _place(min(counts))
    series = [counts.get(_month(place), 0) for place in range(first, max(first, _place(until)))]
    if not any(series):
        return []
    found = []
    for at, count in enumerate(series):
        expected = _expected(series, at)
        if _chance_of_so_few(count, expected) < SURPRISE:
            found.append(QuietMonth(*_month(first + at), count, expected))
    return found


def _expected(series: list[int], at: int) -> float:
    """Courts rest every summer: the smaller of what is usual around this month and in this month of the year."""
    # Silence that lasts until now must not become what is usual: it is measured by the last months that spoke.
    spoken = len(series) - next(back for back, count in enumerate(reversed(series)) if count)
    middle = min(at, spoken)
    around = series[max(0, middle - NEIGHBOURS) : middle] + series[at + 1 : spoken][:NEIGHBOURS]
    namesakes = [
        count for place, count in enumerate(series[:spoken]) if place != at and (place - at) % 12 == 0
    ]
    usual = median(around) if len(around) >= FEWEST_NEIGHBOURS else 0.0
    return min(usual, median(namesakes)) if len(namesakes) >= SAME_MONTHS else usual


def _chance_of_so_few(count: int, expected: float) -> float:
    """Return the Poisson probability of at most so many where so many are usual."""
    if count >= expected:
        return 1.0
    term = total = exp(-expected)
    for number in range(1, count + 1):
        term *= expected / number
        total += term
    return total


def _place(month: Month) -> int:
    return month[0] * 12 + month[1] - 1


def _month(place: int) -> Month:
    return place // 12, place % 12 + 1
