"""A ledger moved to another database is the same ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from limpet.errors import LedgerUnreadable, RecordError
from limpet.record.database import open_engine
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger
from limpet.record.moving import move
from limpet.target import JobState

Make = Callable[..., Any]


def there(tmp_path: Path, request: pytest.FixtureRequest, kind: str) -> str:
    return request.getfixturevalue("postgres_url") if kind == "postgres" else f"sqlite:///{tmp_path}/there.db"


async def move_there(ledger: Ledger, goal: str, *, share_bodies: bool = True) -> Any:
    engine = open_engine(goal)
    try:
        return await asyncio.to_thread(
            move,
            ledger.engine,
            engine,
            data_dir=ledger.data_dir,
            share_bodies=share_bodies,
            tell=lambda *_: None,
        )
    finally:
        engine.dispose()


GOALS = pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])


@GOALS
async def test_every_row_and_body_arrives_and_work_goes_on_there(
    ledger: Ledger,
    run: Run,
    lease_all: Make,
    settlement_of: Make,
    targets: Make,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    kind: str,
) -> None:
    leases, goal = await lease_all(run), there(tmp_path, request, kind)
    for lease in leases[:3]:
        await ledger.settle(settlement_of(lease))
    sha256 = (await ledger.jobs(run.id))[0].snapshot
    assert sha256 is not None
    body = await ledger.read_snapshot(sha256)

    moved = await move_there(ledger, goal)
    async with await Ledger.open(tmp_path / "elsewhere", database_url=goal, shares_bodies=True) as other:
        found, arrived = await other.verify(), await other.run(run.id)
        body_there = await other.read_snapshot(sha256)
        later = await other.plan_run(NewRun("prices", "shop"), targets(2))

    assert moved.rows["jobs"] == 5 and moved.rows["snapshots"] == 3
    assert (arrived.counts[JobState.SUCCEEDED], found.problems) == (3, [])
    assert body_there == body
    assert later.id == run.id + 1


@GOALS
async def test_a_database_that_is_not_empty_is_left_alone(
    ledger: Ledger, run: Run, tmp_path: Path, request: pytest.FixtureRequest, kind: str
) -> None:
    goal = there(tmp_path, request, kind)
    await move_there(ledger, goal)

    with pytest.raises(LedgerUnreadable, match="not empty"):
        await move_there(ledger, goal)


async def test_a_body_that_is_damaged_is_not_moved_as_if_it_were_whole(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make, tmp_path: Path
) -> None:
    (lease, *_) = await lease_all(run)
    await ledger.settle(settlement_of(lease))
    (pack,) = (ledger.data_dir / "snapshots").glob("*.pack")
    pack.write_bytes(bytes(len(pack.read_bytes())))
    goal = f"sqlite:///{tmp_path}/there.db"

    with pytest.raises(RecordError):
        await move_there(ledger, goal)

    engine = open_engine(goal)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM jobs")).scalar_one() == 0
    engine.dispose()
