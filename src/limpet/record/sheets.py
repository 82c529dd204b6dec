"""Rows as files people open: CSV, JSON lines and XLSX, written piece by piece so that size does not matter.

No cell can become a formula: CSV cells that look like one are quoted with an apostrophe; in XLSX they stay as they
are, typed as text and marked so that not even editing them makes one.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

import orjson

from limpet.record.zipping import StreamedZip

Row = Mapping[str, Any]

# What Excel, LibreOffice and Google Sheets take for the beginning of a formula, full-width forms included.
_FORMULA = re.compile(r"^[\s\ufeff]*[=+\-@＝＋－＠|%]|^[\t\r\n]")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LONGEST_CELL = 32_767
_MOST_ROWS = 1_048_576


def looks_like_formula(text: str) -> bool:
    """Whether a spreadsheet might run this text instead of showing it."""
    return _FORMULA.match(text) is not None


class CsvSheet:
    """CSV as RFC 4180 has it, with a BOM, because spreadsheets guess the encoding otherwise."""

    media_type = "text/csv; charset=utf-8"

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def begin(self) -> bytes:
        """Return the header row."""
        return "\ufeff".encode() + _csv_bytes([self._columns])

    def rows(self, rows: Iterable[Row]) -> bytes:
        """Return these rows."""
        return _csv_bytes([_harmless(row.get(name)) for name in self._columns] for row in rows)

    def end(self) -> bytes:
        """Return nothing: a CSV just stops."""
        return b""


class JsonLines:
    """One JSON object a line."""

    media_type = "application/x-ndjson"

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def begin(self) -> bytes:
        """Return nothing: there is no header."""
        return b""

    def rows(self, rows: Iterable[Row]) -> bytes:
        """Return these rows."""
        return b"".join(orjson.dumps({name: row.get(name) for name in self._columns}) + b"\n" for row in rows)

    def end(self) -> bytes:
        """Return nothing: the last line was whole."""
        return b""


class Workbook:
    """An XLSX workbook, one sheet after the other."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def __init__(self, sheets: Sequence[str]) -> None:
        self._zip = StreamedZip()
        self._sheets = sheets
        self._opened = 0
        self._row = 0
        for name, text in _frame(sheets).items():
            self._zip.add(name, text.encode())

    def sheet(self, columns: Sequence[str]) -> bytes:
        """Begin the next sheet with its header row."""
        self._end_sheet()
        self._opened += 1
        self._row, self._columns = 0, columns
        self._zip.begin(f"xl/worksheets/sheet{self._opened}.xml", compress=True)
        self._zip.write(_SHEET_BEGINS.encode())
        return self.rows([{name: name for name in columns}])

    def rows(self, rows: Iterable[Row]) -> bytes:
        """Write these rows into the present sheet; rows no spreadsheet could show are left out."""
        for row in rows:
            if self._row >= _MOST_ROWS:
                break
            self._row += 1
            cells = "".join(_cell(row.get(name)) for name in self._columns)
            self._zip.write(f'<row r="{self._row}">{cells}</row>'.encode())
        return self._zip.taken()

    def end(self) -> bytes:
        """Close the last sheet and the file."""
        self._end_sheet()
        return self._zip.end()

    def close(self) -> None:
        """Let go of it, when nobody takes the rest."""
        self._zip.close()

    def _end_sheet(self) -> None:
        if self._opened:
            self._zip.write(_SHEET_ENDS.encode())
            self._zip.finish()


def _csv_bytes(rows: Iterable[Sequence[Any]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode("utf-8", "replace")


def _harmless(value: Any) -> Any:
    if isinstance(value, str) and looks_like_formula(value):
        return f"'{value}"
    return "" if value is None else value


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    text = _NOT_XML.sub("\ufffd", str(value))[:_LONGEST_CELL]
    style = ' s="1"' if looks_like_formula(text) else ""
    return f'<c t="inlineStr"{style}><is><t xml:space="preserve">{escape(text)}</t></is></c>'


_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_SHEET_BEGINS = f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'
_SHEET_ENDS = "</sheetData></worksheet>"
_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf/><xf quotePrefix="1"/></cellXfs></styleSheet>'
)


def _frame(sheets: Sequence[str]) -> dict[str, str]:
    """Return everything of a workbook but its sheets."""
    numbers = range(1, len(sheets) + 1)
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        for number in numbers
    )
    named = "".join(
        f'<sheet name="{escape(name)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, name in zip(numbers, sheets, strict=True)
    )
    linked = "".join(_link(number, "worksheet", f"worksheets/sheet{number}.xml") for number in numbers)
    return {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>{parts}</Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{_link(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>",
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{named}</sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{linked}'
        f"{_link(len(sheets) + 1, 'styles', 'styles.xml')}</Relationships>",
        "xl/styles.xml": _STYLES,
    }


def _link(number: int, kind: str, place: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{_RELATIONS}/{kind}" Target="{place}"/>'
