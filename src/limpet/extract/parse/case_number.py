"""Court case numbers in their one canonical spelling: `IMM-231-25`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

LARGEST_NUMBER = 99_999


@dataclass(frozen=True, slots=True, order=True)
class CaseNumber:
    """A registry's running number within a year; sorts by prefix, year and number, never as text."""

    prefix: str
    year: int  # in full: the suffix 25 is 2025
    number: int

    def __str__(self) -> str:
        return f"{self.prefix}-{self.number}-{self.year % 100:02d}"

    @property
    def suffix(self) -> str:
        """The two digits of the year as they stand in the number."""
        return f"{self.year % 100:02d}"

    def following(self, steps: int = 1) -> CaseNumber:
        """Return the number that many steps on; raise ValueError past the end of the register."""
        number = self.number + steps
        if not 0 <= number <= LARGEST_NUMBER:
            raise ValueError(f"{self.prefix}-{number} is outside 0..{LARGEST_NUMBER}")
        return CaseNumber(self.prefix, self.year, number)


class CaseNumberDoubt(StrEnum):
    """Why a text is not a case number."""

    UNKNOWN_FORMAT = "unknown_format"
    NUMBER_OUT_OF_RANGE = "number_out_of_range"


@dataclass(frozen=True, slots=True)
class CaseNumberProblem:
    """No case number, and why."""

    reason: CaseNumberDoubt
    text: str


_SPELLING = re.compile(r"([A-Z]{1,5})\s*[-/\s]\s*(\d{1,12})\s*[-/\s]\s*(\d{2}|(?:19|20)\d{2})", re.ASCII)
_DASHES = str.maketrans({"‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "\u00a0": " "})
# Electronic registers begin in the seventies; two digits from there on belong to the last century.
_LAST_CENTURY_FROM = 70


def parse_case_number(text: str) -> CaseNumber | CaseNumberProblem:
    """Return the case number in canonical form (`imm/0005/21` is `IMM-5-21`), or why the text is none."""
    found = _SPELLING.fullmatch(text.translate(_DASHES).strip().upper())
    if found is None:
        return CaseNumberProblem(CaseNumberDoubt.UNKNOWN_FORMAT, text[:64])
    number = int(found[2])
    if number > LARGEST_NUMBER:
        return CaseNumberProblem(CaseNumberDoubt.NUMBER_OUT_OF_RANGE, text[:64])
    return CaseNumber(found[1], _full_year(found[3]), number)


def _full_year(suffix: str) -> int:
    year = int(suffix)
    if len(suffix) == 4:
        return year
    return 1900 + year if year >= _LAST_CENTURY_FROM else 2000 + year
