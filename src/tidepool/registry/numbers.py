"""Which court numbers exist: every year has an end and holes before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SHAPE = re.compile(r"(?P<prefix>IMM|T|A)-(?P<number>[1-9]\d{0,4})-(?P<year>\d\d)")
# Sizes of holes, and where in the year each begins. The largest lies where a search for the end comes by.
HOLES = ((1, 0.10), (12, 0.20), (60, 0.35), (150, 0.55), (600, 0.72))
# Just before the last number of a year there are small holes too: an end is rarely a clean edge.
LAST_HOLES = ((12, 20), (1, 1))
LAST_NUMBERS = {"20": 6_424, "21": 9_998, "22": 7_331, "23": 8_870, "24": 9_142, "26": 412, "60": 412}
FILES_A_TICK = 3
# The last of them is far enough away never to be over, whenever a test is run.
GROWING_YEARS = ("26", "60")
# A document's number tells prefix, year, number and entry to who knows how to read it.
FOREMOST = re.compile(r"(?P<prefix>[123])(?P<year>\d\d)(?P<number>\d{5})(?P<entry>\d{3})")
SHARE = {"IMM": 1, "T": 4, "A": 12}


@dataclass(frozen=True, slots=True, order=True)
class CourtNumber:
    """A number as the court writes it, e.g. IMM-231-25."""

    prefix: str
    year: str
    number: int

    def __str__(self) -> str:
        return f"{self.prefix}-{self.number}-{self.year}"

    @property
    def division(self) -> str:
        """`a` for the court of appeal, `t` for the trial court."""
        return "a" if self.prefix == "A" else "t"


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers of all years; `files` is the last number of year 25."""

    files: int = 5_600

    def last(self, year: str, *, prefix: str = "IMM", tick: int = 0) -> int:
        """Return the highest number given out in a year, or 0 for a year without files."""
        ends = {**LAST_NUMBERS, "25": self.files}
        if year not in ends:
            return 0
        grown = FILES_A_TICK * tick if year in GROWING_YEARS else 0
        return max(1, ends[year] // SHARE[prefix]) + grown

    def holes(self, year: str, *, prefix: str = "IMM") -> list[range]:
        """Return the numbers that were never given out, hole by hole, in order."""
        last = self.last(year, prefix=prefix)
        inside = [
            range(start := max(2, int(last * place)), start + size)
            for size, place in HOLES
            if last >= 5 * size + 3
        ]
        # The last holes keep their distance from the end as it was at tick 0.
        before_the_end = [range(last - away, last - away + size) for size, away in LAST_HOLES if last >= 200]
        return inside + before_the_end

    def exists(self, asked: CourtNumber, *, tick: int = 0) -> bool:
        """Whether the court has a file of that number."""
        if not 1 <= asked.number <= self.last(asked.year, prefix=asked.prefix, tick=tick):
            return False
        return not any(asked.number in hole for hole in self.holes(asked.year, prefix=asked.prefix))

    def of_year(self, year: str, *, prefix: str = "IMM", tick: int = 0) -> Iterator[CourtNumber]:
        """Yield every number of a year that exists, in order."""
        for number in range(1, self.last(year, prefix=prefix, tick=tick) + 1):
            asked = CourtNumber(prefix, year, number)
            if self.exists(asked, tick=tick):
                yield asked


def read_number(text: str) -> CourtNumber | None:
    """Return the number as the court's search understands it: exactly, save for case and spaces around."""
    found = SHAPE.fullmatch(text.strip().upper())
    return CourtNumber(found["prefix"], found["year"], int(found["number"])) if found else None


def foremost_number(number: CourtNumber, entry: int) -> int:
    """Return the number under which an entry's document is filed."""
    prefix = 1 + list(SHARE).index(number.prefix)
    return int(f"{prefix}{number.year}{number.number:05d}{entry:03d}")


def read_foremost(text: str) -> tuple[CourtNumber, int] | None:
    """Return the file and the entry behind a document's number, or None when it is none."""
    found = FOREMOST.fullmatch(text)
    if found is None:
        return None
    prefix = list(SHARE)[int(found["prefix"]) - 1]
    return CourtNumber(prefix, found["year"], int(found["number"])), int(found["entry"])
