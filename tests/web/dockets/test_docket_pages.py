"""The pages of dockets over real HTTP: every number under its word, every version kept in sight."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote


def test_registers_are_listed_with_their_counts(registry: Any) -> None:
    page = registry.get("/dockets").text

    assert 'href="/dockets/fct/IMM/2025"' in page
    assert "never probed" in page


def test_the_map_counts_every_number_once(registry: Any) -> None:
    told = registry.get(f"/api/v1{registry.base}").json()
    page = registry.get(registry.base).text

    total = sum(many for square in told["squares"] for many in square["counts"].values())
    assert total == told["squares"][-1]["last"] == 1_140
    assert (told["found"], told["none"], told["failed"]) == (43, 12, 1)
    assert page.count('class="square sq-') == len(told["squares"]) == 12
    assert "1100 to 1140" in page


def test_numbers_stand_one_by_one_and_lead_to_their_cases(registry: Any) -> None:
    page = registry.get(f"{registry.base}/numbers?first=1110").text
    words = {
        each["number"]: each["word"]
        for each in registry.get(f"/api/v1{registry.base}/numbers?first=1110").json()
    }

    assert words[1117] == "failed"
    assert {words[n] for n in range(1110, 1115)} == {"unknown"}
    assert sum(word == "none" for word in words.values()) == 12
    assert f'href="/dockets/fct/cases/{registry.failed}"' in page
    assert "cases/IMM-1110-25" not in page  # nobody asked for it: there is nothing to lead to


def test_gaps_are_listed_by_how_they_are_known(registry: Any) -> None:
    told = registry.get(f"/api/v1{registry.base}/gaps").json()
    unasked = registry.get(f"{registry.base}/gaps").text
    absent = registry.get(f"{registry.base}/gaps?kind=absent").text

    assert [[each["first"], each["last"]] for each in told["unasked"]] == [[31, 1114]]
    assert [each["first"] for each in told["failed"]] == [1117]
    assert sum(each["count"] for each in told["absent"]) == 12
    assert "31 – 1,114" in unasked and "one by one" in absent
    failed = registry.get(f"{registry.base}/gaps?kind=failed").text
    assert (
        'name="force"' in failed and 'name="force"' not in unasked
    )  # whoever presses it does not mean to cool down


def test_a_year_is_read_as_the_commands_read_it(registry: Any) -> None:
    api = "/api/v1/dockets/cases?limit=500&year="
    export = "/api/v1/dockets/export/cases/csv?year="
    refused = [registry.get(f"{path}x").status for path in ("/dockets/cases?year=", api, export)]

    assert refused == [422] * 3
    assert registry.get(f"{api}25").json() == registry.get(f"{api}2025").json() != {"items": [], "next": None}
    assert registry.get(f"{export}25").text == registry.get(f"{export}2025").text
    assert "IMM-1-25" in registry.get(f"{export}25").text
    assert "IMM-1-25" in registry.get("/dockets/cases?year=25").text
    assert registry.get("/dockets/cases?year=").status == registry.get(export).status == 200


def test_a_case_is_found_however_its_number_is_written(registry: Any) -> None:
    page = registry.get("/dockets/fct/cases/imm-0001-2025")
    told = registry.get("/api/v1/dockets/fct/cases/imm-1-2025")

    assert page.status == 200 and "IMM-1-25" in page.text
    assert told.json()["line"]["case_id"] == "IMM-1-25"
    assert registry.get("/dockets/fct/cases/nonsense").status == 404


def test_cases_are_searched_and_filtered(registry: Any) -> None:
    failed = registry.get("/dockets/cases?status=failed").text
    nothing = registry.get("/dockets/cases?search=nobody-of-that-name").text
    changed = registry.get("/api/v1/dockets/cases?changed=true").json()["items"]
    style = registry.get("/api/v1/dockets/fct/cases/IMM-1-25").json()["line"]["style_of_cause"]
    by_name = registry.get(f"/api/v1/dockets/cases?search={quote(style[:12])}").json()["items"]

    assert registry.failed in failed and "IMM-1-25" not in failed
    assert "No case fits" in nothing
    assert changed and all(each["version"] > 1 for each in changed)
    assert "IMM-1-25" in {each["case_id"] for each in by_name}


def test_pages_of_cases_follow_each_other_by_number(registry: Any) -> None:
    seen: list[str] = []
    path: str | None = "/api/v1/dockets/cases?source=fct&prefix=IMM&year=2025&limit=20"
    while path:
        told = registry.get(path).json()
        seen += [each["number"] for each in told["items"]]
        path = f"{path.partition('&after')[0]}&after={told['next']}" if told["next"] else None

    assert seen == [*range(1, 31), *range(1_115, 1_141)]


def test_a_number_leads_straight_to_its_case(registry: Any) -> None:
    found = registry.get("/dockets?search=imm/0005/25")
    other = registry.get("/dockets?search=smith")

    assert (found.status, found.headers["location"]) == (303, "/dockets/fct/cases/IMM-5-25")
    assert other.headers["location"] == "/dockets/cases?search=smith"


def test_an_edited_entry_shows_what_it_said_and_what_it_says(registry: Any) -> None:
    edited = [
        (line["case_id"], entry["versions"])
        for line in registry.get("/api/v1/dockets/cases?changed=true&limit=500").json()["items"]
        for entry in registry.get(f"/api/v1/dockets/fct/cases/{line['case_id']}").json()["entries"]
        if len(entry["versions"]) > 1 and not entry["versions"][-1]["is_removed"]
    ]

    case_id, versions = edited[0]
    page = registry.get(f"/dockets/fct/cases/{case_id}").text
    before, after = (
        re.escape(versions[at]["summary"].replace("&", "&amp;").replace("'", "&#39;")) for at in (0, -1)
    )
    assert re.search(f"<del><bdi>{before}</bdi></del>", page)
    assert re.search(f"<ins><bdi>{after}</bdi></ins>", page)


def test_a_case_shows_parties_documents_versions_and_evidence(registry: Any) -> None:
    told = registry.get("/api/v1/dockets/fct/cases/IMM-1-25").json()
    page = registry.get("/dockets/fct/cases/IMM-1-25").text
    documents = [
        each
        for number in range(1, 9)
        for each in registry.get(f"/api/v1/dockets/fct/cases/IMM-{number}-25").json()["documents"]
    ]
    pdf = registry.get(f"/dockets/documents/{documents[0]['id']}")

    assert told["versions"][0]["parties"] and "Parties" in page
    assert f"/jobs/{told['versions'][0]['job_id']}/evidence" in page
    assert told["jobs"][0]["state"] == "succeeded"
    assert pdf.body.startswith(b"%PDF-") and len(pdf.body) == documents[0]["size_bytes"]
    assert registry.get("/dockets/documents/999999").status == 404


def test_absent_and_failed_numbers_say_so(registry: Any) -> None:
    absent = next(
        each["case_id"] for each in registry.get("/api/v1/dockets/cases?status=no_record").json()["items"]
    )

    assert "The court has no such file" in registry.get(f"/dockets/fct/cases/{absent}").text
    assert "HTTP 500" in registry.get(f"/dockets/fct/cases/{registry.failed}").text
    assert registry.get("/dockets/fct/cases/IMM-9999-25").status == 404
    assert registry.get("/dockets/fct/IMM/1999").status == 404


def test_files_to_take_away_hold_what_is_listed_and_no_formulas(registry: Any) -> None:
    cases = registry.get("/api/v1/dockets/export/cases/csv?source=fct&prefix=imm&year=2025")
    entries = registry.get("/api/v1/dockets/export/entries/csv?year=2024")
    parquet = registry.get("/api/v1/dockets/export/cases/parquet")

    assert len(cases.body.decode("utf-8-sig").splitlines()) == 1 + 56
    assert "=HYPERLINK" in entries.text and ",=HYPERLINK" not in entries.text
    assert parquet.body.startswith(b"PAR1") and "attachment" in parquet.headers["content-disposition"]
