from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection

from limpet.record.entry import Run
from limpet.record.ledger import Ledger
from limpet.target import Outcome
from limpet.target.outcome import RunState

Make = Callable[..., Any]


async def kinds(ledger: Ledger) -> list[str]:
    return [problem.kind for problem in (await ledger.verify()).problems]


async def do(ledger: Ledger, statement: str) -> None:
    def run(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    await ledger.write(run)


@pytest.fixture
async def settled(ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make) -> Run:
    for lease, outcome in zip(await lease_all(run), Outcome, strict=False):
        await ledger.settle(settlement_of(lease, outcome))
    return run


async def test_a_sound_ledger_is_sound_at_every_stage(
    ledger: Ledger, run: Run, lease_all: Make, settlement_of: Make
) -> None:
    assert await kinds(ledger) == []
    for lease in await lease_all(run):
        await ledger.settle(settlement_of(lease))
        assert await kinds(ledger) == []
    await ledger.finish_run(run.id, RunState.COMPLETED)

    found = await ledger.verify()

    assert found.is_sound
    assert (found.counts["runs"], found.counts["jobs_succeeded"], found.counts["snapshots"]) == (1, 5, 5)
    assert json.loads(json.dumps(found.to_json()))["sound"] is True


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        ("DELETE FROM attempts", None),
        ("UPDATE runs SET planned = planned + 1", "balance"),
        ("DELETE FROM attempts; DELETE FROM jobs WHERE state = 'failed'", "balance"),
        (
            "UPDATE jobs SET state = 'pending' WHERE state = 'failed'; UPDATE runs SET state = 'completed'",
            "balance",
        ),
        ("UPDATE jobs SET snapshot = NULL WHERE state = 'succeeded'", "evidence"),
        (
            "DELETE FROM snapshots WHERE sha256 IN (SELECT snapshot FROM jobs WHERE state = 'failed')",
            "evidence",
        ),
        ("UPDATE jobs SET ended_at = NULL WHERE state = 'failed'", "evidence"),
    ],
)
async def test_damage_is_found(ledger: Ledger, settled: Run, damage: str, kind: str | None) -> None:
    for statement in damage.split("; "):
        await do(ledger, statement)

    assert await kinds(ledger) == ([kind] if kind else [])


async def test_an_app_may_add_its_own_checks(ledger: Ledger) -> None:
    def look(connection: Connection) -> Iterator[tuple[str, str]]:
        yield "price 1", "has no product"

    found = await ledger.verify(app_checks=[look])

    assert [(problem.kind, problem.subject) for problem in found.problems] == [("app", "price 1")]
