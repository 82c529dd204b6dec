"""Holes and quiet months."""

from __future__ import annotations

import pytest

from limpet.observe.gaps import Hole, numbering, quiet_months


@pytest.mark.parametrize(
    ("numbers", "holes"),
    [
        ([1, 2, 3], []),
        ([3, 1, 2, 2], []),
        ([2, 3], [Hole(1, 1)]),
        ([1, 2, 6, 7, 9], [Hole(3, 5), Hole(8, 8)]),
        ([], []),
        ([0, -4, 1], []),
    ],
)
def test_holes_are_what_lies_between_one_and_the_highest_known(numbers, holes) -> None:
    assert list(numbering("x", numbers).holes) == holes


@pytest.mark.parametrize(
    ("numbers", "is_dense"), [([1, 2, 4], True), ([1, 2], False), ([1, 90, 91, 92], False), ([], False)]
)
def test_a_sequence_mostly_unknown_says_nothing(numbers, is_dense) -> None:
    assert numbering("x", numbers).is_dense is is_dense


def test_a_hole_is_written_as_people_write_it() -> None:
    assert [str(Hole(3, 3)), str(Hole(3, 7))] == ["3", "3-7"]


def year_of(counts: list[int], years: range) -> dict[tuple[int, int], int]:
    return {(year, month): count for year in years for month, count in enumerate(counts, start=1)}


def test_a_month_with_nothing_among_busy_ones_is_quiet() -> None:
    counts = year_of([12] * 12, range(2020, 2024)) | {(2022, 3): 0}

    found = quiet_months(counts, until=(2024, 1))

    assert [(str(month), month.count, month.expected) for month in found] == [("2022-03", 0, 12)]


def test_a_month_that_rests_every_year_is_not_quiet() -> None:
    summers = [20, 20, 20, 20, 20, 20, 20, 1, 20, 20, 20, 20]

    assert quiet_months(year_of(summers, range(2018, 2024)), until=(2024, 1)) == []


def test_a_few_less_where_few_are_usual_is_chance() -> None:
    counts = year_of([2, 3, 1, 2, 0, 2, 3, 2, 1, 2, 2, 3], range(2020, 2024))

    assert quiet_months(counts, until=(2024, 1)) == []


def test_silence_up_to_now_is_seen_but_not_the_month_that_is_not_over() -> None:
    counts = year_of([15] * 12, range(2020, 2024))

    found = quiet_months(counts, until=(2024, 3))

    assert [str(month) for month in found] == ["2024-01", "2024-02"]


def test_a_long_silence_does_not_become_what_is_usual() -> None:
    counts = year_of([9] * 12, range(2019, 2023))

    found = quiet_months(counts, until=(2024, 11))

    assert len(found) == 22
    assert {month.expected for month in found} == {9}


def test_months_that_are_still_to_come_are_not_looked_at() -> None:
    assert quiet_months({(2030, 1): 5}, until=(2024, 1)) == []


@pytest.mark.parametrize(("months", "quiet"), [(1, 0), (3, 0), (5, 0), (6, 5), (12, 5)])
def test_what_is_usual_takes_half_a_year_to_learn(months: int, quiet: int) -> None:
    counts = {(2023, month): 30 for month in range(1, months + 1)}
    until = (2023, months + 6) if months < 7 else (2024, months - 6)

    assert len(quiet_months(counts, until=until)) == quiet


def test_nothing_known_is_nothing_quiet() -> None:
    assert quiet_months({}, until=(2024, 1)) == []
