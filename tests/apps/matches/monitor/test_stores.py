"""The same journeys with Postgres as the ledger and Redis as the shelf; and what is not kept for ever."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import redis
from sqlalchemy import func, select

from limpet.apps.matches.care_log import give_order, recoveries
from limpet.apps.matches.care_tables import scraper_health_log
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.recovery import RecoveryAction
from limpet.apps.matches.tables import live_match_data, match_balls
from limpet.apps.matches.views import conflicts_of, kept_cards, snapshots_after
from limpet.record.log_tables import events, requests, scraper_errors

Build = Callable[..., Any]
SEED_KEYS = {
    *("match_latest:crex:RF0", "match_history:crex:RF0", "match_monitor:crex:RF0"),
    *("freshness_index", "health_summary", "audit_log", "paused_matches"),
}


@pytest.mark.postgres
@pytest.mark.redis
async def test_matches_are_kept_in_postgres_and_shown_in_redis(
    build_arena: Build, migrated_postgres_url: str, redis_url: str
) -> None:
    there = {"database_url": migrated_postgres_url, "redis_url": redis_url}
    async with build_arena(tick_seconds=0.05) as arena:
        async with arena.watching(**there) as house:
            room = house.monitor.room
            await arena.until(lambda: "crex:RL6" in room.boards and room.boards["crex:RL6"].conflicts)
            await house.monitor.caretaker.look()
            await house.monitor.recoverer.recover("a test", RecoveryAction.MANUAL_TRIGGER)
            paused = room.boards["crex:RG1"]
            await house.ledger.write(
                lambda c: give_order(c, "pause", "crex:RG1", by="me", reason="", now=house.clock.now())
            )
            await arena.until(lambda: paused.state is MatchState.PAUSED)
            await arena.until(lambda: arena.pool.tick > 100)
            await arena.until(lambda: keys_of(redis_url).keys() >= SEED_KEYS)
            shelf = keys_of(redis_url)
            ended = arena.pool.tick
        before = {board.match_id: board.sequence for board in arena.boards(house)}

        async with arena.watching(**there) as house:
            again = house.monitor.room.boards
            await arena.until(lambda: "crex:RF0" in again and again["crex:RF0"].sequence > before["crex:RF0"])
            await arena.until_known(house, "crex:RF0", by=ended)
            taken = await house.ledger.read(lambda c: snapshots_after(c, "crex:RF0", after=0))
            cards = await house.ledger.read(lambda c: kept_cards(c, "crex:RF0"))
            noted = await house.ledger.read(lambda c: conflicts_of(c, "crex:RL6"))
            audit = await house.ledger.read(recoveries)
            await arena.prove(house)

    assert arena.truth("RF0", until=ended)  # so that there was something to lose
    assert [each.sequence_number for each in taken] == list(range(1, len(taken) + 1))
    assert cards and noted and "manual_trigger" in {row["action_type"] for row in audit}
    assert any(key.startswith("roster:") for key in shelf)
    assert (shelf["freshness_index"], shelf["match_history:crex:RF0"]) == ("zset", "list")
    assert (shelf["paused_matches"], shelf["audit_log"]) == ("set", "list")


async def test_notes_are_trimmed_and_facts_stay(build_arena: Build) -> None:
    async with build_arena(matches=2, tick_seconds=0.05) as arena, arena.watching() as house:
        room = house.monitor.room
        await arena.until(lambda: room.tally.scrapes["crex", "success"] > 3)
        arena.pool.set_fault("crexapi", "empty_body", path=arena.match_data, times=2)
        await arena.until_written(
            house, counts, lambda found: found["scraper_errors"] >= 2 and found["match_balls"] > 2
        )
        await house.monitor._flush_notes()
        house.monitor.caretaker._logged_at = None
        await house.monitor.caretaker.look()
        young = await house.ledger.read(counts)
        await house.monitor.trimmer.look()
        untouched = await house.ledger.read(counts)
        room.terms = replace(room.terms, keep_request_hours=1e-9, keep_note_days=1e-9)
        await house.monitor.trimmer.look()
        old = await house.ledger.read(counts)
        told = await arena.until_written(house, trimmed, lambda rows: rows)

    assert min(young.values()) > 0
    assert all(untouched[name] >= count for name, count in young.items())
    assert old["requests"] < young["requests"] and old["scraper_errors"] == 0
    assert old["scraper_health_log"] == 0
    assert old["match_balls"] >= young["match_balls"] and old["live_match_data"] >= young["live_match_data"]
    assert told[0]["requests"] > 0


async def test_requests_of_others_are_never_trimmed(build_arena: Build) -> None:
    async with build_arena(matches=1) as arena, arena.watching() as house:
        room = house.monitor.room
        await arena.until(lambda: room.tally.scrapes["crex", "success"] > 1)
        await house.monitor._flush_notes()
        long_ago = house.clock.now() - timedelta(days=400)
        row = {
            **{"source_id": "shop", "domain": "shop.example", "url": "https://shop.example/", "kind": "page"},
            **{
                "started_at": long_ago,
                "elapsed_ms": 1.0,
                "waited_ms": 0.0,
                "outcome": "ok",
                "bytes_received": 1,
            },
        }
        await house.ledger.write(
            lambda c: c.execute(requests.insert(), [row, row | {"source_id": "crex", "job_id": 7}])
        )
        room.terms = replace(room.terms, keep_request_hours=1e-9)
        await house.monitor.trimmer.look()
        left = await house.ledger.read(
            lambda c: c.execute(select(requests.c.source_id).where(requests.c.started_at <= long_ago)).all()
        )

    assert sorted(source for (source,) in left) == ["crex", "shop"]


def counts(connection: Any) -> dict[str, int]:
    tables = (requests, scraper_errors, scraper_health_log, match_balls, live_match_data)
    return {
        each.name: connection.execute(select(func.count()).select_from(each)).scalar_one() for each in tables
    }


def trimmed(connection: Any) -> list[dict[str, int]]:
    question = select(events.c.payload).where(events.c.event_type == "monitor_notes_trimmed")
    return [dict(payload) for (payload,) in connection.execute(question)]


def keys_of(url: str) -> dict[str, str]:
    """Return every key of a Redis with its kind."""
    with redis.Redis.from_url(url, decode_responses=True) as client:
        return {key: client.type(key) for key in client.keys("*")}
