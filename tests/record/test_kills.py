"""Kill the process anywhere: what was acknowledged is there, what was not is done again, once in effect."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet.record import crash_points
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger
from limpet.target import JobState
from limpet.target.outcome import RunState

Make = Callable[..., Any]
WORKER = Path(__file__).with_name("ledger_worker.py")
JOBS = 60
# The other points are reached by journeys and by downloads.
REACHED = ("before_snapshot_sync", "after_snapshot_sync", "before_commit", "after_commit", "after_lease")


def start(
    tmp_path: Path, url: str | None, run: Run, point: str = "none", hits: int = 1
) -> subprocess.Popen[str]:
    command = [sys.executable, str(WORKER), str(tmp_path), url or "-", str(run.id), point, str(hits)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def acknowledged(output: str) -> set[int]:
    # The last line may be half a line: the process died while it spoke.
    return {int(line.split()[1]) for line in output.splitlines(keepends=True) if line.endswith("\n")}


async def check_balance(ledger: Ledger, run: Run, told: set[int]) -> None:
    recorded = {job.id for job in await ledger.jobs(run.id, state=JobState.SUCCEEDED)}
    assert told <= recorded
    assert (await ledger.verify()).problems == []


async def finish(ledger: Ledger, run: Run, tmp_path: Path, url: str | None) -> None:
    """Reclaim what the dead held, walk the rest, and prove that everything was done once."""
    await ledger.reclaim_dead()
    assert (await ledger.counts(run.id))["running"] == 0
    output, _ = start(tmp_path, url, run).communicate(timeout=60)
    counts = await ledger.counts(run.id)
    assert counts["succeeded"] == JOBS
    assert len(acknowledged(output)) <= JOBS
    for job in await ledger.jobs(run.id):
        assert len(await ledger.attempts(job.id)) == 1
    assert (await ledger.finish_run(run.id, RunState.COMPLETED)).counts == counts
    assert (await ledger.verify()).problems == []


@pytest.fixture
async def planned(ledger: Ledger, targets: Make, new_run: NewRun) -> Run:
    return await ledger.plan_run(new_run, targets(JOBS))


@pytest.mark.parametrize("point", REACHED)
async def test_death_at_a_crash_point_loses_nothing(
    ledger: Ledger, planned: Run, tmp_path: Path, database_url: str | None, point: str
) -> None:
    doomed = start(tmp_path, database_url, planned, point, hits=4)

    output, _ = doomed.communicate(timeout=60)

    assert doomed.returncode == -signal.SIGKILL
    await check_balance(ledger, planned, acknowledged(output))
    await finish(ledger, planned, tmp_path, database_url)


async def test_death_at_any_moment_loses_nothing(
    ledger: Ledger, planned: Run, tmp_path: Path, database_url: str | None
) -> None:
    chance = random.Random(7)
    told: set[int] = set()

    for _ in range(4):
        doomed = start(tmp_path, database_url, planned)
        assert doomed.stdout is not None
        heard = [doomed.stdout.readline() for _ in range(chance.randint(0, 12))]
        os.kill(doomed.pid, signal.SIGKILL)
        rest, _ = doomed.communicate(timeout=60)
        told |= acknowledged("".join(heard) + rest)
        await check_balance(ledger, planned, told)

    await finish(ledger, planned, tmp_path, database_url)


def test_an_unknown_crash_point_cannot_be_armed() -> None:
    with pytest.raises(ValueError, match="not a crash point"):
        crash_points.arm("somewhere")
