"""Rows as CSV, JSON lines and XLSX: whole, readable by other programs, and never a formula."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from xml.etree import ElementTree

import pytest

from limpet.record.sheets import CsvSheet, JsonLines, Workbook, looks_like_formula
from limpet.record.zipping import StreamedZip

COLUMNS = ("title", "size")
ROWS = [
    {"title": 'Smith & Sons, "Re"\nLtd', "size": 12},
    {"title": '=HYPERLINK("http://evil.test")', "size": None},
    {"title": "\x00 bell \ud800", "size": 3.5},
]
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", " =1", "＝1", "\n@x", "%0A"])
def test_what_a_spreadsheet_might_run_is_known(text) -> None:
    assert looks_like_formula(text)


@pytest.mark.parametrize("text", ["", "Smith v Jones", "1+1", "a=b", "(-1)", "Re: =1"])
def test_plain_text_is_left_alone(text) -> None:
    assert not looks_like_formula(text)


def test_csv_reads_back_with_every_formula_quoted() -> None:
    sheet = CsvSheet(COLUMNS)
    data = sheet.begin() + sheet.rows(ROWS[:2]) + sheet.end()

    read = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))

    assert read == [
        {"title": ROWS[0]["title"], "size": "12"},
        {"title": '\'=HYPERLINK("http://evil.test")', "size": ""},
    ]


def test_json_lines_read_back_as_they_were() -> None:
    lines = JsonLines(COLUMNS).rows(ROWS[:2]).splitlines()

    assert [json.loads(line) for line in lines] == ROWS[:2]


def sheet_rows(data: bytes, number: int) -> list[list[tuple[str | None, str | None, str]]]:
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        assert book.testzip() is None
        tree = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
    return [
        [(cell.get("t"), cell.get("s"), "".join(cell.itertext())) for cell in row.iter(f"{MAIN}c")]
        for row in tree.iter(f"{MAIN}row")
    ]


def test_a_workbook_has_its_sheets_and_text_that_can_never_be_a_formula() -> None:
    book = Workbook(("All", "Some & more"))
    data = (
        book.sheet(COLUMNS)
        + book.rows(ROWS)
        + book.sheet(("only",))
        + book.rows([{"only": True}])
        + book.end()
    )

    first, second = sheet_rows(data, 1), sheet_rows(data, 2)

    assert first[0] == [("inlineStr", None, "title"), ("inlineStr", None, "size")]
    assert first[1] == [("inlineStr", None, ROWS[0]["title"]), (None, None, "12")]
    assert first[2][0] == ("inlineStr", "1", ROWS[1]["title"])
    assert first[3][0][2] == "\ufffd bell \ufffd"
    assert second == [[("inlineStr", None, "only")], [("b", None, "1")]]
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        for name in parts.namelist():
            ElementTree.fromstring(parts.read(name))
        assert b'quotePrefix="1"' in parts.read("xl/styles.xml")
        assert b"<f>" not in parts.read("xl/worksheets/sheet1.xml")


def test_a_zip_leaves_piece_by_piece_and_is_the_same_for_the_same_content() -> None:
    def packed() -> list[bytes]:
        bundle = StreamedZip()
        pieces = []
        for number in range(3):
            bundle.begin(f"{number}.pdf")
            bundle.write(b"%PDF" * 1000)
            pieces.append(bundle.taken())
            bundle.finish()
        return [*pieces, bundle.end()]

    first, second = packed(), packed()

    assert first == second
    assert all(len(piece) >= 4000 for piece in first[:3])
    with zipfile.ZipFile(io.BytesIO(b"".join(first))) as read:
        assert read.testzip() is None
        assert [entry.file_size for entry in read.infolist()] == [4000] * 3


@pytest.mark.parametrize("is_open", [True, False])
def test_a_zip_closed_half_way_keeps_nothing_open_and_one_that_ended_stays_as_it_is(is_open) -> None:
    bundle, ended = StreamedZip(), StreamedZip()
    bundle.begin("a.pdf")
    bundle.write(b"half")
    if not is_open:
        bundle.finish()
    ended.add("a.txt", b"whole")
    data = ended.end()

    bundle.close()
    ended.close()

    with pytest.raises(ValueError, match="already closed"):
        bundle.begin("b.pdf")
    assert bundle.taken() == ended.taken() == b""
    assert zipfile.ZipFile(io.BytesIO(data)).read("a.txt") == b"whole"
