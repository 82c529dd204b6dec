"""The last number of a year, whatever the holes before it."""

from __future__ import annotations

import random

import pytest

from limpet.apps.dockets.upper_bound import ProbeTerms, Search, UpperBound
from limpet.errors import UsageError
from tidepool.registry.numbers import Numbers


class Register:
    """A year of numbers with holes, which counts how often each is asked for."""

    def __init__(self, last: int, *holes: tuple[int, int]) -> None:
        self.missing = {number for start, size in holes for number in range(start, start + size)}
        self.last = last
        self.asked: list[int] = []

    @property
    def widest_hole(self) -> int:
        widest = width = 0
        for number in range(1, self.last + 1):
            width = width + 1 if number in self.missing else 0
            widest = max(widest, width)
        return widest

    async def has(self, number: int) -> bool:
        self.asked.append(number)
        return 1 <= number <= self.last and number not in self.missing

    async def search(self, **known: object) -> UpperBound:
        return await Search(self.has, **known).run()  # type: ignore[arg-type]


@pytest.mark.parametrize("last", [1, 2, 3, 7, 64, 65, 1_000, 4_096, 5_600, 9_998, 10_000, 65_536, 99_999])
async def test_without_holes_the_end_is_exact(last: int) -> None:
    register = Register(last)

    bound = await register.search()

    assert (bound.number, bound.is_proven) == (last, True)
    assert bound.probes == len(register.asked) == len(set(register.asked)) <= 200


async def test_a_year_without_numbers_ends_at_zero() -> None:
    bound = await Register(0).search()

    assert (bound.number, bound.is_proven) == (0, True)


@pytest.mark.parametrize("last", [5_600, 9_998, 10_000])
@pytest.mark.parametrize("tail", [7, 8, 20, 49, 51, 300, 649, 2_000])
@pytest.mark.parametrize("size", [1, 12, 60, 150, 600])
async def test_a_hole_before_the_end_is_seen_through(last: int, tail: int, size: int) -> None:
    register = Register(last, (last - tail - size + 1, size))

    bound = await register.search()

    assert (bound.number, bound.is_proven) == (last, True)
    assert bound.probes <= 200


async def test_holes_anywhere_are_seen_through_within_the_budget() -> None:
    worst = 0
    for seed in range(400):
        chance = random.Random(seed)
        last = chance.randrange(2_000, 12_000)
        holes = [(chance.randrange(2, last - size - 7), size) for size in (1, 1, 12, 60, 150, 600)]
        register = Register(last, *holes)
        if register.widest_hole > 600 or any(number in register.missing for number in range(last - 6, last)):
            continue  # holes that run together make one nobody promised to see through

        bound = await register.search()

        assert (bound.number, bound.is_proven) == (last, True), (seed, last, holes)
        worst = max(worst, bound.probes)
    assert worst <= 200


async def test_holes_that_ran_together_are_seen_through_or_not_promised() -> None:
    """Two holes beside each other make one no window was chosen for: it is looked behind, and we say how far."""
    wrong = 0
    for seed in range(600):
        chance = random.Random(seed)
        last = chance.randrange(2_000, 12_000)
        at = last - chance.randrange(7, 900) - 823
        sizes = chance.sample((1, 12, 60, 150, 600), 5)
        holes = [(at + sum(sizes[:place]), size) for place, size in enumerate(sizes)]
        register = Register(last, *holes)

        bound = await register.search()

        assert bound.probes <= 200, seed
        if bound.number != last:
            wrong += 1
            hole, tail = register.widest_hole, last - (at + 822)
            is_promised = hole <= bound.sees_through and tail >= bound.shortest_tail
            assert not is_promised and tail < 8 * bound.shortest_tail, (seed, last, holes, bound)
    assert wrong < 600 * 0.07  # only tails too short for the wider steps


async def test_a_hole_beyond_all_windows_is_outside_of_what_is_promised() -> None:
    register = Register(9_500, (3_001, 6_000))

    bound = await register.search()

    assert bound.number == 9_500 or (bound.sees_through < 6_000 and bound.reached < 9_000)


async def test_holes_where_galloping_comes_by_do_not_end_the_search() -> None:
    register = Register(9_000, *((2**power - 2, 20) for power in range(5, 13)), (4_090, 600))

    bound = await register.search()

    assert (bound.number, bound.is_proven) == (9_000, True)


@pytest.mark.parametrize("files", [60, 250, 1_000, 5_600, 10_000])
async def test_the_pretend_registry_is_measured_exactly(files: int) -> None:
    numbers = Numbers(files)
    there = {number.number for number in numbers.of_year("25")}

    async def ask(number: int) -> bool:
        return number in there

    bound = await Search(ask).run()

    assert (bound.number, bound.is_proven) == (files, True)
    assert bound.probes <= 200


async def test_what_is_known_is_not_asked_again() -> None:
    first = Register(5_600, (4_032, 600))
    before = await first.search()
    known = {number: await first.has(number) for number in set(first.asked)}
    again = Register(5_600, (4_032, 600))

    after = await again.search(known=known)

    assert (after.number, after.probes, again.asked) == (before.number, 0, [])


async def test_a_year_that_has_grown_costs_little_more_than_its_confirmation() -> None:
    known = dict.fromkeys(range(1, 5_601), True)

    bound = await Register(5_640).search(known=known)

    assert bound.number == 5_640
    assert bound.probes < 150


async def test_a_spent_budget_is_told_and_proves_nothing() -> None:
    bound = await Register(5_600).search(terms=ProbeTerms(budget=30))

    assert (bound.probes, bound.is_proven) == (30, False)
    assert 0 < bound.number <= 5_600


def test_terms_that_cannot_be_are_refused() -> None:
    with pytest.raises(UsageError):
        ProbeTerms(window=5, stride=7)
