"""Where a batch's files stand, all below `<data_dir>/output`; each name follows from the ledger alone."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, func, select

from limpet.record.entry import Run
from limpet.record.tables import runs

OUTPUT = "output"


def run_key(run: Run) -> str:
    """Return the run's name in files: unique also when the ledger was begun anew and counts from one again."""
    return f"run-{run.started_at:%Y%m%dT%H%M%SZ}-{run.id}"


def checkpoint_folder(data_dir: Path, run: Run) -> Path:
    """Return where the run's checkpoint is kept."""
    return data_dir / OUTPUT / "checkpoints" / run_key(run)


def time_stamp(connection: Connection, run: Run) -> str:
    """Return the time in the names of audit and attempts; runs of the same second are numbered."""
    second = run.started_at.replace(microsecond=0)
    earlier = connection.execute(
        select(func.count()).where(runs.c.app == run.app, runs.c.id < run.id, runs.c.started_at >= second)
    ).scalar_one()
    return f"{second:%Y%m%d_%H%M%S}" + (f"_{earlier}" if earlier else "")
