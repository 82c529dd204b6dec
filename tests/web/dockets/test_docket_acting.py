"""Asking a court from the portal: planned with a reason, on record, and walked like any other run."""

from __future__ import annotations

from typing import Any

T_2024 = "/api/v1/dockets/cases?prefix=T&year=2024"


def run_of(answer: Any) -> int:
    assert answer.status == 303, answer.text
    return int(answer.headers["location"].rpartition("/")[2])


def audited(registry: Any, action: str) -> Any:
    async def read(house: Any) -> Any:
        return [entry for entry in await house.ledger.audit_entries() if entry.action == action]

    return registry.do(read)[0]


def cases_of(registry: Any, prefix: str, year: int) -> list[Any]:
    path = f"/api/v1/dockets/cases?prefix={prefix}&year={year}&limit=500"
    return list(registry.get(path).json()["items"])


def test_a_range_is_asked_for_from_the_page(registry: Any) -> None:
    fields = {"source": "fct", "prefix": "t", "year": "25", "start": "3", "max_cases": "4"}

    ended = registry.walk(run_of(registry.send("/dockets/run", **fields, reason="for a reader")))

    cases = registry.get("/api/v1/dockets/cases?prefix=T&year=2025").json()["items"]
    assert ended.planned == 4
    assert [each["number"] for each in cases] == [3, 4, 5, 6]
    assert (audited(registry, "run_dockets").actor, audited(registry, "run_dockets").reason) == (
        "tester",
        "for a reader",
    )


def test_what_failed_is_tried_again_and_nothing_else(registry: Any) -> None:
    registry.pool.set_fault("registry", "server_error_500", path=f"{registry.search}?*T-2-24*")
    body = {"source": "fct", "prefix": "T", "year": 2024, "reason": "a first look"}
    registry.walk(registry.post("/api/v1/dockets/run", body | {"start": 1, "max_cases": 4}).json()["id"])
    registry.pool.clear_faults()
    before = [each["case_id"] for each in registry.get(f"{T_2024}&status=failed").json()["items"]]

    planned = registry.post("/api/v1/dockets/retry", body | {"reason": "the court is back"})
    ended = registry.walk(planned.json()["id"])

    assert before == ["T-2-24"]
    assert (planned.status, ended.planned, ended.counts["succeeded"]) == (202, 1, 1)
    assert registry.get(f"{T_2024}&status=failed").json()["items"] == []
    assert registry.post("/api/v1/dockets/retry", body).status == 400
    assert audited(registry, "retry_dockets").reason == "the court is back"


def test_one_case_is_asked_for_again_with_its_parties(registry: Any) -> None:
    fields = {"source": "fct", "case": "t/0007/23", "reason": "who are they?"}
    registry.walk(run_of(registry.send("/dockets/again", **fields)))
    without = registry.get("/api/v1/dockets/fct/cases/T-7-23").json()

    ended = registry.walk(run_of(registry.send("/dockets/again", **fields, parties="yes")))

    case = registry.get("/api/v1/dockets/fct/cases/T-7-23").json()
    assert (ended.planned, ended.counts["succeeded"]) == (1, 1)
    assert without["versions"][0]["parties"] is None and case["versions"][0]["parties"]
    assert audited(registry, "ask_docket_again").reason == "who are they?"


def test_the_last_number_is_looked_for_from_the_page_and_the_map_knows_it(registry: Any) -> None:
    fields = {"source": "fct", "prefix": "A", "year": "24", "reason": "how far does it go?"}

    ended = registry.walk(run_of(registry.send("/dockets/probe", **fields)))
    again = registry.send("/dockets/probe", **fields)

    truth = registry.pool.site("registry").files.numbers
    last = max(number.number for number in truth.of_year("24", prefix="A"))
    told = registry.get("/api/v1/dockets/fct/A/2024").json()
    assert (told["bound"]["number"], told["last"]) == (last, last)
    assert ended.planned == told["bound"]["probes"] <= 200
    assert told["unasked"] == last - sum(each["number"] <= last for each in cases_of(registry, "A", 2024))
    assert again.status == 400 and "is known" in again.text
    assert audited(registry, "probe_dockets").reason == "how far does it go?"


def test_what_cannot_be_asked_is_refused_with_its_fix(registry: Any) -> None:
    fields = {"source": "fct", "prefix": "IMM", "year": "25", "start": "1", "max_cases": "5"}
    refused = [
        registry.send("/dockets/run", **fields),  # without a reason
        registry.send("/dockets/run", **(fields | {"year": "x", "reason": "r"})),
        registry.send("/dockets/run", **(fields | {"start": "many", "reason": "r"})),
        registry.send(
            "/dockets/run", **(fields | {"max_cases": "", "reason": "r", "prefix": "A"})
        ),  # no known end
        registry.send("/dockets/run", **(fields | {"source": "shop", "reason": "r"})),
        registry.send("/dockets/again", source="fct", case="nonsense", reason="r"),
    ]

    assert [answer.status for answer in refused] == [400] * 6
    assert "probe --year 25" in refused[3].text and "Sources of dockets: fct" in refused[4].text


def test_a_form_without_its_token_changes_nothing(registry: Any) -> None:
    answer = registry.send("/dockets/again", source="fct", case="IMM-1-25", reason="r", csrf="forged")

    assert answer.status == 403
