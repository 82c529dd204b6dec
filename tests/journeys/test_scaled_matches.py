"""Live matches on Postgres and Redis: one worker watches, and when it dies another goes on where it stopped."""

from __future__ import annotations

import json
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import redis

from limpet.target.outcome import RunState
from tidepool import Tidepool

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
SOURCE = """
[[sources]]
id = "crex"
app = "matches"
site = "crex"
hosts = ["crex.tidepool.localhost", "crexapi.tidepool.localhost"]
http_only = true
allow_private_addresses = true
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the tests"
[sources.pace]
requests_per_second = 0
min_delay_seconds = 0
max_concurrent = 4
"""
DOMAINS = """
sources:
  - domain_id: crex
    precedence_weight: 100
    enabled: true
    rate_limits: {{min_interval_seconds: 0.05}}
    metadata: {{base_url: "{base}", names_call: names}}
"""


@pytest.fixture
async def ground(shore: Any, migrated_postgres_url: str, redis_url: str) -> AsyncIterator[Any]:
    """The shore beside one live match, on a shared database and a shared pace, with short silences."""
    async with Tidepool(matches=1, tick_seconds=0.1) as pool:
        ground = replace(shore, pool=pool)
        domains = shore.folder / "domains.yaml"
        domains.write_text(DOMAINS.format(base=pool.url("crex", "")))
        ground.config.write_text(SOURCE)
        ground.environment |= {
            "LIMPET_DATABASE_URL": migrated_postgres_url,
            "LIMPET_REDIS_URL": redis_url,
            "LIMPET_MATCH_SOURCES": str(domains),
            "LIMPET_POLLING_INTERVAL_SECONDS": "0.3",
            "LIMPET_DISCOVERY_INTERVAL_SECONDS": "1",
            "LIMPET_LEASE_SECONDS": "10",
            "LIMPET_SILENCE_SECONDS": "3",
        }
        yield ground


def newest(cache: redis.Redis) -> dict[str, Any]:
    """Return the match as whoever knows seed 004's keys finds it."""
    keys = list(cache.scan_iter("match_latest:*"))
    return json.loads(cache.get(keys[0])) if keys else {"sequence_number": 0}


async def test_a_dead_watcher_is_followed_by_another_worker_without_a_gap(ground, journey, redis_url) -> None:
    with redis.Redis.from_url(redis_url, decode_responses=True) as cache:
        first = await ground.start("worker", "--queues", "matches")
        await ground.until(lambda: newest(cache)["sequence_number"] >= 3)
        second = await ground.start("worker")
        first.interrupt(signal.SIGKILL)
        seen = newest(cache)["sequence_number"]
        await ground.until(lambda: newest(cache)["sequence_number"] >= seen + 3)
        shown = json.loads((await ground.limpet("matches", "list", "--json")).out)
        second.interrupt(signal.SIGTERM)
        said = await second.ends()
        kept = newest(cache)
    async with ground.open() as house:
        sessions = await house.ledger.runs(app="matches")
        await journey.prove(house)

    assert said.code == 0, said
    assert [session.state for session in sessions] == [RunState.COMPLETED, RunState.ABORTED]
    assert len(shown) == 1 and shown[0]["match"] == kept["match_id"]
