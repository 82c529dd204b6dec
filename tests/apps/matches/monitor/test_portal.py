"""What programs see: lists, freshness headers, balls, a stream that loses nothing, health, metrics."""

from __future__ import annotations

import asyncio
import json
import math
import secrets
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from playwright.async_api import async_playwright
from prometheus_client.parser import text_string_to_metric_families

from limpet.apps.matches.care_log import recoveries
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.snapshot import apply_delta
from limpet.apps.matches.views import snapshots_after
from limpet.record.access.accounts import add_account
from limpet.record.access.roles import Role, Scope
from limpet.record.access.tokens import create_token
from limpet.web.portal import metrics_door_for, portal_for
from limpet.web.server import serve_portal

Build = Callable[..., Any]
PATIENCE = 60.0
# Written from the seeds' own text: the name, what kind it is, and its labels (`instance` is what Prometheus adds).
SEED_METRICS = {
    # seed 002
    "errors_total": ("counter", set()),
    "updates_total": ("counter", set()),
    "active_scrapers": ("gauge", set()),
    "memory_bytes": ("gauge", set()),
    "update_latency_bucket": ("histogram", {"le"}),
    # the service seed 002 was written for
    "scraper_errors_total": ("counter", {"domain", "error_type"}),
    "scraper_updates_total": ("counter", {"domain"}),
    "scraper_retry_attempts_total": ("counter", {"domain"}),
    "scraper_update_latency_seconds": ("summary", {"quantile"}),
    "scraper_memory_bytes": ("gauge", set()),
    "active_scrapers_count": ("gauge", set()),
    "data_staleness_seconds": ("gauge", {"match_id"}),
    # seed 004
    "scraper_pids_current": ("gauge", set()),
    "scraper_contexts_active": ("gauge", set()),
    "scraper_pages_open": ("gauge", set()),
    "scraper_browser_uptime_seconds": ("gauge", set()),
    "scraper_queue_depth": ("gauge", {"priority"}),
    "scraper_freshness_seconds_bucket": ("histogram", {"le"}),
    "scraper_freshness_seconds_sum": ("histogram", set()),
    "scraper_freshness_seconds_count": ("histogram", set()),
    "scraper_scrape_duration_seconds_bucket": ("histogram", {"domain", "le"}),
    "scraper_scrapes_total": ("counter", {"domain", "status"}),
    "scraper_navigation_failures_total": ("counter", {"domain"}),
    "scraper_recycles_total": ("counter", {"reason"}),
    "scraper_data_staleness_seconds": ("summary", {"quantile"}),
    "scraper_data_staleness_seconds_sum": ("summary", set()),
    "scraper_data_staleness_seconds_count": ("summary", set()),
    # the service seed 004 was written for
    "scraper_active_tasks": ("gauge", set()),
    "scraper_health_score": ("gauge", set()),
    "scraper_domain_failures_total": ("counter", {"domain"}),
    "scraper_browser_restarts_total": ("counter", {"reason"}),
    "scraper_ball_updates_total": ("counter", {"found"}),
    "scraper_ball_gaps_total": ("counter", set()),
    "scraper_adaptive_polling_interval_seconds": ("gauge", {"match_id"}),
}
SEED_WORDS = {
    ("scraper_queue_depth", "priority"): {"live", "imminent", "completed"},
    ("scraper_data_staleness_seconds", "quantile"): {"0.5", "0.95", "0.99"},
    ("scraper_recycles_total", "reason"): {"uptime", "task_count", "manual"},
    ("scraper_scrapes_total", "status"): {"success", "failure"},
    ("scraper_freshness_seconds_bucket", "le"): {"10", "30", "60", "+Inf"},
    ("scraper_scrape_duration_seconds_bucket", "le"): {"1", "3", "+Inf"},
}
MOST_SERIES_OF_A_NAME = 100


class Client:
    """Asks the portal."""

    def __init__(self, session: aiohttp.ClientSession, base: str, key: dict[str, str]) -> None:
        self.session = session
        self.key = key
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
        name = f"scorer-{secrets.token_hex(4)}"  # a ledger may be opened more than once
        add_account(connection, name, role=Role.OPERATOR, password_hash=None, by="test", now=now)
        terms = {"account": name, "scope": Scope.OPERATE, "days": None}
        return create_token(connection, "tests", **terms, by="test", now=now)[1]

    return await house.ledger.write(make)


@asynccontextmanager
async def opened(house: Any, portal: Any = None) -> AsyncIterator[Client]:
    door, stop = socket.create_server(("127.0.0.1", 0)), asyncio.Event()
    base = f"http://127.0.0.1:{door.getsockname()[1]}"
    serving = asyncio.create_task(serve_portal(portal or portal_for(house), door, stop))
    try:
        key = {"Authorization": f"Bearer {await token_of_an_operator(house)}"}
        async with aiohttp.ClientSession(headers=key) as session:
            yield Client(session, base, key)
    finally:
        stop.set()
        await serving


async def test_a_match_is_shown_with_its_freshness_balls_and_sources(build_arena: Build) -> None:
    async with build_arena(matches=2, tick_seconds=0.05) as arena, arena.watching() as house:
        await arena.until_active(house, 4)
        board = house.monitor.room.boards["crex:RF0"]
        await arena.until(lambda: len(board.balls) > 3)
        answered_at = house.clock.monotonic() - board.age_seconds(house.clock.monotonic())
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
        longest = math.ceil(house.clock.monotonic() - answered_at)

    assert [item["match_id"] for item in listed["items"]] == ["crex:RF0", "crex:RG1"]
    assert listed["items"][0]["data_age_seconds"] <= longest
    assert {row["domain_id"] for row in one["monitors"]} == {"crex", "pavilion"}
    assert one["snapshot"]["provenance"]["score"]["source"] == "crex"
    assert [(row["over"], row["delivery"]) for row in balls["items"]][:3] == [(0, 1), (0, 2), (0, 3)]
    assert headers["X-Data-Freshness"].endswith("Z") and int(headers["X-Data-Age-Seconds"]) <= longest
    assert info["_metadata"]["source"] == "scraper" and info["_metadata"]["scraper_id"]
    assert info["status"] == "live" and set(info["score"]) <= {"team_a", "team_b"}
    assert missing == (404, "portal.not_there")
    assert "<h1>Matches " in page
    assert match_page[0] == 200 and 'class="ball' in match_page[1]


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
        taken = await house.ledger.read(lambda c: snapshots_after(c, board.match_id, after=numbers[-1] - 1))

    assert numbers == list(range(numbers[0], numbers[0] + 7))
    assert first[0][1]["_diff_type"] == "initial" and rest[0][1]["_sequence_delta"] == 1
    assert held == taken[0].normalized_payload


async def test_a_stream_goes_on_after_a_restart_and_old_data_is_called_old(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        async with arena.watching() as house:
            await arena.until(lambda: arena.boards(house) and arena.boards(house)[0].sequence > 2)
            async with opened(house) as client:
                first = await client.events("/matches/crex:RF0/stream?after=0", 3)
        arena.pool.set_fault("crexapi", "server_error_500", host="crexapi.tidepool.localhost")
        stopped = house.clock.now()

        async with arena.watching() as house:
            await arena.until(lambda: house.monitor.room.tally.errors["crex", "network"])
            async with opened(house) as client:
                silent = (house.clock.now() - stopped).total_seconds()
                info = await client.get("/cricket-data/match-info/crex:RF0")
                arena.pool.clear_faults()
                asked = {"Last-Event-ID": str(first[-1][0])}
                board = house.monitor.room.boards["crex:RF0"]
                await arena.until(lambda: board.sequence > first[-1][0] + 2)
                rest = await client.events("/matches/crex:RF0/stream", 3, **asked)

    assert [number for number, _ in [*first, *rest]] == [1, 2, 3, 4, 5, 6]
    assert {change["_diff_type"] for _, change in rest} == {"update"}
    assert info["_metadata"]["data_age_seconds"] >= int(silent)
    assert rest and info["matchId"] == "crex:RF0"


async def test_health_and_status_speak_the_words_of_the_seeds(build_arena: Build) -> None:
    async with build_arena(matches=2, tick_seconds=0.05) as arena, arena.watching() as house:
        await arena.until_active(house, 4)
        await house.monitor.caretaker.look()
        async with opened(house) as client:
            health = await client.get("/health")
            status = await client.get("/status")

    assert health["status"] == "healthy" and health["active_scraper_count"] == 4
    assert {"scraper_id", "memory_mb", "polling_interval", "health_status"} <= health["scrapers"][0].keys()
    assert health["resources"]["total_memory_mb"] > 1
    assert health["errors"]["circuit_breakers"][0]["state"] in ("closed", "CLOSED")
    assert health["performance"]["updates_per_minute"] > 0
    assert status["grade"] == "healthy" and status["freshness_stats"]["count"] >= 1
    assert status["config_snapshot"]["CONCURRENCY_CAP"] == 40
    crex, *_ = status["config_snapshot"]["sources"]
    assert crex["domain_id"] == "crex" and crex["last_discovery_time"] <= status["generated_at"]


async def test_every_metric_of_the_seeds_is_told_by_its_name_kind_and_labels(build_arena: Build) -> None:
    async with build_arena(matches=2, tick_seconds=0.05) as arena, arena.watching() as house:
        await arena.until_active(house, 4)
        await arena.until(lambda: any(board.balls for board in arena.boards(house)))
        await house.monitor.caretaker.look()
        async with opened(house) as client, client.session.get(client.base + "/metrics") as answer:
            families = list(text_string_to_metric_families(await answer.text()))

    told = {sample.name: (family, sample) for family in families for sample in family.samples}
    words: dict[tuple[str, str], set[str]] = {}
    counts = Counter(sample.name for family in families for sample in family.samples)
    for family in families:
        for sample in family.samples:
            for label, word in sample.labels.items():
                words.setdefault((sample.name, label), set()).add(word)
    assert [name for name in SEED_METRICS if name not in told] == []
    shapes = {name: (told[name][0].type, set(told[name][1].labels)) for name in SEED_METRICS}
    assert shapes == SEED_METRICS
    assert all(told[name][0].documentation for name in SEED_METRICS)
    assert [key for key, known in SEED_WORDS.items() if known - words[key]] == []
    assert max(counts.values()) <= MOST_SERIES_OF_A_NAME


async def test_metrics_and_health_can_be_switched_off_and_have_a_door_of_their_own(
    build_arena: Build,
) -> None:
    async def statuses(client: Client) -> dict[str, int]:
        paths = ("/metrics", "/health", "/ready", "/matches")
        found = {}
        for path in paths:
            async with client.session.get(client.base + path) as answer:
                found[path] = answer.status
        return found

    async with build_arena(matches=1) as arena:
        off = {"enable_prometheus_metrics": False, "health_check_enabled": False}
        async with arena.open(**off) as house, opened(house) as client:
            hidden = await statuses(client)
        async with arena.open() as house, opened(house, metrics_door_for(house)) as client:
            alone = await statuses(client)

    assert hidden == {"/metrics": 404, "/health": 404, "/ready": 200, "/matches": 200}
    assert alone == {"/metrics": 200, "/health": 200, "/ready": 200, "/matches": 404}


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


@pytest.mark.browser
async def test_a_ball_appears_on_an_open_page_without_a_reload(build_arena: Build, chromium: str) -> None:
    async with build_arena(matches=1, tick_seconds=0.1) as arena, arena.watching() as house:
        await arena.until(lambda: arena.boards(house) and len(arena.boards(house)[0].balls) > 1)
        async with opened(house) as client, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            phone = {"width": 390, "height": 800}
            context = await browser.new_context(viewport=phone, extra_http_headers=client.key)
            page = await context.new_page()
            await page.goto(f"{client.base}/matches/crex:RF0")
            before = await page.locator(".ball").count()
            await page.evaluate("window.is_the_same_page = true")
            async with asyncio.timeout(PATIENCE):
                while await page.locator(".ball").count() <= before:
                    await asyncio.sleep(0.1)
            is_the_same = await page.evaluate("window.is_the_same_page")
            width = await page.evaluate("document.documentElement.scrollWidth")
            await page.goto(f"{client.base}/matches")
            age = await page.locator("td[data-label=Age]").inner_text()
            score = await page.locator("td[data-label=Score]").inner_text()
            async with asyncio.timeout(PATIENCE):
                while await page.locator("td[data-label=Score]").inner_text() == score:
                    await asyncio.sleep(0.1)
            await browser.close()

    assert before > 0 and is_the_same is True
    assert width <= 390
    assert age.endswith(" s")


async def test_a_match_is_paused_and_watched_again_from_its_page(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.1) as arena, arena.watching() as house:
        await arena.until_active(house, 2)
        (board,) = arena.boards(house)

        async def order(deed: str, **form: str) -> int:
            where = f"{client.base}/matches/{deed}"
            async with client.session.post(where, data=form, allow_redirects=False) as answer:
                return answer.status

        async with opened(house) as client:
            paused = await order("crex:RF0/pause", reason="rain")
            await arena.until(lambda: board.state is MatchState.PAUSED)
            resumed = await order("pavilion:90000/resume", reason="dry")
            await arena.until(lambda: board.state is MatchState.ACTIVE)
            recycled = await order("recycle", reason="to see it")
            written = await arena.until_written(house, recoveries, lambda rows: rows)
            silent = await order("crex:RF0/pause")
            strange = [await order("crex:RF0/burn", reason="x"), await order("nobody/pause", reason="x")]

    assert (paused, resumed, recycled) == (303, 303, 303)
    assert written[0]["action_type"] == "manual_trigger"
    assert silent == 400 and strange == [422, 404]
