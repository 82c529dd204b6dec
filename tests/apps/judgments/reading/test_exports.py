"""The archive leaves the house whole: every case in the tables, every stored PDF in the ZIP."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from functools import partial

import pytest

from limpet.apps.judgments.case_filter import CaseFilter
from limpet.apps.judgments.exports import Archive, export
from limpet.apps.judgments.views import archived_cases, count_cases

SOURCE = "unreported_judgments"


@pytest.fixture
async def filled(shelf, docket):
    rows = dict(list(docket.by_token().items())[:700])
    await shelf.fill(rows)
    contents = {token: f"%PDF {token}".encode() * 100 for token in list(rows)[:8]}
    await shelf.store(contents)
    return shelf, rows, contents


async def whole(shelf, form, **wanted) -> bytes:
    archive = Archive(shelf.ledger, shelf.folder)
    return b"".join([piece async for piece in export(archive, form, CaseFilter(**wanted))])


async def test_csv_and_json_lines_tell_of_every_case(filled) -> None:
    shelf, rows, contents = filled

    table = list(csv.DictReader(io.StringIO((await whole(shelf, "csv")).decode("utf-8-sig"), newline="")))
    lines = [json.loads(line) for line in (await whole(shelf, "jsonl")).splitlines()]

    assert [row["action_token_raw"] for row in table] == list(rows)
    assert [line["action_token_raw"] for line in lines] == list(rows)
    assert [line["title"] for line in lines] == [row.title for row in rows.values()]
    assert sum(bool(line["sha256"]) for line in lines) == len(contents)


async def test_titles_that_look_like_formulas_cannot_act(filled) -> None:
    shelf, rows, _ = filled
    dangerous = [row.title for row in rows.values() if row.title.startswith(("=", "+", "-", "@"))]

    table = list(csv.DictReader(io.StringIO((await whole(shelf, "csv")).decode("utf-8-sig"), newline="")))

    assert dangerous
    assert [row["title"] for row in table if row["title"].startswith("'")] == [
        f"'{title}" for title in dangerous
    ]
    assert not any(row["title"].startswith(("=", "+", "-", "@")) for row in table)


async def test_the_workbook_has_a_sheet_for_each_question(filled) -> None:
    shelf, rows, contents = filled

    with zipfile.ZipFile(io.BytesIO(await whole(shelf, "xlsx"))) as book:
        assert book.testzip() is None
        counts = [book.read(f"xl/worksheets/sheet{number}.xml").count(b"<row ") for number in (1, 2, 3)]

    assert counts == [len(rows) + 1, len(contents) + 1, len(rows) - len(contents) + 1]


async def test_the_zip_holds_every_stored_pdf_and_says_which_is_damaged_or_gone(filled) -> None:
    shelf, _, contents = filled
    files = sorted((shelf.folder / "pdfs").iterdir())
    files[0].unlink()
    files[1].write_bytes(b"somebody wrote here")

    with zipfile.ZipFile(io.BytesIO(await whole(shelf, "zip"))) as bundle:
        assert bundle.testzip() is None
        packed = {name: bundle.read(name) for name in bundle.namelist()}
    manifest = list(csv.DictReader(io.StringIO(packed.pop("manifest.csv").decode("utf-8-sig"), newline="")))

    assert set(packed) == {file.name for file in files[1:]}
    assert sorted(packed.values())[:-1] == sorted(
        content for token, content in contents.items() if content in packed.values()
    )
    assert sorted(row["in_this_zip"] for row in manifest) == ["damaged", "missing", *["whole"] * 6]


async def test_an_empty_archive_is_an_empty_table_and_an_empty_zip(shelf) -> None:
    assert (await whole(shelf, "csv")).count(b"\r\n") == 1
    assert await whole(shelf, "jsonl") == b""
    with zipfile.ZipFile(io.BytesIO(await whole(shelf, "zip"))) as bundle:
        assert bundle.namelist() == ["manifest.csv"]


async def test_a_case_is_told_in_the_words_of_the_report(filled) -> None:
    shelf, rows, contents = filled
    token = next(iter(contents))

    listed = await shelf.ledger.read(partial(archived_cases, wanted=CaseFilter(source_id=SOURCE), limit=1000))
    case = next(case for case in listed if case.action_token_raw == token)

    assert case.as_report() == {
        "actions_token": token,
        "title": rows[token].title,
        "subject": rows[token].subject,
        "court": rows[token].court,
        "category": rows[token].category,
        "judgment_date": rows[token].judged_on.isoformat(),
        "sort_judgment_date": rows[token].judged_on.isoformat(),
        "cause_number": rows[token].cause_number,
        "downloaded_at": "2025-11-20T09:00:00+00:00",
        "saved_path": case.path,
        "filename": case.path.removeprefix("pdfs/"),
        "size_kb": round(len(contents[token]) / 1024, 1),
        "source": SOURCE,
    }


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (CaseFilter(), 700),
        (CaseFilter(is_downloaded=True), 8),
        (CaseFilter(is_downloaded=False), 692),
        (CaseFilter(source_id="elsewhere"), 0),
        (CaseFilter(run_id=1), 8),
        (CaseFilter(search="100%_"), 0),
    ],
)
async def test_cases_can_be_narrowed(filled, wanted, count) -> None:
    shelf, _, _ = filled

    assert await shelf.ledger.read(partial(count_cases, wanted=wanted)) == count
    assert len(await shelf.ledger.read(partial(archived_cases, wanted=wanted, limit=1000))) == count
