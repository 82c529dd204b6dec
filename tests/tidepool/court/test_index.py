"""The court's index has every untidiness of the real one, and the same seed writes the same bytes."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from html import unescape

import pytest

from tidepool.court.docket import Docket
from tidepool.court.index_csv import COLUMNS, index_csv
from tidepool.court.inventing import QUIET_MONTH
from tidepool.court.paper import paper


@pytest.fixture(scope="module")
def docket() -> Docket:
    return Docket(7, 2_700)


@pytest.fixture(scope="module")
def lines(docket) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(index_csv(docket.rows).decode("utf-8-sig"), newline="")))


def test_there_are_as_many_documents_as_asked_for(docket) -> None:
    assert len(docket.by_token()) == 2_700
    assert len(Docket(7, 20).by_token()) == 20


def test_the_same_seed_writes_the_same_bytes_and_another_one_does_not(docket) -> None:
    assert index_csv(docket.rows) == index_csv(Docket(7, 2_700).rows)
    assert index_csv(Docket(8, 100).rows) != index_csv(Docket(7, 100).rows)


def test_it_begins_with_a_byte_order_mark_and_the_eight_columns(docket, lines) -> None:
    assert index_csv(docket.rows).startswith(b"\xef\xbb\xbf")
    assert tuple(lines[0]) == COLUMNS


@pytest.mark.parametrize(
    ("what", "seen"),
    [
        ("entities", lambda line: "&amp;" in line["Title"]),
        ("hard spaces", lambda line: "\u00a0" in line["Title"]),
        ("padding", lambda line: line["Title"].startswith("  ")),
        ("an entity inside a token", lambda line: "&amp;" in line["Actions"]),
        ("blank actions", lambda line: not line["Actions"].strip()),
        ("several tokens by |", lambda line: "|" in line["Actions"]),
        ("several tokens by ,", lambda line: "," in line["Actions"]),
        ("several tokens by ;", lambda line: ";" in unescape(line["Actions"])),
        ("several tokens by /", lambda line: "/" in line["Actions"]),
        ("several tokens by \\", lambda line: "\\" in line["Actions"]),
        ("several tokens by a space", lambda line: " " in line["Actions"].strip("\u00a0 ")),
        ("a token in lower case", lambda line: line["Actions"].strip().islower()),
        ("an opaque old token", lambda line: re.fullmatch(r"[A-Z0-9]{52}", line["Actions"].strip())),
        ("2025-Nov-06", lambda line: re.search(r"\d{4}-[A-Z][a-z]{2}-\d{2}", line["Judgment Date"])),
        ("2025-11-06", lambda line: re.search(r"\d{4}-\d{2}-\d{2}", line["Judgment Date"])),
        ("06/11/2025", lambda line: re.search(r"\d{2}/\d{2}/\d{4}", line["Judgment Date"])),
        ("06-Nov-2025", lambda line: re.search(r"\d{2}-[A-Z][a-z]{2}-\d{4}", line["Judgment Date"])),
        ("no date at all", lambda line: "Term" in line["Judgment Date"]),
        ("a date that can be read two ways", lambda line: line["Judgment Date"] == "11-06-2025"),
        ("a title of 300 characters", lambda line: len(line["Title"]) > 300),
        ("a title over two lines", lambda line: "\n" in line["Title"]),
        ("a title in quotes", lambda line: '"' in line["Title"]),
        ("a title like a formula", lambda line: line["Title"].startswith("=")),
        ("crime by category", lambda line: "crim" in line["Category"].lower()),
        ("crime by title alone", lambda line: "Criminal" in line["Title"] and "rim" not in line["Category"]),
    ],
)
def test_it_has(lines, what, seen) -> None:
    assert any(seen(line) for line in lines), what


def test_some_tokens_and_titles_stand_in_several_rows(docket) -> None:
    tokens = Counter(token for row in docket.rows for token in row.tokens)
    titles = Counter(row.title for row in docket.rows if row.tokens)

    assert any(count > 1 for count in tokens.values())
    assert any(count > 1 for count in titles.values())


def test_some_tokens_differ_only_in_what_normalising_removes(docket) -> None:
    spellings = Counter(re.sub(r"[^A-Z0-9]", "", token.upper()) for token in docket.by_token())

    assert any(count > 1 for count in spellings.values())


def test_the_newest_stand_first_and_one_month_was_silent(docket) -> None:
    days = [row.judged_on for row in docket.rows if row.judged_on]

    assert days == sorted(days, reverse=True)
    assert not any((day.year, day.month) == QUIET_MONTH for day in days)


def test_a_document_is_a_valid_pdf_of_its_own() -> None:
    documents = [paper(7, number, f"Judgment {number}") for number in (0, 1, 49, 399)]

    for document in documents:
        table = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", document)[1])
        assert document.startswith(b"%PDF-1.4")
        assert document[table:].startswith(b"xref")
        for place in re.findall(rb"^(\d{10}) 00000 n", document[table:], re.MULTILINE):
            assert re.match(rb"\d+ 0 obj", document[int(place) :])
        assert len(document) > 1024
    assert len(set(documents)) == 4
    assert len(documents[3]) > 300_000
