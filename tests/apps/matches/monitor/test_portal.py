"""What programs see: lists, freshness headers, balls, a stream that loses nothing, health, metrics."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from limpet.apps.matches.care_log import recoveries
from limpet.apps.matches.snapshot import apply_delta
from limpet.record.access.accounts import add_account
from limpet.record.access.roles import Role, Scope
from limpet.record.access.tokens import create_token
from limpet.web.portal import portal_for
from limpet.web.server import serve_portal

Build = Callable[..., Any]
SEED_METRICS = (
    "scraper_pids_current",
    "scraper_contexts_active",
    "scraper_pages_open",
    "scraper_browser_uptime_seconds",
    "scraper_queue_depth",
    "scraper_freshness_seconds_bucket",
    "scraper_freshness_seconds_sum",
    "scraper_freshness_seconds_count",
    "scraper_scrape_duration_seconds_bucket",
    "scraper_scrapes_total",
    "scraper_navigation_failures_total",
    "scraper_recycles_total",
    "scraper_data_staleness_seconds",
    "scraper_data_staleness_seconds_sum",
    "scraper_data_staleness_seconds_count",
    "scraper_errors_total",
    "scraper_updates_total",
    "scraper_retry_attempts_total",
    "scraper_update_latency_seconds",
    "scraper_memory_bytes",
    "active_scrapers_count",
    "data_staleness_seconds",
    "scraper_active_tasks",
    "scraper_health_score",
    "scraper_ball_updates_total",
    "scraper_ball_gaps_total",
    "scraper_adaptive_polling_interval_seconds",
)


class Client:
    """Asks the portal."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self.session = session
        self.base = base

    async def get(self, path: str, **headers: str) -> Any:
        async with self.session.get(self.base + path, headers=headers) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    async def events(self, path: str, count: int, **headers: str) -> list[tuple[int, dict[str, Any]]]:
        """Return the first events of a stream, and leave."""
        found: list[tuple[int, dict[str, Any]]] = []
        async with self.session.get(self.base + path, headers=headers) as answer:
            number = 0
            while len(found) < count:
                line = (await answer.content.readline()).decode().rstrip("\n")
                name, _, value = line.partition(": ")
                if name == "id":
                    number = int(value)
                elif name == "data":
                    found.append((number, json.loads(value)))
        return found


async def token_of_an_operator(house: Any) -> str:
    now = house.clock.now()

    def make(connection: Any) -> str:
        add_account(connection, "scorer", role=Role.OPERATOR, password_hash=None, by="test", now=now)
        terms = {"account": "scorer", "scope": Scope.OPERATE, "days": None}
        return create_token(connection, "tests", **terms, by="test", now=now)[1]

    return await house.ledger.write(make)


@asynccontextmanager
async def opened(house: Any) -> AsyncIterator[Client]:
    door, stop = socket.create_server(("127.0.0.1", 0)), asyncio.Event()
    base = f"http://127.0.0.1:{door.getsockname()[1]}"
    serving = asyncio.create_task(serve_portal(portal_for(house), door, stop))
    try:
        key = {"Authorization": f"Bearer {await token_of_an_operator(house)}"}
        async with aiohttp.ClientSession(headers=key) as session:
            yield Client(session, base)
    finally:
        stop.set()
        await serving


async def test_a_match_is_shown_with_its_freshness_balls_and_sources(build_arena: Build) -> None:
    async with build_arena(matches=2, tick_seconds=0.05) as arena, arena.watching() as house:
        await arena.until(lambda: len(house.monitor.room.boards) == 2)
        board = house.monitor.room.boards["crex:RF0"]
        await arena.until(lambda: len(board.balls) > 3)
        async with opened(house) as client:
            listed = await client.get("/matches")
            one = await client.get("/matches/crex:RF0")
            balls = await client.get("/matches/RF0/balls?innings=1")
            async with client.session.get(client.base + "/cricket-data/match-info/crex:RF0") as answer:
                info, headers = await answer.json(), answer.headers
            async with client.session.get(client.base + "/matches/nobody") as answer:
                missing = answer.status, (await answer.json())["code"]
            async with client.session.get(
                client.base + "/matches", headers={"accept": "text/html"}
            ) as answer:
                page = await answer.text()
            async with client.session.get(
                client.base + "/matches/crex:RF0", headers={"accept": "text/html"}
            ) as answer:
                match_page = answer.status, await answer.text()

    assert [item["match_id"] for item in listed["items"]] == ["crex:RF0", "crex:RG1"]
    assert listed["items"][0]["data_age_seconds"] < 5
    assert {row["domain_id"] for row in one["monitors"]} == {"crex", "pavilion"}
    assert one["snapshot"]["provenance"]["score"]["source"] == "crex"
    assert [(row["over"], row["delivery"]) for row in balls["items"]][:3] == [(0, 1), (0, 2), (0, 3)]
    assert headers["X-Data-Freshness"].endswith("Z") and int(headers["X-Data-Age-Seconds"]) < 5
    assert info["_metadata"]["source"] == "scraper" and info["_metadata"]["scraper_id"]
    assert info["status"] == "live" and set(info["score"]) <= {"team_a", "team_b"}
    assert missing == (404, "portal.not_there")
    assert "<h1>Matches</h1>" in page
    assert match_page[0] == 200 and "Latest balls" in match_page[1]


async def test_a_stream_goes_on_where_the_listener_left(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.03) as arena, arena.watching() as house:
        await arena.until(lambda: arena.boards(house) and arena.boards(house)[0].sequence > 1)
        (board,) = arena.boards(house)
        async with opened(house) as client:
            first = await client.events(f"/matches/{board.match_id}/stream", 3)
            await arena.until(lambda: board.sequence > first[-1][0] + 3)
            rest = await client.events(
                f"/matches/{board.match_id}/stream", 4, **{"Last-Event-ID": str(first[-1][0])}
            )
            numbers = [number for number, _ in [*first, *rest]]
            held: dict[str, Any] = {}
            for _, change in [*first, *rest]:
                held = apply_delta(held, change)
            truth = (await client.get(f"/matches/{board.match_id}"))["snapshot"]

    assert numbers == list(range(numbers[0], numbers[0] + 7))
    assert first[0][1]["_diff_type"] == "initial" and rest[0][1]["_sequence_delta"] == 1
    assert truth["sequence_number"] >= numbers[-1] and held.keys() == truth["normalized_payload"].keys()


async def test_health_status_and_metrics_speak_the_words_of_the_seeds(build_arena: Build) -> None:
    async with build_arena(matches=2, tick_seconds=0.05) as arena, arena.watching() as house:
        await arena.until(lambda: house.monitor.room.tally.scrapes["pavilion", "success"] > 2)
        await house.monitor.caretaker.look()
        async with opened(house) as client:
            health = await client.get("/health")
            status = await client.get("/status")
            async with client.session.get(client.base + "/metrics") as answer:
                metrics = await answer.text()

    names = {line.partition("{")[0].partition(" ")[0] for line in metrics.splitlines()}
    assert [name for name in SEED_METRICS if name not in names] == []
    assert health["status"] == "healthy" and health["active_scraper_count"] == 4
    assert {"scraper_id", "memory_mb", "polling_interval", "health_status"} <= health["scrapers"][0].keys()
    assert health["resources"]["total_memory_mb"] > 1
    assert health["errors"]["circuit_breakers"][0]["state"] in ("closed", "CLOSED")
    assert health["performance"]["updates_per_minute"] > 0
    assert status["grade"] == "healthy" and status["freshness_stats"]["count"] >= 1
    assert status["config_snapshot"]["CONCURRENCY_CAP"] == 40


async def test_a_recycle_is_ordered_by_programs_and_never_by_a_page(build_arena: Build) -> None:
    async with build_arena(matches=1) as arena, arena.watching() as house:
        await arena.until(lambda: house.monitor.room.succeeded_at)
        async with opened(house) as client:
            async with client.session.post(client.base + "/admin/recycle") as answer:
                allowed = answer.status
            evil = {"Origin": "https://evil.test"}
            async with client.session.post(client.base + "/admin/recycle", headers=evil) as answer:
                refused = answer.status
            written = await arena.until_written(house, recoveries, lambda rows: rows and rows[0]["outcome"])

    assert (allowed, refused) == (202, 403)
    assert [(row["action_type"], row["outcome"]) for row in written] == [("manual_trigger", "success")]


@pytest.mark.parametrize("path", ["/matches", "/status", "/health"])
async def test_a_house_without_matches_is_healthy_and_idle(build_arena: Build, path: str) -> None:
    async with build_arena(matches=1) as arena, arena.open() as house, opened(house) as client:
        said = await client.get(path)

    assert said.get("items", []) == []
    assert said.get("grade", "healthy") == "healthy"
