"""The map of a register: every number under one of four words, a hundred to a square, or one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, func, select

from limpet.apps.dockets.bounds import Register
from limpet.apps.dockets.tables import docket_cases
from limpet.extract.parse.case_number import LARGEST_NUMBER, CaseNumber

SQUARE = 100
ROW = 1_000
_SEEN = 8


class Word(StrEnum):
    """How a number stands, as people say it."""

    FOUND = "found"  # its docket is on record
    NONE = "none"  # the court says that there is no such file
    FAILED = "failed"  # asked for, and no answer we may believe
    UNKNOWN = "unknown"  # never asked for


WORDS = {"succeeded": Word.FOUND, "no_record": Word.NONE, "failed": Word.FAILED}


@dataclass(frozen=True, slots=True)
class Square:
    """Neighbouring numbers, counted by their words."""

    first: int
    last: int
    counts: dict[Word, int]

    @property
    def worst(self) -> Word:
        """The word a person should look at first."""
        by_urgency = (Word.FAILED, Word.UNKNOWN, Word.FOUND, Word.NONE)
        return next((word for word in by_urgency if self.counts.get(word)), Word.UNKNOWN)

    @property
    def bars(self) -> list[tuple[Word, float, float]]:
        """Its words from left to right: where each begins and how wide it is, of a hundred."""
        total, at, found = self.last - self.first + 1, 0.0, []
        for word in (word for word in Word if self.counts.get(word)):
            # One failure among a hundred must be seen.
            wide = max(self.counts[word] * 100 / total, _SEEN if word is Word.FAILED else 0)
            found.append((word, round(at, 2), round(min(wide, 100 - at), 2)))
            at += wide
        return found


@dataclass(frozen=True, slots=True)
class Number:
    """One number of the register and how it stands."""

    case_id: str
    number: int
    word: Word


def coverage_map(connection: Connection, register: Register, last: int) -> list[Square]:
    """Return the squares from the register's first number to this one; counted by the database, so that a register
    of a hundred thousand costs what one of a hundred does."""
    cases = docket_cases.c
    place = (cases.number - cases.number % SQUARE).label("place")
    question = (
        select(place, cases.status, func.count().label("many"))
        .where(*register.holds(docket_cases), cases.number <= last)
        .group_by(place, cases.status)
    )
    counts: dict[int, Counter[Word]] = {}
    for row in connection.execute(question):
        counts.setdefault(row.place, Counter())[WORDS[row.status]] += row.many
    return [_square(first, last, counts.get(first, Counter())) for first in range(0, last + 1, SQUARE)]


def _square(first: int, last: int, counts: Counter[Word]) -> Square:
    end = min(first + SQUARE - 1, last)
    # A court begins at 1; number 0 is only there when somebody asked for it.
    expected = end - max(first, 1) + 1
    unknown = max(0, expected - counts.total())
    told = {word: counts[word] for word in Word if counts[word]}
    return Square(max(first, 1), end, told | ({Word.UNKNOWN: unknown} if unknown else {}))


def numbers_between(connection: Connection, register: Register, first: int, last: int) -> list[Number]:
    """Return the numbers one by one, first and last included."""
    first, last = max(0, first), min(last, LARGEST_NUMBER)
    cases = docket_cases.c
    question = select(cases.number, cases.status).where(
        *register.holds(docket_cases), cases.number.between(first, last)
    )
    words = {row.number: WORDS[row.status] for row in connection.execute(question)}
    return [
        Number(
            str(CaseNumber(register.prefix, register.year, number)),
            number,
            words.get(number, Word.UNKNOWN),
        )
        for number in range(first, last + 1)
    ]
