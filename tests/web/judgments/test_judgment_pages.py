"""The pages of judgments over real HTTP: every case found, every version kept in sight, every file as it came."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest


def leafed(bench: Any, question: str) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = []
    after = 0
    while True:
        told = bench.get(f"/api/v1/judgments?{question}&limit=7&after={after}").json()
        seen += told["items"]
        if told["next"] is None:
            return seen
        after = told["next"]


def test_pages_of_cases_follow_each_other_by_day_and_leave_nobody_out(bench: Any) -> None:
    seen = leafed(bench, "source=" + bench.source)

    days = [each["judgment_date"] or "" for each in seen]
    assert days == sorted(days, reverse=True)
    assert len({each["id"] for each in seen}) == len(seen)
    assert {each["id"] for each in bench.get("/api/v1/judgments?limit=500").json()["items"]} == {
        each["id"] for each in seen
    }


def test_every_case_stands_in_one_way_and_is_listed_by_it(bench: Any) -> None:
    everybody = bench.get("/api/v1/judgments?limit=500").json()["items"]

    for state in ("stored", "failed", "criminal", "removed"):
        listed = {each["id"] for each in bench.some(state)}
        assert {each["id"] for each in everybody if each["state"] == state} <= listed, state
        assert listed, state
    assert [each["action_token_raw"] for each in bench.some("failed")] == [bench.failed]


def test_cases_are_searched_by_words_court_and_change(bench: Any) -> None:
    failed = bench.case(bench.failed)
    by_number = leafed(bench, f"search={quote(failed['cause_number'].lower())}")
    by_court = leafed(bench, f"court={quote(failed['court'])}")
    back = leafed(bench, "change=reappeared&version=3")
    page = bench.get("/judgments?search=nobody+of+that+name").text

    assert failed["id"] in {each["id"] for each in by_number}
    assert {each["court"] for each in by_court} == {failed["court"]}
    assert [each["action_token_raw"] for each in back] == bench.moved["readded"]
    assert "No judgment fits" in page


def test_a_case_tells_what_each_version_of_the_index_said_of_it(bench: Any) -> None:
    case = bench.case(bench.moved["changed"][1])
    story = bench.get(f"/api/v1/judgments/{case['id']}").json()
    page = bench.get(f"/judgments/{case['id']}").text

    (change, first) = story["changes"]
    assert (change["kind"], change["version_id"], first["kind"], first["version_id"]) == (
        "changed",
        2,
        "new",
        1,
    )
    assert change["old_value"] != change["new_value"]
    assert f"<del><bdi>{change['old_value'].replace('&', '&amp;')}</bdi></del>" in page
    assert f"<ins><bdi>{change['new_value'].replace('&', '&amp;')}</bdi></ins>" in page


def test_a_case_that_failed_says_why_and_leads_to_the_evidence(bench: Any) -> None:
    case = bench.case(bench.failed)
    job = bench.get(f"/api/v1/judgments/{case['id']}").json()["jobs"][-1]
    page = bench.get(f"/judgments/{case['id']}").text

    assert "malformed_pdf" in page and f"/jobs/{job['id']}/evidence" in page
    assert job["state"] == "failed" and job["tries"]
    assert "Open PDF" not in page
    assert bench.get(f"/judgments/{case['id']}/pdf").status == 404


def test_the_pdf_is_what_the_court_sent_and_nobodys_page(bench: Any) -> None:
    case = bench.some("stored")[0]
    published = bench.pool.site("court").published()[case["action_token_raw"]]

    for path in (
        f"/judgments/{case['id']}/pdf",
        f"/api/v1/judgments/{case['id']}/pdf",
        f"/files/{case['path']}",
    ):
        answer = bench.get(path)
        assert hashlib.sha256(answer.body).hexdigest() == published["sha256"]
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-disposition"].startswith("attachment; filename=")
        assert answer.headers["content-security-policy"].endswith("sandbox")


@pytest.mark.parametrize("path", ["/judgments/1/pdf", "/files/pdfs/x.pdf", "/export/csv", "/judgments/diff"])
def test_nothing_of_the_archive_is_had_without_credentials(bench: Any, path: str) -> None:
    answer = bench.ask("GET", path)

    assert answer.status in (303, 401) and b"%PDF" not in answer.body


@pytest.mark.parametrize(
    "path",
    ["../limpet.toml", "pdfs/../limpet.toml", "%2e%2e/limpet.toml", "/etc/passwd", "limpet.db", "x%00.pdf"],
)
def test_no_other_file_of_the_data_directory_can_be_had(bench: Any, path: str) -> None:
    assert bench.get(f"/files/{path}").status == 404


def test_a_file_that_is_missing_or_damaged_says_so_and_is_not_sent(bench: Any) -> None:
    case = bench.some("stored")[1]
    stored: Path = bench.house.settings.data_dir / case["path"]
    whole = stored.read_bytes()
    try:
        stored.write_bytes(whole[:-9])
        damaged = bench.get(f"/judgments/{case['id']}").text
        assert bench.get(f"/judgments/{case['id']}/pdf").status == 404
        stored.unlink()
        missing = bench.get(f"/judgments/{case['id']}").text
        assert bench.get(f"/judgments/{case['id']}/pdf").status == 404
    finally:
        stored.write_bytes(whole)

    assert "its length is not what was stored" in damaged and "Open PDF" not in damaged
    assert "missing on the disk" in missing
    assert "Open PDF" in bench.get(f"/judgments/{case['id']}").text


def test_versions_are_listed_as_they_stand(bench: Any) -> None:
    told = bench.get("/api/v1/judgments/versions").json()["items"]
    page = bench.get("/judgments/versions").text

    states = {each["id"]: each["state"] for each in told}
    second = next(each for each in told if each["id"] == 2)
    assert {5: "held", 4: "invalid", 3: "applied", 2: "applied", 1: "applied"}.items() <= states.items()
    assert [second[f"{kind}_count"] for kind in ("new", "changed", "removed")] == [3, 2, 2]
    assert all(f'href="/judgments/versions/{number}"' in page for number in states)


def test_a_version_tells_what_it_brought_and_why_it_was_not_applied(bench: Any) -> None:
    second, invalid, held = (
        bench.get(f"/judgments/versions/{number}").text for number in (2, bench.invalid, bench.held)
    )

    assert all(token in second for kind in ("added", "changed", "removed") for token in bench.moved[kind])
    assert "The cases were not touched" in invalid and "Release" not in invalid
    assert "Release it" in held and "/judgments/diff?earlier=3" in held
    assert bench.get("/judgments/versions/99").status == 404


def test_two_versions_are_compared_field_by_field(bench: Any) -> None:
    told = bench.get("/api/v1/judgments/diff?earlier=1&later=2").json()
    back = bench.get("/api/v1/judgments/diff?earlier=2&later=3").json()
    page = bench.get("/judgments/diff?earlier=1&later=2").text

    assert {
        "new": sorted(bench.moved["added"]),
        "removed": sorted(bench.moved["removed"]),
    }.items() <= told.items()
    assert sorted(told["changed"]) == sorted(bench.moved["changed"])
    assert back["reappeared"] == bench.moved["readded"] and back["new"] == []
    assert all(token in page for kind in ("added", "changed", "removed") for token in bench.moved[kind])
    assert bench.get("/judgments/diff?earlier=1&later=99").status == 400
    assert bench.get("/judgments/diff?earlier=1&later=4").status in (400, 404)


def test_gaps_are_told_with_the_command_that_fills_them(bench: Any) -> None:
    (told,) = bench.get("/api/v1/judgments/gaps").json()
    page = bench.get("/judgments/gaps").text

    assert told["not_downloaded"] == len(bench.some("waiting"))
    assert told["backfill"] and told["backfill"] in page.replace("&#39;", "'")


def test_what_was_asked_for_is_what_is_taken_away_without_formulas(bench: Any) -> None:
    sheet = bench.get("/export/csv?state=stored").body.decode("utf-8-sig")
    stored = list(csv.DictReader(io.StringIO(sheet, newline="")))
    parquet = bench.get("/export/parquet?state=failed")

    assert {row["action_token_raw"] for row in stored} == {
        each["action_token_raw"] for each in bench.some("stored")
    }
    hostile = next(row for row in stored if "HYPERLINK" in row["cause_number"])
    assert hostile["cause_number"].startswith("'=")
    assert parquet.body.startswith(b"PAR1") and "attachment" in parquet.headers["content-disposition"]
