"""How far a year's numbers go, found with few questions although there are holes.

    gallop    1, 2, 4, 8 ... to the end of the register: an early hole hides nothing behind it
    bisect    between the highest hit and the next miss: a hit with a miss right after it, the end or a hole
    confirm   every `stride`-th number of a window wider than any hole, far end first, then all those nearby
    reach     beyond the window, every eighth of those, because holes may have run together: as far as the budget goes

A hit while confirming or reaching is bisected from again. What is known already costs nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field

from limpet.errors import UsageError
from limpet.extract.parse.case_number import LARGEST_NUMBER

COARSENESS = (8, 4, 2, 1)
# Whether the court has a record of this number; raises what ends the search.
Ask = Callable[[int], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class ProbeTerms:
    """How hard to look. A hole is seen through when it is smaller than the window less one stride, and at least
    `stride` numbers in a row follow it."""

    window: int = 650
    stride: int = 7
    close: int = 12
    budget: int = 200
    reach: int = 1_400  # so far beyond the window

    def __post_init__(self) -> None:
        if not (1 <= self.stride <= self.window and self.close >= 1 and self.budget >= 1):
            raise UsageError(
                f"A window of {self.window} in strides of {self.stride} with {self.budget} probes cannot be.",
                fix="Take a window of at least one stride, and at least one probe.",
            )

    def suspects(self, last: int) -> Iterator[int]:
        """Yield where numbers would be, were this one not the last; a number may come twice."""
        # Multiples, so that the windows of two hits share what was asked; coarse ones first and from the far end, so
        # that a hole costs a few questions and only the true end costs them all.
        for stride in (self.stride * coarseness for coarseness in COARSENESS):
            furthest = min(last + self.window, LARGEST_NUMBER) // stride * stride
            yield from range(furthest, last + self.close, -stride)
        yield from range(last + 1, min(last + self.close, LARGEST_NUMBER) + 1)

    def beyond(self, last: int) -> Iterator[int]:
        """Yield where numbers would be behind a hole wider than the window, nearest first."""
        stride = self.stride * COARSENESS[0]
        begin = (last + self.window) // stride * stride + stride
        yield from range(begin, min(last + self.window + self.reach, LARGEST_NUMBER) + 1, stride)


@dataclass(frozen=True, slots=True)
class UpperBound:
    """The last number with a record, 0 when there is none; not proven when the budget was spent before.

    What `is_proven` promises has bounds of its own, and these are they: no hole of up to `sees_through` numbers
    hides more, unless fewer than `shortest_tail` follow it; nor does a wider one up to `reached`, unless fewer than
    eight times as many do.
    """

    number: int
    probes: int
    is_proven: bool
    sees_through: int = 0
    shortest_tail: int = 0
    reached: int = 0


class BudgetSpent(Exception):
    """No probe is left."""


@dataclass(slots=True)
class Search:
    """One search; `known` are answers that need not be asked for."""

    ask: Ask
    terms: ProbeTerms = field(default_factory=ProbeTerms)
    known: Mapping[int, bool] = field(default_factory=dict)
    probes: int = 0
    _answers: dict[int, bool] = field(default_factory=dict)

    async def run(self) -> UpperBound:
        """Return the bound."""
        self._answers.update(self.known)
        try:
            hit = await self._gallop()
            while True:
                hit = await self._edge_after(hit)
                beyond = await self._confirm(hit)
                if beyond is None:
                    beyond, reached = await self._reach(hit)
                    if beyond is None:
                        return self._proven(hit, reached)
                hit = beyond
        except BudgetSpent:
            return UpperBound(self._highest_hit(), self.probes, is_proven=False)

    async def _gallop(self) -> int:
        """Return the highest hit among the powers of two and what is known."""
        for power in range(LARGEST_NUMBER.bit_length()):
            if 2**power > self._highest_hit():
                await self._has_record(2**power)
        return self._highest_hit()

    async def _edge_after(self, hit: int) -> int:
        """Return a hit, this one or a later one, with a miss right after it."""
        misses = (number for number, is_there in self._answers.items() if number > hit and not is_there)
        miss = min(misses, default=LARGEST_NUMBER + 1)
        while miss - hit > 1:
            middle = (hit + miss) // 2
            if await self._has_record(middle):
                hit = middle
            else:
                miss = middle
        return hit

    async def _confirm(self, last: int) -> int | None:
        for number in self.terms.suspects(last):
            if await self._has_record(number):
                return number
        return None

    async def _reach(self, last: int) -> tuple[int | None, int]:
        """Return a hit behind a hole wider than the window, and how far we looked; a spent budget spoils nothing."""
        reached = last + self.terms.window
        try:
            for number in self.terms.beyond(last):
                if await self._has_record(number):
                    return number, reached
                reached = number
        except BudgetSpent:
            pass
        return None, min(reached, LARGEST_NUMBER)

    def _proven(self, last: int, reached: int) -> UpperBound:
        return UpperBound(
            last,
            self.probes,
            is_proven=True,
            sees_through=self.terms.window - self.terms.stride,
            shortest_tail=self.terms.stride,
            reached=reached,
        )

    async def _has_record(self, number: int) -> bool:
        if number not in self._answers:
            if self.probes >= self.terms.budget:
                raise BudgetSpent
            self.probes += 1
            self._answers[number] = await self.ask(number)
        return self._answers[number]

    def _highest_hit(self) -> int:
        return max((number for number, is_there in self._answers.items() if is_there), default=0)
