"""Index files of every shape: understood, or refused with the reason; never half of each."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limpet.apps.judgments.criminal import CriminalRule
from limpet.apps.judgments.index.reading import IndexFile, NotAnIndex
from limpet.apps.judgments.index.row import IndexRow
from limpet.apps.judgments.index.survey import survey

HEADER = "Neutral Citation,Cause Number,Judgment Date,Title,Subject,Court,Category,Actions\n"


def index(tmp_path: Path, text: str | bytes) -> IndexFile:
    path = tmp_path / "index.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return IndexFile(path, CriminalRule())


def rows(tmp_path: Path, text: str | bytes) -> list[IndexRow]:
    return list(index(tmp_path, text).rows())


def row(tmp_path: Path, *cells: str) -> IndexRow:
    (found,) = rows(tmp_path, HEADER + ",".join(cells) + "\n")
    return found


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2025-11-06", "2025-11-06"),
        ("2025-Nov-06", "2025-11-06"),
        ("06/11/2025", "2025-11-06"),
        ("06-Nov-2025", "2025-11-06"),
        ("11-06-2025", None),  # June or November: kept as text, never guessed
        ("31/02/2025", None),
        ("undated", None),
        ("", None),
    ],
)
def test_four_kinds_of_dates_are_read_and_every_other_is_kept_as_text(tmp_path, written, day) -> None:
    found = row(tmp_path, "", "", written, "A v B", "", "", "Civil", "TOKEN1")

    assert (found.judgment_date, found.judgment_date_raw) == (day, written or None)


@pytest.mark.parametrize(
    ("category", "is_criminal"),
    [("Criminal", True), ("criminal appeal", True), ("Grand Court - Crim.", True), ("Civil", False), ("", False),
     ("Discrimination", False)],
)  # fmt: skip
def test_the_criminal_rule_goes_by_the_category(tmp_path, category, is_criminal) -> None:
    assert row(tmp_path, "", "", "", "", "", "", category, "TOKEN1").is_criminal is is_criminal


def test_cells_are_read_as_a_reader_sees_them(tmp_path) -> None:
    found = row(
        tmp_path,
        " [2025] 1 ",
        '"FSD\u00a0151 of 2025"',
        "",
        '"Smith &amp; Sons v&nbsp;Jones"',
        "",
        "",
        "",
        "A&amp;B",
    )

    assert (found.neutral_citation, found.cause_number) == ("[2025] 1", "FSD 151 of 2025")
    assert (found.title, found.token) == ("Smith & Sons v Jones", "A&B")


def test_a_cell_with_several_tokens_is_several_documents_of_one_row(tmp_path) -> None:
    found = rows(tmp_path, HEADER + "c,n,2025-01-02,t,s,k,Civil,ONE | TWO\n")

    assert [each.token for each in found] == ["ONE", "TWO"]
    assert found[0].fingerprint == found[1].fingerprint


def test_the_first_row_of_a_token_counts_and_blank_rows_are_counted(tmp_path) -> None:
    text = HEADER + ",,,first,,,,SAME\n,,,second,,,,SAME\n,,,none,,,, \n,,,other,,,,OTHER\n"

    found = survey(index(tmp_path, text))

    assert (found.case_count, found.duplicate_count, found.blank_count, found.row_count) == (2, 1, 1, 4)
    assert found.numbers == {"SAME": 1, "OTHER": 4}


@pytest.mark.parametrize(
    "header",
    ["Actions,Title", "Title,Action", "Case Title,ACTIONS", "\ufeffActions,Title", ' "Actions" ,Title'],
)
def test_headers_of_other_days_are_known(tmp_path, header) -> None:
    cells = "T1,A v B" if "ctions" in header.partition(",")[0] else "A v B,T1"

    (found,) = rows(tmp_path, f"{header}\n{cells}\n")

    assert (found.token, found.title) == ("T1", "A v B")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html><html></html>", "HTML"),
        (b"Title,Court\na,b\n", "Actions"),
        (HEADER.encode(), "no rows"),
        (HEADER.encode() + b"a,b,c\n", "cut short"),
        (b"Actions,Title\n\xff\xfe\n", "UTF-8"),
        (b'Actions,Title\n"' + b"x" * 200_000 + b'",t\n', "CSV"),
    ],
)
def test_what_is_no_index_says_why(tmp_path, text, reason) -> None:
    with pytest.raises(NotAnIndex, match=reason):
        rows(tmp_path, text)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=400))
def test_any_bytes_are_an_index_or_none(tmp_path, body) -> None:
    try:
        found = rows(tmp_path, body)
    except NotAnIndex:
        return

    assert all(each.token for each in found)
