"""Pages read again, written down: a run in mode `reread` for every run they came from, its jobs ended from the start.

Each transaction is a whole truth: run, jobs and facts of the pages in it. A kill leaves some pages read again
and the others as they were; reading them once more goes on with those, because the first differ no longer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from limpet.record.bulk import is_sqlite
from limpet.record.logbook import audit
from limpet.record.storable import storable, storable_or_none
from limpet.record.tables import jobs, runs
from limpet.target import Outcome
from limpet.target.outcome import Mode, RunState, Trigger

DONE_BY = "reread_run"  # in the audit log


@dataclass(frozen=True, slots=True)
class NewReading:
    """One page read again: which job brought it, and what it ends in now."""

    origin: int
    origin_run: int
    newest_job: int  # what it was compared with; by now another process may have read it again
    target_id: int
    source_id: str
    lane: str
    outcome: Outcome
    reason: str | None
    details: str
    snapshot: str
    site_id: str
    site_version: str


@dataclass(slots=True)
class Rereading:
    """One errand: who reads again and why, and which of its runs reads which earlier run again."""

    app: str
    by: str
    reason: str
    trigger: Trigger
    runs: dict[int, int] = field(default_factory=dict)


def put_readings(
    connection: Connection, errand: Rereading, readings: Sequence[NewReading], *, now: datetime
) -> dict[int, int]:
    """Write them as ended jobs and return the new job of each origin; one read again meanwhile is left out."""
    fresh = _still_as_compared(connection, readings)
    by_run: dict[int, list[NewReading]] = defaultdict(list)
    for reading in fresh:
        by_run[reading.origin_run].append(reading)
    made: dict[int, int] = {}
    for origin_run, part in sorted(by_run.items()):
        run_id = errand.runs.get(origin_run) or _open_run(connection, errand, origin_run, part[0], now=now)
        errand.runs[origin_run] = run_id
        made |= _put_jobs(connection, run_id, part, now=now)
        planned = select(func.count()).where(jobs.c.run_id == run_id).scalar_subquery()
        connection.execute(update(runs).where(runs.c.id == run_id).values(planned=planned, ended_at=now))
    return made


def newest_readings(connection: Connection, origins: Sequence[int]) -> dict[int, int]:
    """Return the newest job that read each of these again; one never read again is not named."""
    question = select(jobs.c.rereads, func.max(jobs.c.id)).where(jobs.c.rereads.in_(origins))
    return {row[0]: row[1] for row in connection.execute(question.group_by(jobs.c.rereads))}


def _still_as_compared(connection: Connection, readings: Sequence[NewReading]) -> list[NewReading]:
    origins = sorted(each.origin for each in readings)
    if not is_sqlite(connection):  # there the whole database is ours
        held = select(jobs.c.id).where(jobs.c.id.in_(origins)).order_by(jobs.c.id).with_for_update()
        connection.execute(held).all()
    newest = newest_readings(connection, origins)
    return [each for each in readings if newest.get(each.origin, each.origin) == each.newest_job]


def _open_run(
    connection: Connection, errand: Rereading, origin_run: int, first: NewReading, *, now: datetime
) -> int:
    earlier = connection.execute(select(runs.c.source_id).where(runs.c.id == origin_run)).one()
    params: Mapping[str, Any] = {
        "rereads": origin_run,
        "by": storable(errand.by),
        "reason": storable(errand.reason),
    }
    made = connection.execute(
        insert(runs)
        .values(
            app=errand.app,
            source_id=earlier.source_id,
            trigger=errand.trigger.value,
            mode=Mode.REREAD.value,
            # Ended from its first row on: nobody walks it, resumes it or waits for it.
            state=RunState.COMPLETED.value,
            planned=0,
            dry_run=False,
            params=dict(params),
            started_at=now,
            ended_at=now,
            prepared_at=now,
        )
        .returning(runs.c.id)
    )
    run_id = int(made.scalar_one())
    details = {"rereads": origin_run, "site": first.site_id, "version": first.site_version}
    audit(
        connection,
        errand.by,
        DONE_BY,
        subject=f"run {run_id}",
        now=now,
        reason=errand.reason,
        details=details,
    )
    return run_id


def _put_jobs(
    connection: Connection, run_id: int, readings: Sequence[NewReading], *, now: datetime
) -> dict[int, int]:
    rows = [
        {
            "run_id": run_id,
            "target_id": each.target_id,
            "source_id": each.source_id,
            "lane": each.lane,
            "priority": 0,
            "state": each.outcome.value,
            "reason": storable_or_none(each.reason),
            "details": storable(each.details) or None,
            "attempts": 0,
            "fence": 0,
            "planned_at": now,
            "started_at": now,
            "ended_at": now,
            "snapshot": each.snapshot,
            "site_id": each.site_id,
            "site_version": each.site_version,
            "rereads": each.origin,
        }
        for each in readings
    ]
    made = connection.execute(insert(jobs).returning(jobs.c.rereads, jobs.c.id), rows)
    return {row.rereads: row.id for row in made}
