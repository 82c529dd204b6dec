"""Case numbers have one canonical spelling and sort as numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.extract.parse.case_number import (
    CaseNumber,
    CaseNumberDoubt,
    CaseNumberProblem,
    parse_case_number,
)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("IMM-231-25", "IMM-231-25"),
        ("imm-231-25", "IMM-231-25"),
        ("IMM-0005-21", "IMM-5-21"),
        ("IMM/05/21", "IMM-5-21"),
        ("IMM 5 21", "IMM-5-21"),
        ("IMM–5–21", "IMM-5-21"),
        (" IMM-5-2021 ", "IMM-5-21"),
        ("T-1-26", "T-1-26"),
        ("A-99999-31", "A-99999-31"),
        ("IMM-0-25", "IMM-0-25"),
        ("T-12-98", "T-12-98"),
    ],
)
def test_every_spelling_becomes_the_canonical_one(text: str, canonical: str) -> None:
    assert str(parse_case_number(text)) == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("IMM-100000-25", CaseNumberDoubt.NUMBER_OUT_OF_RANGE),
        ("IMM-231", CaseNumberDoubt.UNKNOWN_FORMAT),
        ("231-25", CaseNumberDoubt.UNKNOWN_FORMAT),
        ("IMM-231-2", CaseNumberDoubt.UNKNOWN_FORMAT),
        ("IMM-231-250", CaseNumberDoubt.UNKNOWN_FORMAT),
        ("IMM--231-25", CaseNumberDoubt.UNKNOWN_FORMAT),
        ("IMM-٣-25", CaseNumberDoubt.UNKNOWN_FORMAT),
        ("", CaseNumberDoubt.UNKNOWN_FORMAT),
        ("IMM-231-25; DROP", CaseNumberDoubt.UNKNOWN_FORMAT),
    ],
)
def test_what_is_no_case_number_says_why(text: str, reason: CaseNumberDoubt) -> None:
    result = parse_case_number(text)

    assert isinstance(result, CaseNumberProblem)
    assert result.reason is reason


def test_numbers_sort_as_numbers_not_as_text() -> None:
    cases = [CaseNumber("IMM", 2025, 1000), CaseNumber("IMM", 2025, 99), CaseNumber("IMM", 2024, 5000)]

    assert [str(case) for case in sorted(cases)] == ["IMM-5000-24", "IMM-99-25", "IMM-1000-25"]


def test_the_year_is_known_in_full() -> None:
    case = CaseNumber("IMM", 2025, 7)

    assert (case.year, case.suffix) == (2025, "25")


def test_a_register_ends_at_its_largest_number() -> None:
    assert str(CaseNumber("IMM", 2025, 9).following()) == "IMM-10-25"
    with pytest.raises(ValueError, match="outside"):
        CaseNumber("IMM", 2025, 99_999).following()


@given(st.text(max_size=20))
def test_no_text_crashes_and_canonical_is_stable(text: str) -> None:
    result = parse_case_number(text)

    assert isinstance(result, CaseNumberProblem) or parse_case_number(str(result)) == result
