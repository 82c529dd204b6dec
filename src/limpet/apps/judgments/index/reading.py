"""Reads an index file row by row, in flat memory however long it is, or says why it is no index."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from pathlib import Path

from limpet.apps.judgments.criminal import CriminalRule
from limpet.apps.judgments.index.row import IndexRow
from limpet.apps.judgments.tokens import plain_text, tokens_in
from limpet.extract.parse.date import Order, parse_date

# Under which names the columns have been seen, in live files and in older ones.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "actions": ("actions", "action"),
    "title": ("title", "case title"),
    "neutral_citation": ("neutral citation", "citation"),
    "cause_number": ("cause number", "cause no.", "cause no", "cause", "court file"),
    "judgment_date": ("judgment date", "date", "filing date"),
    "subject": ("subject",),
    "court": ("court",),
    "category": ("category", "register"),
}
_TEXTS = ("title", "neutral_citation", "cause_number", "subject", "court", "category")


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

    def rows(self) -> Iterator[IndexRow]:
        """Yield every token's row in order, duplicates included; raise NotAnIndex for what cannot be one."""
        self.row_count = self.blank_count = 0
        with self._lines() as lines:
            header = _header(next(lines, None))
            width = 0
            for cells in lines:
                if not cells:
                    continue
                width = len(cells)
                self.row_count += 1
                yield from self._tokens(header, cells)
            if self.row_count and width < max(header.values()) + 1:
                raise NotAnIndex(f"the last row breaks off after {width} cells: the file was cut short")
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

    def _tokens(self, header: Mapping[str, int], cells: Sequence[str]) -> Iterator[IndexRow]:
        tokens = tokens_in(_cell(cells, header["actions"]))
        if not tokens:
            self.blank_count += 1
            return
        said = {name: plain_text(_cell(cells, header.get(name, -1))) or None for name in _TEXTS}
        raw_date = plain_text(_cell(cells, header.get("judgment_date", -1))) or None
        day = _day(raw_date) if raw_date else None
        is_criminal = self._rule.applies(said["category"])
        fingerprint = _fingerprint([*said.values(), raw_date, day, str(is_criminal)])
        for token in tokens:
            yield IndexRow(
                token,
                **said,
                judgment_date=day,
                judgment_date_raw=raw_date,
                is_criminal=is_criminal,
                fingerprint=fingerprint,
            )


def _header(names: Sequence[str] | None) -> dict[str, int]:
    """Return where each known column stands."""
    if names is None:
        raise NotAnIndex("it is empty")
    if names and names[0].lstrip().startswith("<"):
        raise NotAnIndex("it is a page of HTML, not CSV")
    places = {plain_text(name).lower(): at for at, name in reversed(list(enumerate(names)))}
    found = {
        column: next((places[name] for name in spelled if name in places), -1)
        for column, spelled in COLUMNS.items()
    }
    if found["actions"] < 0:
        raise NotAnIndex("its header names no Actions column")
    return {column: at for column, at in found.items() if at >= 0}


def _cell(cells: Sequence[str], at: int) -> str:
    return cells[at] if 0 <= at < len(cells) else ""


@lru_cache(maxsize=8_192)
def _day(text: str) -> str | None:
    """Return the day, or none: the courts write the day first, and what is doubtful stays text."""
    found = parse_date(text, order=Order.DAY_FIRST if "/" in text else None)
    return found.isoformat() if isinstance(found, date) else None


def _fingerprint(said: Sequence[str | None]) -> str:
    text = "\x1f".join("" if each is None else each for each in said)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
