"""A process to be killed: walks a run, or goes on with the unfinished one, and writes down every acknowledgement.

Each line it reads: APP DATA_DIR CONFIG ACKS [CRASH_POINT HITS]; `dockets:80` is a batch of the first 80 numbers.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import limpet.apps.judgments
import limpet.apps.prices  # noqa: F401 - apps are brought in when first asked for; here once, for all walkers
from limpet.apps.dockets.batch import Batch
from limpet.assembly import House, assemble
from limpet.record import crash_points
from limpet.record.entry import NewRun, Run, Settlement
from limpet.settings import load_settings
from limpet.target.outcome import RunState


class Witness:
    """Writes a job's id only after the ledger said that it is recorded; the file is what we were promised."""

    def __init__(self, acks: Path) -> None:
        self._file = os.open(acks, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def started(self, run: Run, *, remaining: int) -> None:
        print(f"walking {run.id} {remaining}", flush=True)

    def settled(self, settlement: Settlement) -> None:
        os.write(self._file, f"{settlement.lease.job_id}\n".encode())

    def held(self, lane: str, reason: str, seconds: float) -> None:
        print(f"held {lane} {reason} {seconds}", flush=True)

    def finished(self, run: Run) -> None:
        print(f"finished {run.id} {run.state.value}", flush=True)


async def unfinished_run(house: House, app: str) -> Run:
    for run in await house.ledger.runs(state=RunState.RUNNING, limit=1):
        return run
    name, _, last = app.partition(":")
    params = Batch(year=2025, start=1, end=int(last)).to_params() if last else {}
    return await house.desk.plan(NewRun(app=name, source_id=None, params=params))


async def walk(app: str, data_dir: Path, config: Path, acks: Path) -> None:
    async with assemble(load_settings(data_dir=data_dir, config=config)) as house:
        run = await unfinished_run(house, app)
        await house.desk.walk(run, house.app(run.app), Witness(acks))


def nursery() -> None:
    """Fork a walker for every line read: each is a process of its own to be killed, but none has to import first."""
    for line in sys.stdin:
        app, data_dir, config, acks, *crash = line.split()
        child = os.fork()
        if child == 0:
            if crash:
                crash_points.arm(crash[0], int(crash[1]))
            code = 1
            try:
                asyncio.run(walk(app, Path(data_dir), Path(config), Path(acks)))
                code = 0
            finally:
                sys.stdout.flush()
                os._exit(code)
        print(f"pid {child}", flush=True)
        _, status = os.waitpid(child, 0)
        print(f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    nursery()
