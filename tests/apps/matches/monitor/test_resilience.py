"""What goes wrong and passes by itself: browsers that die, visits that hang, sources that say no, a lost Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import psutil
import pytest
import redis
from sqlalchemy import select

from limpet.apps.matches.care_log import recoveries
from limpet.apps.matches.care_tables import scraper_health_log
from limpet.apps.matches.grading import HealthGrade
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.views import balls_of
from limpet.record.log_tables import scraper_errors

Build = Callable[..., Any]
SHELVED = {
    "match_latest:crex:RF0",
    "match_history:crex:RF0",
    "match_monitor:crex:RF0",
    "match_monitor:pavilion:90000",
    "freshness_index",
    "health_summary",
}


def chromium_of(house: Any) -> psutil.Process:
    current = house.monitor.room.pool._browsers.current
    assert current is not None
    return psutil.Process(current.chromium.tree.root_pid)


@pytest.mark.browser
async def test_a_killed_browser_comes_back_with_an_audit_entry_and_no_orphan(
    build_arena: Build, chromium: str
) -> None:
    async with build_arena(matches=1, tick_seconds=0.1) as arena:
        arena.write_config("crex_browser")
        async with arena.watching(chromium=chromium) as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex_browser", "success"] >= 2)
            victim = chromium_of(house)
            family = [victim, *victim.children(recursive=True)]
            victim.kill()
            seen = room.tally.scrapes["crex_browser", "success"]
            await arena.until(lambda: room.tally.scrapes["crex_browser", "success"] > seen + 1)
            written = await arena.until_written(house, recoveries, lambda rows: rows and rows[0]["outcome"])
            (board,) = arena.boards(house)
            state, count = board.state, len(family)

        alive = [process for process in family if process.is_running() and process.status() != "zombie"]
        assert (written[0]["action_type"], written[0]["trigger_condition"]) == ("browser_recycle", "crash")
        assert written[0]["outcome"] == "success"
        assert written[0]["metadata"]["seconds_until_success"] <= 30
        assert state is MatchState.ACTIVE and count > 1
        assert alive == []


async def test_a_visit_that_never_ends_is_called_back_by_the_watchdog(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        async with arena.watching() as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 1)
            arena.pool.set_fault("crexapi", "never_answers", path=arena.match_data, times=1)
            await arena.until_asked("never_answers")
            room.terms = replace(room.terms, stall_seconds=0.0)
            await house.monitor.recoverer.call_back_hung()
            await arena.until(lambda: room.tally.errors["crex", "network"])
            seen = room.tally.scrapes["crex", "success"]
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > seen)
            errors = await house.ledger.read(lambda c: c.execute(select(scraper_errors)).all())

            assert any("called back" in (row.error_message or "") for row in errors)
            assert all(row.match_id == "crex:RF0" and row.operation == "fetch_match" for row in errors)


async def test_a_visit_that_begins_as_a_long_one_ends_is_watched_over_too(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        arena.pool.set_fault(
            "crexapi", "latency", path=arena.match_data, seconds=0.5
        )  # the next is due by then
        async with arena.watching() as house:
            await arena.until_asked("latency")
            arena.pool.set_fault("crexapi", "never_answers", path=arena.match_data)
            hung = await arena.until_asked("never_answers")

            assert house.monitor.recoverer.under_way.keys() == {hung}


@pytest.mark.browser
async def test_a_page_that_hangs_is_thrown_away_with_an_audit_entry(
    build_arena: Build, chromium: str
) -> None:
    async with build_arena(matches=1, tick_seconds=0.1) as arena:
        arena.write_config("crex_browser")
        async with arena.watching(chromium=chromium) as house:
            room, watchdog = house.monitor.room, house.monitor.recoverer
            await arena.until(lambda: room.tally.scrapes["crex_browser", "success"] >= 1)
            arena.pool.set_fault("crexapi", "never_answers", path=arena.match_data)
            await arena.until_asked("never_answers")
            usual, room.terms = room.terms, replace(room.terms, stall_seconds=0.0)
            await watchdog.call_back_hung()
            room.terms = usual  # the caretaker's own round must not call the next one back
            arena.pool.clear_faults()
            seen = room.tally.scrapes["crex_browser", "success"]
            await arena.until(lambda: room.tally.scrapes["crex_browser", "success"] > seen)
            (written,) = await house.ledger.read(recoveries)

            assert (written["action_type"], written["trigger_condition"]) == (
                "context_pool_reset",
                "hung for 0 s",
            )


async def test_an_innings_that_ends_while_every_source_is_silent_is_known_to_its_last_ball(
    build_arena: Build,
) -> None:
    quick = {"circuit_breaker_timeout_seconds": 1, "retry_base_delay_seconds": 0.0}
    async with build_arena(matches=1, tick_seconds=0.0) as arena:
        while len(arena.truth("RF0", until=arena.pool.tick)) < 20:
            arena.pool.advance(5)
        async with arena.watching(**quick) as house:
            await arena.until(lambda: house.monitor.room.tally.scrapes["pavilion", "success"] > 1)
            began = min(await arena.known(house, "crex:RF0"))
            for site in ("crex", "crexapi", "pavilion"):
                arena.pool.set_fault(site, "server_error_500")
            while max(arena.truth("RF0", until=arena.pool.tick))[0] < 2:
                arena.pool.advance(5)
            arena.pool.advance(200)  # so far into the second that no list of recent overs reaches back
            arena.pool.clear_faults()
            wanted = {key for key in arena.truth("RF0", until=arena.pool.tick - 31) if key >= began}
            known = await arena.until_written(
                house,
                lambda c: {(row["innings"], row["over"], row["delivery"]) for row in balls_of(c, "crex:RF0")},
                lambda found: found >= wanted,
            )

    assert {innings for innings, _, _ in wanted} == {1, 2}
    assert wanted <= known


async def test_errors_a_breaker_rested_from_are_resolved_by_it(build_arena: Build) -> None:
    quick = {"circuit_breaker_timeout_seconds": 1, "retry_base_delay_seconds": 0.0}
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        async with arena.watching(**quick) as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 1)
            arena.pool.set_fault("crexapi", "server_error_500")
            await arena.until(lambda: room.tally.scrapes["crex", "held"])
            arena.pool.clear_faults()
            rows = await arena.until_written(
                house,
                lambda c: c.execute(select(scraper_errors)).all(),
                lambda found: found and all(row.resolved for row in found),
            )

            assert "circuit_breaker" in {row.resolution_method for row in rows}


async def test_being_asked_to_slow_down_is_obeyed_and_pauses_nothing(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        async with arena.watching() as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 2)
            arena.pool.set_fault(
                "crexapi", "rate_limited_seconds", path=arena.match_data, times=1, retry_after=1
            )
            await arena.until(lambda: room.tally.scrapes["crex", "held"] >= 1)
            seen = room.tally.scrapes["crex", "success"]
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > seen + 4)
            states = {board.state for board in arena.boards(house)}
            refused = [visit for visit in arena.pool.log if visit.status == 429]
            (written,) = await arena.until_written(house, recoveries, lambda rows: rows)
            again = [
                visit.arrived_monotonic
                for visit in arena.pool.log
                if visit.host.startswith("crexapi")
                and visit.arrived_monotonic > refused[0].finished_monotonic
            ]

            assert states == {MatchState.ACTIVE}
            assert room.tally.scrapes["crex", "failure"] == 0
            assert again[0] - refused[0].finished_monotonic >= 0.95
            assert (written["action_type"], written["outcome"]) == ("source_returned", "success")
            assert written["trigger_condition"] == "crex: fetch.rate_limited"


async def test_errors_are_resolved_by_the_next_success(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        async with arena.watching() as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 1)
            arena.pool.set_fault("crexapi", "empty_body", path=arena.match_data, times=2)
            rows = await arena.until_written(
                house,
                lambda c: c.execute(select(scraper_errors)).all(),
                lambda found: len(found) >= 2 and all(row.resolved for row in found),
            )

            assert {row.error_type for row in rows} == {"parsing"}
            assert {row.resolution_method for row in rows} == {"auto_retry"}
            assert all(row.resolution_time >= row.timestamp for row in rows)


async def test_a_failing_monitor_recovers_once_per_rest_and_says_how_it_went(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena:
        arena.write_config("crex")
        async with arena.watching() as house:
            room, caretaker = house.monitor.room, house.monitor.caretaker
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 1)
            arena.pool.set_fault("crexapi", "never_answers", path=arena.match_data)
            await arena.until_asked("never_answers")
            watch = next(iter(room.watches.values()))
            watch.fetched_at = room.succeeded_at = house.clock.monotonic() - 130
            grades = []
            for _ in range(4):
                await caretaker.look()
                grades.append(room.grading.grade)
            during = await house.ledger.read(recoveries)
            arena.pool.clear_faults()
            await arena.until(lambda: room.grading.grade is HealthGrade.HEALTHY)
            after = await arena.until_written(house, recoveries, lambda rows: rows[0]["outcome"])

            assert grades[:2] == [
                HealthGrade.DEGRADED,
                HealthGrade.RECOVERING,
            ]  # failing, and acted upon at once
            assert [row["action_type"] for row in during] == ["soft_restart"]
            assert during[0]["trigger_condition"].startswith(("stall:", "freshness_max:"))
            assert after[0]["outcome"] == "success"


async def test_how_every_session_is_doing_is_logged(build_arena: Build) -> None:
    async with build_arena(matches=2) as arena, arena.watching() as house:
        await arena.until_active(house, 4)
        house.monitor.caretaker._logged_at = None
        await house.monitor.caretaker.look()
        rows = await house.ledger.read(lambda c: c.execute(select(scraper_health_log)).all())

        newest = rows[-4:]
        assert {row.match_id for row in newest} == {
            "crex:RF0",
            "crex:RG1",
            "pavilion:90000",
            "pavilion:90001",
        }
        assert all(row.health_status == "healthy" and float(row.memory_mb) > 0 for row in newest)


@pytest.mark.redis
async def test_a_redis_that_restarts_loses_no_ball_and_is_filled_again(
    build_arena: Build, own_redis: Any
) -> None:
    async with (
        build_arena(matches=2, tick_seconds=0.05) as arena,
        arena.watching(redis_url=own_redis.url) as house,
    ):
        room = house.monitor.room
        before: set[str] = set()
        await arena.until(lambda: before.update(keys_of(own_redis.url)) or before >= SHELVED)
        await asyncio.to_thread(own_redis.crash_and_return)
        seen = room.tally.scrapes["crex", "success"]
        await arena.until(lambda: room.tally.scrapes["crex", "success"] > seen + 8)
        await arena.until(lambda: "match_latest:crex:RG1" in keys_of(own_redis.url))
        await arena.until(lambda: before - {"health_summary"} <= keys_of(own_redis.url))
        (written,) = await arena.until_written(house, recoveries, lambda rows: rows)
        await arena.until(lambda: len(room.boards["crex:RF0"].balls) > 4)
        await arena.until_known(house, "crex:RF0", by=arena.pool.tick)

        assert (written["action_type"], written["outcome"]) == ("store_returned", "success")
        await arena.prove(house)


def keys_of(url: str) -> set[str]:
    with redis.Redis.from_url(url, decode_responses=True) as client:
        return set(client.keys("*"))
