from __future__ import annotations

import pytest

from limpet.apps.dockets.addresses import case_address, case_at, case_written, division_of
from limpet.apps.dockets.batch import Batch, last_number
from limpet.apps.dockets.case_identifier import CaseIdentifier, case_number, full_year
from limpet.apps.dockets.errors import BadCaseNumber
from limpet.errors import UsageError
from limpet.source import Source

COURT = Source(id="court", app="dockets", site="federal_court", hosts=("www.fct-cf.ca",))


@pytest.mark.parametrize(
    ("written", "canonical", "year", "number"),
    [
        ("IMM-231-25", "IMM-231-25", "25", 231),
        ("IMM-0005-21", "IMM-5-21", "21", 5),
        ("imm/05/21", "IMM-5-21", "21", 5),
        (" IMM 5 2021 ", "IMM-5-21", "21", 5),
        ("IMM–7–26", "IMM-7-26", "26", 7),
        ("IMM-1-31", "IMM-1-31", "31", 1),
        ("T-99999-09", "T-99999-09", "09", 99_999),
        ("A-0-98", "A-0-98", "98", 0),
    ],
)
def test_every_spelling_has_one_canonical_form(written: str, canonical: str, year: str, number: int) -> None:
    found = CaseIdentifier.parse(written)

    assert found.to_json() == {"id": canonical, "year": year, "number": number}


@pytest.mark.parametrize(
    "written", ["", "IMM", "IMM-5", "IMM-100000-25", "IMM--5-25", "IMM-5-2", "5-25", "IMM-5a-25", "IMM-٥-25"]
)
def test_what_is_no_number_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(BadCaseNumber) as refusal:
        CaseIdentifier.parse(written)

    assert "IMM-231-25" in refusal.value.fix


@pytest.mark.parametrize(
    ("name", "year", "number"), [("IMM-5-21", "22", 5), ("IMM-5-21", "21", 6), ("IMM-05-21", "21", 5)]
)
def test_parts_that_contradict_the_name_are_refused(name: str, year: str, number: int) -> None:
    with pytest.raises(BadCaseNumber):
        CaseIdentifier(id=name, year=year, number=number)


@pytest.mark.parametrize(("text", "year"), [("25", 2025), ("2031", 2031), ("98", 1998)])
def test_a_year_is_understood_in_two_digits_or_four(text: str, year: int) -> None:
    assert full_year(text) == year


def test_an_address_gives_its_case_back() -> None:
    address = case_address(COURT, case_number("A-12-24"))

    assert case_at(address) == case_number("A-12-24") == case_written(address)
    assert "division=a" in address
    assert division_of(case_number("IMM-12-24")) == "t"


def test_a_batch_of_fifty_from_thirty_ends_at_seventy_nine() -> None:
    batch = Batch(year=2025, start=30, end=last_number(30, 50))

    numbers = [str(case) for case in batch.numbers()]

    assert (numbers[0], numbers[-1], len(numbers)) == ("IMM-30-25", "IMM-79-25", 50)


def test_a_batch_never_leaves_the_register() -> None:
    assert last_number(99_990, 10) == 99_999
    with pytest.raises(UsageError, match="beyond 99999"):
        last_number(99_990, 11)
    with pytest.raises(UsageError):
        last_number(100_000, 1)


def test_a_batch_survives_its_way_through_a_run() -> None:
    batch = Batch(cases=("IMM-1-25",), extras=("parties",), force=True, cool_down_seconds=0.0)

    assert Batch.from_params(batch.to_params()) == batch
