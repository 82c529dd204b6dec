"""Fetching from the portal: by whom, on record, one run of a court at a time."""

from __future__ import annotations

from typing import Any

from limpet.record.access.accounts import add_account
from limpet.record.access.roles import Role, Scope
from limpet.record.access.tokens import create_token


def run_of(answer: Any) -> int:
    assert answer.status == 303, answer.text
    return int(answer.headers["location"].rpartition("/")[2])


def audited(bench: Any, action: str) -> Any:
    async def read(house: Any) -> Any:
        return [entry for entry in await house.ledger.audit_entries() if entry.action == action]

    return bench.do(read)[0]


def viewers_token(bench: Any) -> str:
    async def make(house: Any) -> str:
        now = house.clock.now()

        def write(connection: Any) -> str:
            add_account(connection, "reader", role=Role.VIEWER, password_hash=None, by="test", now=now)
            terms = {"account": "reader", "scope": Scope.READ, "days": None}
            return create_token(connection, "reads", **terms, by="test", now=now)[1]

        return str(await house.ledger.write(write))

    return str(bench.do(make))


def test_what_is_new_is_fetched_from_the_page_and_somebody_answers_for_it(bench: Any) -> None:
    added = bench.pool.site("court").move(add=2)["added"]

    run_id = run_of(bench.send("/judgments/run", source=bench.source, mode="new"))
    second = bench.send("/judgments/run", source=bench.source, mode="new")
    ended = bench.walk(run_id)

    assert (second.status, f"run {run_id}" in second.text.lower()) == (409, True)
    assert ended.planned == 2 and ended.counts["succeeded"] == 2
    assert {bench.case(token)["state"] for token in added} == {"stored"}
    assert (audited(bench, "start_run").actor, audited(bench, "start_run").subject) == (
        "tester",
        f"run {run_id}",
    )


def test_a_program_resumes_what_failed_by_a_strategy(bench: Any) -> None:
    body = {"mode": "resume", "resume_strategy": "retry_failed_only", "limit": 1}
    document = bench.pool.site("court").docket.document_of(bench.failed)
    bench.pool.set_fault("boxcdn", "pdf_is_html", path=f"/d/1/{document}/*")

    planned = bench.post(
        "/api/v1/judgments/run", body | {"max_retries": 1, "reason": "asked for by the library"}
    )
    ended = bench.walk(planned.json()["id"])
    bench.pool.clear_faults()

    assert (planned.status, planned.json()["mode"]) == (202, "resume")
    assert "asked for by the library" in bench.get(f"/audit?search=run+{ended.id}").text
    assert (ended.planned, ended.counts["failed"]) == (1, 1)
    assert len(bench.get(f"/api/v1/judgments/{bench.case(bench.failed)['id']}").json()["jobs"]) == 2


def test_a_reader_can_look_but_start_and_release_nothing(bench: Any) -> None:
    key = {"Authorization": f"Bearer {viewers_token(bench)}"}
    before = bench.newest_run()

    assert bench.get("/api/v1/judgments", **key).status == 200
    assert bench.post("/api/v1/judgments/run", {"mode": "new"}, **key).status == 403
    assert bench.post("/start", {"mode": "new"}, **key).status == 403
    release = f"/api/v1/judgments/versions/{bench.held}/release"
    assert bench.post(release, {"reason": "why not"}, **key).status == 403
    assert bench.newest_run() == before


def test_a_form_without_its_token_starts_nothing(bench: Any) -> None:
    before = bench.newest_run()

    assert bench.send("/judgments/run", source=bench.source, mode="new", csrf="forged").status == 403
    assert bench.send("/judgments/run", source=bench.source, mode="sideways").status == 400
    assert bench.send("/judgments/run", source=bench.source, mode="new", limit="-3").status == 400
    assert bench.send("/judgments/run", source="nobody", mode="new").status in (400, 404)
    assert bench.newest_run() == before
