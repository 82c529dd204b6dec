"""The JSON API."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.target import JobState


def test_run_adds_up(portal: Any) -> None:
    run = portal.get(f"/api/v1/runs/{portal.run.id}").json()

    assert run["planned"] == sum(run["counts"].values())
    assert set(run["counts"]) == {state.value for state in JobState}
    assert sum(run["reasons"].values()) <= run["planned"]


def test_pages_of_jobs_hold_every_job_once(portal: Any) -> None:
    seen: list[int] = []
    after: int | None = 0

    while after is not None:
        page = portal.get(f"/api/v1/runs/{portal.run.id}/jobs?limit=7&after={after}").json()
        seen += [job["id"] for job in page["items"]]
        after = page["next"]

    assert len(seen) == len(set(seen)) == portal.run.planned


def test_jobs_come_with_their_tries(portal: Any) -> None:
    jobs = portal.get(f"/api/v1/runs/{portal.run.id}/jobs?state=succeeded&limit=3").json()["items"]

    assert all(job["tries"][0]["outcome"] == "ok" for job in jobs)


def test_pages_of_runs_go_back_in_time(portal: Any) -> None:
    first = portal.get("/api/v1/runs?limit=1").json()
    second = portal.get(f"/api/v1/runs?limit=1&after={first['next']}").json()

    assert first["items"][0]["id"] > second["items"][0]["id"]


def test_sources_tell_gate_clocks_and_grade(portal: Any) -> None:
    sources = {each["id"]: each for each in portal.get("/api/v1/sources").json()["items"]}

    assert sources["shop"]["gate"]["is_open"] is True
    assert sources["shop"]["clocks"]["last_fetch_at"]
    assert sources["boutique"]["gate"]["is_open"] is False
    assert "make browser" in sources["boutique"]["gate"]["reason"]
    assert portal.get("/api/v1/sources/shop").json()["targets"] >= 40  # others may have added one


def test_prices_and_a_history_of_one(portal: Any) -> None:
    offers = portal.get("/api/v1/prices?source=shop&limit=5&visibility=operator").json()
    chosen = offers["items"][0]

    history = portal.get(f"/api/v1/prices/shop/{chosen['identity_key']}?visibility=operator").json()

    assert offers["next"] == offers["items"][-1]["product_id"]
    assert history["points"][-1]["price_cents"] == chosen["latest"]["price_cents"]
    assert len(history["points"]) == 2


def test_nothing_scraped_is_shown_to_consumers_unless_somebody_said_so(portal: Any) -> None:
    seen = portal.get("/api/v1/prices?visibility=operator").json()["items"]
    chosen = next(offer for offer in seen if offer["source_id"] == "shop")

    unasked, asked = portal.get("/api/v1/prices"), portal.get("/api/v1/prices?visibility=consumer")
    history = portal.get(f"/api/v1/prices/shop/{chosen['identity_key']}")

    assert unasked.json()["items"] == asked.json()["items"] == []
    assert history.status == 404
    assert portal.get("/api/v1/prices?visibility=everybody").status == 422


def test_health_says_status_version_uptime_database_and_grade(portal: Any) -> None:
    health = portal.get("/health")

    assert health.status == 200
    assert health.json()["database"] == "ok"
    assert health.json()["status"] in ("healthy", "degraded")
    assert health.json()["grade"] in ("healthy", "recovering", "degraded", "failing")
    assert health.json()["uptime_seconds"] >= 0
    assert portal.get("/api/v1/health").json()["version"] == health.json()["version"]


def test_ready_when_the_ledger_reads(portal: Any) -> None:
    assert portal.get("/ready").json() == {"ready": True}


def test_metrics_hold_every_word_of_the_vocabulary(portal: Any) -> None:
    answer = portal.get("/metrics")

    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    for word in ("succeeded", "no_record", "skipped", "failed", "dropped", "quarantined"):
        assert f'limpet_jobs_total{{app="prices",outcome="{word}"}}' in answer.text
    assert 'limpet_last_fetch_age_seconds{source="shop"}' in answer.text


@pytest.mark.parametrize(
    "question", ["limit=0", "limit=501", "limit=x", "after=-1", "state=happy", f"after={2**63}"]
)
def test_question_out_of_bounds_is_a_problem_that_names_the_field(portal: Any, question: str) -> None:
    answer = portal.get(f"/api/v1/runs?{question}")

    assert answer.status == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["errors"][0]["where"] == ["query", question.partition("=")[0]]


def test_description_covers_the_api_and_what_may_be_changed(portal: Any) -> None:
    described = portal.get("/api/openapi.json").json()

    assert {"/api/v1/runs", "/api/v1/runs/{run_id}/jobs", "/api/v1/sources", "/api/v1/prices"} <= set(
        described["paths"]
    )
    changing = {path for path, asked in described["paths"].items() if set(asked) != {"get"}}
    deeds = {path for path in changing if not path.startswith("/api/v1/")}
    assert deeds == {"/start", "/resume", "/webhook/changedetection", "/admin/recycle"}
    assert {"/api/v1/runs", "/api/v1/runs/{run_id}/retry", "/api/v1/targets/change"} <= changing
    assert all("mode" in str(described["paths"][path]["post"]["requestBody"]) for path in ("/start",))


def test_the_guide_names_what_a_body_holds(portal) -> None:
    page = portal.get("/api", Accept="text/html").text
    row = page.partition("POST /api/v1/dockets/run</code>")[2].partition("</tr>")[0]

    assert ">max_cases</code>" in row and ">reason</code>" in row
