"""Defects of the service this monitor replaces, tried on the whole monitor: none of them may come back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.record import DiscoveredMatch, MatchStatus

Build = Callable[..., Any]
DATA_HOST = "crexapi.tidepool.localhost"
PATIENT = {"page_timeout_seconds": 600.0, "total_timeout_seconds": 600.0}


async def test_freshness_is_the_age_of_the_last_answer_and_never_simply_zero(build_arena: Build) -> None:
    """Defect: freshness was recorded as 0, always, so that nobody noticed 9,462 seconds without news."""
    async with build_arena(matches=1, tick_seconds=0.1) as arena:
        arena.write_config("crex")
        async with arena.watching() as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 1)
            board = arena.boards(house)[0]

            arena.pool.set_fault("crexapi", "never_answers", host=DATA_HOST)
            await arena.until(lambda: board.age_seconds(room.clock.monotonic()) > 1.5)

            assert room.read_health().freshness.max > 1.5


async def test_the_end_of_a_match_is_noticed_and_it_is_seldom_asked_from_then_on(build_arena: Build) -> None:
    """Defect: no status was ever set, so that finished matches were asked for ever."""
    async with build_arena(matches=12, tick_seconds=0) as arena:  # its end comes when we say so
        arena.write_config("crex")
        short = next(match for match in arena.pool.world.matches() if match["kind"] == "short")
        key = short["key"]
        arena.pool.advance(short["end_tick"] - 3)
        async with arena.watching() as house:
            await arena.until(lambda: house.monitor.room.board(key))
            board = house.monitor.room.board(key)
            arena.pool.advance(3)
            result = arena.pool.world.match(key)["result"]
            await arena.until(lambda: board.state is MatchState.COMPLETED and told_result(board) == result)
            asked = len(questions(arena, key))
            others = len(arena.pool.log)
            await arena.until(lambda: arena.pool.advance() and len(arena.pool.log) > others + 60)

            assert len(questions(arena, key)) <= asked + 2, "a last look, and then every five minutes"
            assert told_result(board) == result


async def test_a_match_the_source_does_not_know_is_left_alone_for_a_while(build_arena: Build) -> None:
    """Defect: the negative cache was never used, and a match that is not there was asked for with every beat."""
    async with build_arena(matches=2, tick_seconds=0.1) as arena:
        arena.write_config("crex")
        async with arena.watching(discovery_interval_seconds=60.0) as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 1)
            ghost = DiscoveredMatch("crex", "ZZZ", "http://crex.tidepool.localhost/x/live", MatchStatus.LIVE)

            await house.monitor.discovery.learn(room.active["crex"], [*known(room), ghost])
            await arena.until(lambda: questions(arena, "ZZZ"))
            before = room.tally.scrapes["crex", "success"]
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > before + 20)

            assert len(questions(arena, "ZZZ")) == 1


async def test_no_match_is_asked_twice_at_once_and_no_live_one_is_dropped(build_arena: Build) -> None:
    """Defect: duplicates burnt the tokens of the rate limiter, and live matches were dropped for it."""
    async with build_arena(matches=8, tick_seconds=0.1) as arena:
        arena.write_config("crex")
        arena.pool.set_fault("crexapi", "latency", host=DATA_HOST, seconds=0.2)
        async with arena.watching(polling_interval_seconds=0.2) as house:
            room = house.monitor.room
            await arena.until(lambda: room.tally.scrapes["crex", "success"] > 80)
            keys = {watch.match.match_key for watch in room.watches.values() if watch.is_playing}

    visits = defaultdict(list)
    for visit in arena.pool.log:
        if visit.path == arena.match_data and visit.finished_monotonic is not None:
            visits[visit.query].append((visit.arrived_monotonic, visit.finished_monotonic))
    for times in visits.values():
        assert all(end <= begin for (_, end), (begin, _) in pairwise(times))
    assert {f"key={key}" for key in keys} <= visits.keys()
    assert min(len(times) for query, times in visits.items() if query.partition("=")[2] in keys) >= 5


async def test_a_stuck_match_does_not_keep_the_others_from_being_asked(build_arena: Build) -> None:
    """Incident: the check for a restart lived inside the loop that was stuck."""
    async with build_arena(matches=4, tick_seconds=0.1) as arena:
        arena.write_config("crex")
        async with arena.watching(**PATIENT) as house:
            room, under_way = house.monitor.room, house.monitor.recoverer.under_way
            await arena.until_active(house, 4)
            arena.pool.set_fault("crexapi", "never_answers", path=arena.match_data, times=1)
            stuck = await arena.until_asked("never_answers")
            visit, before = under_way[stuck], room.tally.scrapes["crex", "success"]

            await arena.until(lambda: room.tally.scrapes["crex", "success"] > before + 30)

            assert under_way[stuck] is visit, "it still waits for its answer"


async def test_a_request_that_hangs_does_not_keep_a_paced_source_from_being_asked(
    build_arena: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a pace the next request waits until the one before is surely there; a hung one must not stop it."""
    monkeypatch.setattr("limpet.record.domain_file.SURELY_THERE_SECONDS", 0.5)
    async with build_arena(matches=4, tick_seconds=0.1) as arena:
        arena.write_config("crex", pace=40)
        async with arena.watching(**PATIENT) as house:
            room, under_way = house.monitor.room, house.monitor.recoverer.under_way
            await arena.until_active(house, 4)
            arena.pool.set_fault("crexapi", "never_answers", path=arena.match_data, times=1)
            hung = await arena.until_asked("never_answers")
            visit, before = under_way[hung], room.tally.scrapes["crex", "success"]

            await arena.until(lambda: room.tally.scrapes["crex", "success"] > before + 20)

            assert under_way[hung] is visit, "it still waits: its deadline is ten minutes away"


def told_result(board: Any) -> Any:
    return board.latest and board.latest.normalized_payload.get("result")


def questions(arena: Any, key: str) -> list[Any]:
    """What the data host was asked about a match."""
    return [v for v in arena.pool.log if v.path == arena.match_data and v.query == f"key={key}"]


def known(room: Any) -> list[DiscoveredMatch]:
    return [watch.match for watch in room.watches.values()]
