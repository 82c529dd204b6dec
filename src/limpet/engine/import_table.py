"""A table people wrote, as rows: with a header or without, separated by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from limpet.errors import FileUnreadable

COLUMNS = ("url", "source", "priority", "schedule", "tags")
_SEPARATORS = ",;\t"  # where a comma is the decimal sign, spreadsheets write the second
# Names other tools write for the same columns.
_ALSO_CALLED = {
    "adapterid": "source",
    "adapter_id": "source",
    "source_id": "source",
    "address": "url",
    "link": "url",
}


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line: its number in the file, its cells by name, and the cells no column is there for."""

    number: int
    fields: Mapping[str, str]
    surplus: Sequence[str] = ()

    @property
    def url(self) -> str:
        """The address as it was written."""
        return self.fields.get("url", "")


def read_table(text: str) -> Iterator[TableRow]:
    """Yield the rows; a table without a header is a plain list of addresses."""
    text = text.removeprefix("\ufeff")
    separator, header = _header(text)
    names = header or list(COLUMNS)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or (header and reader.line_num == 1) or cells[0].startswith("#"):
                continue
            surplus = [cell for cell in cells[len(names) :] if cell]
            yield TableRow(reader.line_num, dict(zip(names, cells, strict=False)), surplus)
    except csv.Error as wrong:
        raise FileUnreadable(
            f"The table breaks off at line {reader.line_num}: {wrong}.", fix="Check the quotes on that line."
        ) from wrong


def unknown_columns(text: str) -> list[str]:
    """Return the names in the header that mean nothing to us; what stands below them is not read."""
    _, names = _header(text.removeprefix("\ufeff"))
    return [name for name in names if name and name not in COLUMNS]


def _header(text: str) -> tuple[str, list[str]]:
    """Return what separates the cells and the columns' names; no names when the first line is a line like any other."""
    first = next(iter(text.splitlines()), "")
    for separator in _SEPARATORS:
        names = [_name(cell) for cell in next(csv.reader([first], delimiter=separator), [])]
        if "url" in names:
            return separator, names
    return _SEPARATORS[0], []


def _name(cell: str) -> str:
    name = cell.strip().lower().replace(" ", "_")
    return _ALSO_CALLED.get(name, name)
