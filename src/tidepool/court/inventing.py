"""A history of judgments by seed, with every untidiness the real index has been seen to have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random

from tidepool.court.case import Dress, Row
from tidepool.court.wording import (
    BAD_DATES,
    CRIMINAL_CATEGORIES,
    DIVISIONS,
    FORMULAS,
    JUDGES,
    KINDS,
    LONG_TITLE,
    PARTIES,
    SUBJECTS,
    Division,
)

FIRST_DAY = date(2004, 1, 12)
LAST_DAY = date(2025, 11, 14)
QUIET_MONTH = (2016, 5)  # nothing was published then, which a gap finder should find odd
FIRST_CITED_YEAR = 2010
FIRST_STRUCTURED_YEAR = 2009
DATE_STYLES = ("%Y-%b-%d", "%Y-%m-%d", "%d/%m/%Y", "%d-%b-%Y")
SEPARATORS = ("|", ",", ";", "/", "\\", " ", " | ", ", ")
DRESSES = {1: Dress.ENTITIES, 2: Dress.HARD_SPACES, 3: Dress.PADDED}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class Sequences:
    """Hands out cause numbers and citations per division and year, leaving holes that it remembers."""

    def __init__(self) -> None:
        self._last_cause: dict[tuple[str, int], int] = {}
        self._last_citation: dict[tuple[str, int], int] = {}
        self.missing_causes: list[str] = []
        self.missing_citations: list[str] = []

    def cause(self, division: Division, year: int, *, again: bool) -> int:
        """Return the next cause, or the last one `again`; the fourth of every even year was never published."""
        key = (division.letters, year)
        last = self._last_cause.get(key, 0)
        if again and last:
            return last
        if last == 3 and year % 2 == 0:
            last += 1
            self.missing_causes.append(f"{division.letters} {last} of {year}")
        self._last_cause[key] = last + 1
        return last + 1

    def citation(self, division: Division, year: int) -> str:
        """Return the next citation; the third of every year that three divides was never published."""
        if year < FIRST_CITED_YEAR:
            return ""
        key = (division.citation, year)
        last = self._last_citation.get(key, 0)
        if last == 2 and year % 3 == 0:
            last += 1
            self.missing_citations.append(f"[{year}] {division.citation} {last}")
        self._last_citation[key] = last + 1
        return f"[{year}] {division.citation} {last + 1}"


class Inventor:
    """Invents rows one after another; the same seed and number give the same row."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.sequences = Sequences()
        self._given: set[str] = set()

    def history(self, cases: int) -> list[Row]:
        """Return rows, oldest first, that lead to exactly so many documents."""
        rows: list[Row] = []
        while len(self._given) < cases:
            number = len(rows)
            day = _publishing_day(number, cases)
            previous = rows[-1] if rows else None
            rows.append(self.row(number, day, previous=previous, at_most=cases - len(self._given)))
        _repeat_tokens(rows)
        return rows

    def row(self, number: int, day: date, *, previous: Row | None, at_most: int) -> Row:
        """Return the row of that number, with whatever trap is its turn."""
        chance = Random(f"{self._seed}/court/{number}")
        row, first = self._bare(number, day, chance, divisions=DIVISIONS)
        row = replace(
            _with_bad_date(row),
            title=_title(row, other=chance.choice(PARTIES), previous=previous),
            dress=DRESSES.get(number % 9, Dress.PLAIN),
        )
        return replace(row, tokens=tuple(self._tokens(row, first, previous=previous, at_most=at_most)))

    def tidy_row(self, number: int, day: date) -> Row:
        """Return the row of that number as an ordinary judgment without any trap."""
        chance = Random(f"{self._seed}/court/{number}")
        row, first = self._bare(number, day, chance, divisions=DIVISIONS[:-1])
        return replace(row, tokens=(self._unique(first),))

    def _bare(
        self, number: int, day: date, chance: Random, *, divisions: Sequence[Division]
    ) -> tuple[Row, str]:
        division = chance.choices(divisions, [division.share for division in divisions])[0]
        cause = self.sequences.cause(division, day.year, again=number % 6 == 4)
        title = f"{chance.choice(PARTIES)} {chance.choice(KINDS)}"
        row = Row(
            number=number,
            citation=self.sequences.citation(division, day.year),
            cause_number=_cause_text(division, cause, day.year, number=number, judge=chance.choice(JUDGES)),
            judged_on=day,
            date_text=day.strftime(DATE_STYLES[number % 4]),
            title=title,
            subject=chance.choice(SUBJECTS),
            court=division.court,
            category=chance.choice(CRIMINAL_CATEGORIES) if division.letters == "IND" else division.category,
            tokens=(),
            separator=SEPARATORS[number // 97 % len(SEPARATORS)],
        )
        return row, _token(division, cause, day, title=title, chance=chance)

    def _tokens(self, row: Row, first: str, *, previous: Row | None, at_most: int) -> Iterator[str]:
        number = row.number
        if number % 211 == 17 or number % 331 == 29:
            return
        if number % 173 == 31 and previous and previous.is_ordinary:
            first = (
                f"{previous.tokens[0][:12]}-{previous.tokens[0][12:]}"  # differs by a mark that means nothing
            )
        elif number % 61 == 7:
            first = f"{first[:-4]}&{first[-4:]}"
        elif number % 181 == 37:
            first = first.lower()
        yield self._unique(first)
        wanted = 2 + number % 2 if number % 97 == 11 else 1
        for letter in "AB"[: min(wanted, at_most) - 1]:
            yield self._unique(f"{first}{letter}")

    def _unique(self, token: str) -> str:
        while token in self._given:
            token += "X"
        self._given.add(token)
        return token


def _publishing_day(number: int, cases: int) -> date:
    # Some rows lead to several documents, so there are about a hundredth fewer rows than documents.
    days = (LAST_DAY - FIRST_DAY).days * number // max(1, cases * 99 // 100)
    day = min(LAST_DAY, FIRST_DAY + timedelta(days=days))
    if (day.year, day.month) == QUIET_MONTH:
        day = day.replace(day=1) - timedelta(days=1)
    return day - timedelta(days=max(0, day.weekday() - 4))


def _cause_text(division: Division, cause: int, year: int, *, number: int, judge: str) -> str:
    styles = (
        f"{division.letters} {cause:04d} OF {year} ({judge})",
        f"{division.letters} {cause} of {year}",
        f"{division.letters} {cause:04d} of {year}",
    )
    return styles[number % 3]


def _title(row: Row, *, other: str, previous: Row | None) -> str:
    number = row.number
    if previous and number % 157 == 23:
        return previous.title
    shapes = (
        (499, 41, LONG_TITLE),
        (601, 67, FORMULAS[number // 601 % len(FORMULAS)]),
        (301, 71, "Criminal Injuries Compensation Board v {name}"),
        (83, 13, 'Re "The {name}", its creditors, and others'),
        (257, 77, "{name}\n(In Voluntary Liquidation)"),
        (5, 2, "In the Matter of {name}"),
        (7, 3, "{other} & {name}"),
        (1, 0, "{other} v {name}"),
    )
    shape = next(text for every, at, text in shapes if number % every == at)
    return shape.format(name=row.title, other=other)


def _with_bad_date(row: Row) -> Row:
    if row.number % 401 != 53:
        return row
    return replace(row, judged_on=None, date_text=BAD_DATES[row.number // 401 % len(BAD_DATES)])


def _token(division: Division, cause: int, day: date, *, title: str, chance: Random) -> str:
    if day.year < FIRST_STRUCTURED_YEAR:
        return "".join(chance.choices(LETTERS, k=52))
    words = re.sub(r"[^A-Z]", "", title.upper())[:22]
    return f"{division.letters}{cause:04d}{day.year}{day:%m%d%Y}{words}"


def _repeat_tokens(rows: list[Row]) -> None:
    """Let some older rows carry the token of a newer one, which stands above them in the index."""
    for at in range(29, len(rows) - 3, 331):
        owner = rows[at + 3]
        if owner.is_ordinary and not rows[at].tokens:
            rows[at] = replace(rows[at], tokens=owner.tokens, repeats=True)
