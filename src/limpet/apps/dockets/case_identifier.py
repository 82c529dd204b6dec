"""A case as people and files name it: `IMM-231-25`, of any register and any year."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from limpet.apps.dockets.errors import BadCaseNumber
from limpet.extract.parse.case_number import LARGEST_NUMBER, CaseNumber, CaseNumberProblem, parse_case_number


@dataclass(frozen=True, slots=True)
class CaseIdentifier:
    """The canonical name of a case, with the two parts batches count by."""

    id: str
    year: str  # the two digits after the last dash
    number: int

    def __post_init__(self) -> None:
        case = parse_case_number(self.id)
        if isinstance(case, CaseNumberProblem):
            raise BadCaseNumber(f"{self.id!r} is no case number.", fix=EXAMPLE)
        if (str(case), case.suffix, case.number) != (self.id, self.year, self.number):
            raise BadCaseNumber(f"{self.id!r} is not number {self.number} of year {self.year}.", fix=EXAMPLE)

    @classmethod
    def of(cls, case: CaseNumber) -> CaseIdentifier:
        """Return the name of a number."""
        return cls(id=str(case), year=case.suffix, number=case.number)

    @classmethod
    def parse(cls, text: str) -> CaseIdentifier:
        """Return the canonical name (`imm/0005/21` is `IMM-5-21`), or raise BadCaseNumber."""
        return cls.of(case_number(text))

    def to_json(self) -> dict[str, Any]:
        """Return it as files hold it."""
        return {"id": self.id, "year": self.year, "number": self.number}


EXAMPLE = f"Write it as IMM-231-25: letters, a number from 0 to {LARGEST_NUMBER}, two digits of the year."


def case_number(text: str) -> CaseNumber:
    """Return the number a text names, or raise BadCaseNumber."""
    case = parse_case_number(text)
    if isinstance(case, CaseNumberProblem):
        raise BadCaseNumber(f"{case.text!r} is no case number ({case.reason}).", fix=EXAMPLE)
    return case


def full_year(text: str) -> int:
    """Return the year in full, from two or four digits; raise BadCaseNumber when it is neither."""
    case = parse_case_number(f"X-0-{text.strip()}")
    if isinstance(case, CaseNumberProblem):
        raise BadCaseNumber(f"{text[:40]!r} is no year.", fix="Write two digits or four, such as 25 or 2025.")
    return case.year
