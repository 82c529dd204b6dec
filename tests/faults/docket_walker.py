"""A process to be killed: walks a batch of case numbers, or goes on with it, and writes down every acknowledgement.

Read from stdin, a line a walker: DATA_DIR CONFIG ACKS LAST_NUMBER [CRASH_POINT HITS]
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.batch import Batch
from limpet.assembly import House, assemble
from limpet.engine.watcher import Silence
from limpet.record import crash_points
from limpet.record.entry import NewRun, Run, Settlement
from limpet.settings import load_settings
from limpet.target.outcome import RunState


class Witness(Silence):
    """Writes a case only after the ledger said that it is recorded."""

    def __init__(self, acks: Path) -> None:
        self._file = os.open(acks, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def started(self, run: Run, *, remaining: int) -> None:
        print(f"walking {run.id} {remaining}", flush=True)

    def settled(self, settlement: Settlement) -> None:
        case = case_at(settlement.lease.target.address)
        os.write(self._file, f"{case}\n".encode())


async def unfinished_run(house: House, last: int) -> Run:
    for run in await house.ledger.runs(state=RunState.RUNNING, limit=1):
        return run
    params = Batch(year=2025, start=1, end=last).to_params()
    return await house.desk.plan(NewRun(app="dockets", source_id="fct", params=params))


async def walk(data_dir: Path, config: Path, acks: Path, last: int) -> None:
    async with assemble(load_settings(data_dir=data_dir, config=config)) as house:
        run = await unfinished_run(house, last)
        await house.desk.walk(run, house.app("dockets"), Witness(acks))


def nursery() -> None:
    """Fork a walker for every line read: none has to import first."""
    for line in sys.stdin:
        data_dir, config, acks, last, *crash = line.split()
        child = os.fork()
        if child == 0:
            if crash:
                crash_points.arm(crash[0], int(crash[1]))
            code = 1
            try:
                asyncio.run(walk(Path(data_dir), Path(config), Path(acks), int(last)))
                code = 0
            finally:
                sys.stdout.flush()
                os._exit(code)
        print(f"pid {child}", flush=True)
        _, status = os.waitpid(child, 0)
        print(f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    nursery()
