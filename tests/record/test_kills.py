"""Kill the process anywhere: what was acknowledged is there, what was not is done again, once in effect."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import runpy
import signal
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
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
FORKS = multiprocessing.get_context("forkserver")
PATIENCE = 60.0  # for a process of ours on a busy machine; nothing waits that long when all is well
JOBS = 60
# The other points are reached by journeys and by downloads.
REACHED = ("before_snapshot_sync", "after_snapshot_sync", "before_commit", "after_commit", "after_lease")


@dataclass
class Worker:
    """A process that settles jobs, and what it has told us so far."""

    process: BaseProcess
    acks: Path

    def told(self) -> list[str]:
        """Return its whole lines; the last may be half a line, if it died while it spoke."""
        text = self.acks.read_text() if self.acks.exists() else ""
        return [line for line in text.splitlines(keepends=True) if line.endswith("\n")]

    async def has_told(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.told()) < count and self.process.is_alive():
                await asyncio.sleep(0.002)

    async def ends(self) -> int | None:
        await asyncio.to_thread(self.process.join, PATIENCE)
        return self.process.exitcode

    def acknowledged(self) -> set[int]:
        return {int(line.split()[1]) for line in self.told()}


async def start(tmp_path: Path, url: str | None, run: Run, *, point: str = "none", hits: int = 1) -> Worker:
    acks = tmp_path / f"acks-{uuid.uuid4().hex}"
    known = {"data_dir": tmp_path, "url": url, "run_id": run.id, "point": point, "hits": hits, "acks": acks}
    process = FORKS.Process(target=runpy.run_path, args=(str(WORKER), known), daemon=True)
    await asyncio.to_thread(process.start)
    return Worker(process, acks)


async def check_balance(ledger: Ledger, run: Run, told: set[int]) -> None:
    recorded = {job.id for job in await ledger.jobs(run.id, state=JobState.SUCCEEDED)}
    assert told <= recorded
    assert (await ledger.verify()).problems == []


async def finish(ledger: Ledger, run: Run, tmp_path: Path, url: str | None) -> None:
    """Reclaim what the dead held, walk the rest, and prove that everything was done once."""
    await ledger.reclaim_dead()
    assert (await ledger.counts(run.id))["running"] == 0
    last = await start(tmp_path, url, run)
    assert await last.ends() == 0
    counts = await ledger.counts(run.id)
    assert counts["succeeded"] == JOBS
    assert len(last.acknowledged()) <= JOBS
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
    doomed = await start(tmp_path, database_url, planned, point=point, hits=4)

    assert await doomed.ends() == -signal.SIGKILL
    await check_balance(ledger, planned, doomed.acknowledged())
    await finish(ledger, planned, tmp_path, database_url)


async def test_death_at_any_moment_loses_nothing(
    ledger: Ledger, planned: Run, tmp_path: Path, database_url: str | None
) -> None:
    chance = random.Random(7)
    told: set[int] = set()

    for _ in range(4):
        doomed = await start(tmp_path, database_url, planned)
        await doomed.has_told(chance.randint(0, 12))
        doomed.process.kill()
        await doomed.ends()
        told |= doomed.acknowledged()
        await check_balance(ledger, planned, told)

    await finish(ledger, planned, tmp_path, database_url)


def test_an_unknown_crash_point_cannot_be_armed() -> None:
    with pytest.raises(ValueError, match="not a crash point"):
        crash_points.arm("somewhere")
