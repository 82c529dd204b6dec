"""What the ledger remembers of robots.txt."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from limpet.fetch.policy.robots_keeper import StoredRobots
from limpet.record.ledger import Ledger
from limpet.record.log_tables import robots_files
from limpet.record.robots_memory import LedgerRobotsMemory

ORIGIN = "https://shop.example"
MONDAY = datetime(2026, 11, 2, 8, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ledger]:
    url = request.getfixturevalue("migrated_postgres_url") if request.param == "postgres" else None
    async with await Ledger.open(tmp_path, database_url=url) as ledger:
        yield ledger


def answer(body: bytes, *, days: int = 0, status: int = 200, origin: str = ORIGIN) -> StoredRobots:
    return StoredRobots(origin, status, body, f"hash of {body!r}", MONDAY + timedelta(days=days))


async def test_an_unknown_origin_is_not_remembered(ledger: Ledger) -> None:
    assert await LedgerRobotsMemory(ledger).load(ORIGIN) is None


async def test_the_newest_answer_of_the_origin_is_the_one_that_rules(ledger: Ledger) -> None:
    memory = LedgerRobotsMemory(ledger)
    open_again = answer(b"", days=2, status=404)
    for stored in (answer(b"Disallow: /a"), answer(b"Disallow: /b", days=1), open_again):
        await memory.save(stored)
    await memory.save(answer(b"Disallow: /", days=9, origin="https://other.example"))

    assert await memory.load(ORIGIN) == open_again


async def test_a_body_that_came_back_rules_again_and_is_kept_once(ledger: Ledger) -> None:
    memory = LedgerRobotsMemory(ledger)
    back = answer(b"Disallow: /a", days=2)
    for stored in (answer(b"Disallow: /a"), answer(b"Disallow: /b", days=1), back):
        await memory.save(stored)

    rows = await ledger.read(
        lambda connection: connection.scalar(select(func.count()).select_from(robots_files))
    )

    assert await memory.load(ORIGIN) == back
    assert rows == 2
