"""Operating by pages and by API, over real HTTP: runs, targets, sources, the emergency stop; once each, on record."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from limpet.engine.watcher import Silence
from limpet.record.entry import NewRun
from limpet.target.outcome import RunState


def plan(portal: Any, limit: int = 2) -> Any:
    return portal.do(lambda house: house.desk.plan(NewRun("prices", "shop"), limit=limit))


def deeds(portal: Any, action: str) -> list[Any]:
    async def read(house: Any) -> Any:
        return [each for each in await house.ledger.audit_entries() if each.action == action]

    return portal.do(read)


def test_a_run_is_started_and_called_off_by_the_pages(portal: Any) -> None:
    started = portal.send("/sources/shop/run")
    run_id = int(started.headers["location"].rpartition("/")[2])
    page = portal.get(started.headers["location"]).text
    called_off = portal.send(f"/runs/{run_id}/cancel", reason="only a test")
    jobs = portal.get(f"/api/v1/runs/{run_id}").json()

    assert started.status == called_off.status == 303
    assert "Call the rest off" in page
    assert jobs["counts"]["pending"] == 0 and jobs["counts"]["skipped"] == jobs["planned"]
    assert jobs["reasons"] == {"skipped: run_cancelled": jobs["planned"]}
    assert deeds(portal, "cancel_run")[0].reason == "only a test"


def test_a_run_that_has_ended_cannot_be_called_off(portal: Any) -> None:
    answer = portal.post(f"/api/v1/runs/{portal.run.id}/cancel", {"reason": "late"})

    assert answer.status == 400 and answer.json()["code"] == "run.nothing_to_do"


def test_what_ended_in_trouble_is_tried_again(portal: Any) -> None:
    troubled = portal.run.counts["failed"] + portal.run.counts["dropped"] + portal.run.counts["quarantined"]
    assert troubled

    answer = portal.post(f"/api/v1/runs/{portal.run.id}/retry")

    assert answer.status == 202
    assert answer.json()["trigger"] == "retry" and answer.json()["planned"] == troubled


def test_the_same_key_starts_one_run_and_another_body_is_refused(portal: Any) -> None:
    key = {"Idempotency-Key": f"key-{time.monotonic_ns()}"}
    body = {"app": "prices", "source": "shop"}

    first, second = portal.post("/api/v1/runs", body, **key), portal.post("/api/v1/runs", body, **key)
    other = portal.post("/api/v1/runs", {"app": "prices"}, **key)

    assert first.status == second.status == 202
    assert first.json() == second.json()
    assert second.headers["idempotency-replayed"] == "true" and "idempotency-replayed" not in first.headers
    assert other.status == 409 and other.json()["code"] == "access.key_reused"


def test_an_unchanged_list_is_not_sent_twice(portal: Any) -> None:
    first = portal.get("/api/v1/targets?limit=3")
    tag = first.headers["etag"]

    again = portal.get("/api/v1/targets?limit=3", **{"If-None-Match": tag})
    other = portal.get("/api/v1/targets?limit=4", **{"If-None-Match": tag})

    assert again.status == 304 and again.body == b""
    assert other.status == 200 and other.headers["etag"] != tag


def test_targets_are_added_listed_visited_and_changed_by_the_api(portal: Any) -> None:
    base = portal.get("/api/v1/targets?source=shop&limit=1").json()["items"][0]["url"]
    mine = base.rpartition("/product/")[0] + "/product/by-api/"

    lines = portal.post(
        "/api/v1/targets", {"source": "shop", "table": f"{mine}\nnot an address\n{mine}"}
    ).json()
    found = portal.get("/api/v1/targets?search=by-api").json()["items"]
    ids = [found[0]["id"]]
    paused = portal.post("/api/v1/targets/change", {"ids": ids, "action": "pause", "reason": "season"})
    visited = portal.post("/api/v1/targets/visit", {"ids": ids, "reason": "is it there?"})
    history = portal.get(f"/targets/{ids[0]}").text

    assert [line["result"] for line in lines["lines"]] == ["created", "error", "duplicate"]
    assert paused.json() == {"ok": True, "count": 1}
    assert visited.status == 202 and visited.json()["planned"] == 1
    assert "pending" in history and "season" in history


def test_a_source_is_switched_off_and_on_for_everybody(portal: Any) -> None:
    off = portal.send("/sources/salon/disable", reason="terms")
    gate = portal.get("/api/v1/sources/salon").json()
    again = portal.post("/api/v1/sources/salon/disable", {"reason": "terms"})
    on = portal.post("/api/v1/sources/salon/enable", {"reason": "cleared"})
    after = portal.get("/api/v1/sources/salon").json()

    assert off.status == 303 and on.status == 200 and again.status == 404
    assert gate["gate"]["is_open"] is False
    assert "switched off" in gate["gate"]["reason"] and "switched off" not in after["gate"]["reason"]


def test_the_emergency_stop_needs_its_words_and_holds_every_source(portal: Any) -> None:
    wrong = portal.send("/stop", scope="prices", confirm="stop", reason="x")
    pulled = portal.send("/stop", scope="prices", confirm="STOP prices", reason="they asked")
    shown = portal.get("/stop").text
    refused = portal.post("/api/v1/runs", {"app": "prices", "source": "shop"})
    released = portal.post("/api/v1/stop/release", {"scope": "prices", "reason": "cleared"})
    twice = portal.post("/api/v1/stop/release", {"scope": "prices", "reason": "cleared"})

    assert wrong.status == 400 and pulled.status == 303
    assert "they asked" in shown
    assert refused.status == 409 and "stopped" in refused.json()["detail"]
    assert released.status == 200 and twice.status == 404
    assert [deeds(portal, name)[0].reason for name in ("emergency_stop", "release_stop")] == [
        "they asked",
        "cleared",
    ]


def test_settings_are_shown_without_their_secrets(portal: Any) -> None:
    page, listed = portal.get("/settings").text, portal.get("/api/v1/settings").json()

    assert "LIMPET_DATA_DIR" in page
    assert {each["name"] for each in listed} >= {"LIMPET_ALERT_URLS", "LIMPET_PORT"}


@pytest.mark.parametrize(
    "path", ["/audit", "/audit?search=%25&actor=nobody", "/errors", "/targets/1", "/stop"]
)
def test_pages_answer(portal: Any, path: str) -> None:
    assert portal.get(path).status == 200


def test_a_run_called_off_while_it_is_walked_ends_by_itself(portal: Any) -> None:
    run = plan(portal)
    portal.post(f"/api/v1/runs/{run.id}/cancel", {"reason": "enough"})

    async def walk(house: Any) -> Any:
        return await house.desk.walk(run, house.apps["prices"], Silence())

    ended = portal.do(walk)

    assert ended.state is not RunState.RUNNING
    assert re.fullmatch(r"\d+", str(ended.id)) and ended.counts["skipped"] == ended.planned
