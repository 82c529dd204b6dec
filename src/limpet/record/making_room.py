"""One run per source at a time: who comes second is refused, or takes over what a dead process left."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from limpet.errors import SourceBusy
from limpet.record.backlog import take_turn
from limpet.record.entry import NewRun
from limpet.record.log_tables import events
from limpet.record.reading import holders
from limpet.record.tables import jobs, runs
from limpet.record.workers import is_alive
from limpet.target import JobState
from limpet.target.outcome import Mode, RunState

TAKEN_OVER = "taken_over"  # why jobs of the earlier run were skipped: a later run goes over them
STALE_SECONDS = 3_600.0


def make_room(connection: Connection, new: NewRun, *, data_dir: Path, now: datetime) -> None:
    """Raise SourceBusy when another run of the source is unfinished.

    A run in mode `resume` takes over one whose process is gone: here its lock tells at once, on another host
    only its silence does, after `stale_after_seconds` of the run's own parameters.
    """
    take_turn(connection)
    earlier = _in_the_way(connection, new)
    if earlier is None:
        return
    silence = timedelta(seconds=float(new.params.get("stale_after_seconds") or STALE_SECONDS))
    lives = _is_walked(connection, earlier, data_dir=data_dir, heard_since=now - silence, now=now)
    if lives or new.mode is not Mode.RESUME:
        raise _busy(new, earlier, lives=lives)
    _take_over(connection, earlier, now=now)


def _in_the_way(connection: Connection, new: NewRun) -> Row[Any] | None:
    """Return an unfinished run of the source this one must not run beside."""
    unfinished = connection.execute(
        select(runs)
        .where(
            runs.c.app == new.app, runs.c.source_id == new.source_id, runs.c.state == RunState.RUNNING.value
        )
        .order_by(runs.c.id)
    ).all()
    clashes = new.clashes
    return next((run for run in unfinished if clashes is None or clashes(new.params, run.params or {})), None)


def _is_walked(
    connection: Connection, earlier: Row[Any], *, data_dir: Path, heard_since: datetime, now: datetime
) -> bool:
    """Whether its process lives, or any worker still holds some of its jobs."""
    if earlier.worker and is_alive(connection, data_dir, earlier.worker, heard_since=heard_since):
        return True
    return bool(holders(connection, earlier.id, now=now))


def _busy(new: NewRun, earlier: Row[Any], *, lives: bool) -> SourceBusy:
    which = "one at a time" if new.clashes is None else "one at a time over the same targets"
    if lives:
        said = f"Run {earlier.id} of {earlier.source_id!r} is under way; there is {which}."
        return SourceBusy(said, fix="Wait for it, or stop it first.", run_id=earlier.id)
    take_over = " Or let a new run take over: --mode resume." if new.clashes is None else ""
    return SourceBusy(
        f"Run {earlier.id} of {earlier.source_id!r} is not finished; there is {which}.",
        fix=f"Go on with it: limpet resume {earlier.id}.{take_over}",
        run_id=earlier.id,
    )


def _take_over(connection: Connection, earlier: Row[Any], *, now: datetime) -> None:
    """End the earlier run; what is open in it stays visible as skipped, for the later run to find."""
    still_open = jobs.c.state.in_([JobState.PENDING.value, JobState.RUNNING.value])
    skipped = update(jobs).where(jobs.c.run_id == earlier.id, still_open)
    ended = {"state": JobState.SKIPPED.value, "reason": TAKEN_OVER, "ended_at": now, "lease_until": None}
    count = connection.execute(skipped.values(ended)).rowcount
    closed = {
        "state": RunState.ABORTED.value,
        "ended_at": now,
        "prepared_at": earlier.prepared_at or now,  # nobody shall fill it any more
        "error_code": TAKEN_OVER,
        "error_message": f"{count} open jobs were left to a later run",
    }
    connection.execute(update(runs).where(runs.c.id == earlier.id).values(closed))
    connection.execute(
        insert(events).values(
            run_id=earlier.id,
            source_id=earlier.source_id,
            event_type="run_taken_over",
            payload={"open_jobs": count},
            created_at=now,
        )
    )
