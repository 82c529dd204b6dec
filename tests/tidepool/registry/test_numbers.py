"""Which court numbers exist."""

from __future__ import annotations

import pytest

from tidepool.registry.numbers import CourtNumber, Numbers, foremost_number, read_foremost, read_number


@pytest.mark.parametrize("files", [5_600, 10_000])
def test_a_year_has_holes_of_every_size(files: int) -> None:
    holes = Numbers(files).holes("25")

    assert {len(hole) for hole in holes} == {1, 12, 60, 150, 600}
    assert not set().union(*holes[:1]) & set().union(*holes[1:])


@pytest.mark.parametrize("files", [1, 5, 60, 250, 1_000, 5_600, 10_000, 99_999])
def test_the_first_and_the_last_number_of_a_year_exist(files: int) -> None:
    numbers = Numbers(files)

    there = [number.number for number in numbers.of_year("25")]

    assert (there[0], there[-1]) == (1, files)
    assert len(there) == files - len({one for hole in numbers.holes("25") for one in hole})


def test_the_present_year_grows_with_the_tick() -> None:
    numbers = Numbers()

    assert numbers.last("26", tick=2) > numbers.last("26")
    assert numbers.exists(CourtNumber("IMM", "26", numbers.last("26", tick=2)), tick=2)
    assert not numbers.exists(CourtNumber("IMM", "26", numbers.last("26", tick=2)), tick=0)


@pytest.mark.parametrize("text", [" imm-231-25 ", "IMM-231-25"])
def test_a_number_is_read_whatever_its_case(text: str) -> None:
    assert read_number(text) == CourtNumber("IMM", "25", 231)


def test_a_document_number_leads_back_to_its_entry() -> None:
    number = CourtNumber("T", "24", 42)

    assert read_foremost(str(foremost_number(number, 7))) == (number, 7)
    assert read_foremost("9") is None
