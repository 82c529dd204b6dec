"""Reads an index file row by row, in flat memory however long it is, or says why it is no index."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from limpet.apps.judgments.criminal import CriminalRule
from limpet.apps.judgments.index.row import IndexRow
from limpet.apps.judgments.tokens import plain_text, tokens_in
from limpet.extract.parse.date import Order, parse_date

# Under which names the columns have been seen, in live files and in older ones; in the order of IndexRow.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "actions": ("actions", "action"),
    "judgment_date": ("judgment date", "date", "filing date"),
    "title": ("title", "case title"),
    "neutral_citation": ("neutral citation", "citation"),
    "cause_number": ("cause number", "cause no.", "cause no", "cause", "court file"),
    "subject": ("subject",),
    "court": ("court",),
    "category": ("category", "register"),
}


class NotAnIndex(Exception):
    """The file cannot be taken for the court's index; the message says why."""


class IndexFile:
    """One index on the disk. May be gone over more than once; each time it is read anew."""

    def __init__(self, path: Path, rule: CriminalRule) -> None:
        self.path = path
        self._rule = rule
        self.row_count = 0
        self.blank_count = 0

    @property
    def ends_with_a_line(self) -> bool:
        """Whether the last line was written to its end."""
        with self.path.open("rb") as file:
            file.seek(max(0, self.path.stat().st_size - 1))
            return file.read(1) in (b"\n", b"\r")

    def rows(self, only: Container[int] | None = None) -> Iterator[IndexRow]:
        """Yield every token's row in order, duplicates included; raise NotAnIndex for what cannot be one.

        With `only`, rows of other numbers are passed over: reading them again is what costs.
        """
        self.row_count = self.blank_count = 0
        with self._lines() as lines:
            columns = Columns.found_in(next(lines, None))
            cells: list[str] = []
            for cells in lines:
                if not cells:
                    continue
                self.row_count += 1
                if only is None or self.row_count in only:
                    yield from self._tokens(columns.values(cells))
            if self.row_count and len(cells) < columns.width:
                raise NotAnIndex(f"the last row breaks off after {len(cells)} cells: the file was cut short")
        if not self.row_count:
            raise NotAnIndex("it has a header and no rows")

    @contextmanager
    def _lines(self) -> Iterator[Iterator[list[str]]]:
        # utf-8-sig: a BOM may stand before the first column's name.
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            try:
                yield csv.reader(file)
            except UnicodeDecodeError as wrong:
                raise NotAnIndex(f"it is not UTF-8 at byte {wrong.start}") from wrong
            except csv.Error as wrong:
                raise NotAnIndex(f"it is not CSV: {wrong}") from wrong

    def _tokens(self, values: Sequence[str]) -> Iterator[IndexRow]:
        tokens = tokens_in(values[0])
        if not tokens:
            self.blank_count += 1
            return
        raw_date, *texts = [plain_text(value) or None for value in values[1:]]
        day = _day(raw_date) if raw_date else None
        is_criminal = self._rule.applies(texts[-1])
        fingerprint = _fingerprint([raw_date, day, *texts, str(is_criminal)])
        for token in tokens:
            yield IndexRow(token, self.row_count, fingerprint, is_criminal, day, raw_date, *texts)


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each known column stands in this file; -1 for one it does not have."""

    places: tuple[int, ...]  # in the order of COLUMNS

    @classmethod
    def found_in(cls, names: Sequence[str] | None) -> Columns:
        """Read the header; raise NotAnIndex when it is none."""
        if names is None:
            raise NotAnIndex("it is empty")
        if names and names[0].lstrip().startswith("<"):
            raise NotAnIndex("it is a page of HTML, not CSV")
        known = {plain_text(name).strip('"').lower(): at for at, name in reversed(list(enumerate(names)))}
        columns = cls(
            tuple(next((known[name] for name in said if name in known), -1) for said in COLUMNS.values())
        )
        if columns.places[0] < 0:
            raise NotAnIndex("its header names no Actions column")
        return columns

    @property
    def width(self) -> int:
        """How many cells a whole row has at least."""
        return max(self.places) + 1

    def values(self, cells: Sequence[str]) -> list[str]:
        """Return the row's cells in the order of COLUMNS; what is not there is empty."""
        count = len(cells)
        return [cells[at] if 0 <= at < count else "" for at in self.places]


@lru_cache(maxsize=8_192)
def _day(text: str) -> str | None:
    """Return the day, or none: the courts write the day first, and what is doubtful stays text."""
    found = parse_date(text, order=Order.DAY_FIRST if "/" in text else None)
    return found.isoformat() if isinstance(found, date) else None


def _fingerprint(said: Sequence[str | None]) -> str:
    text = "\x1f".join([each or "" for each in said])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
