"""What people do to a run: call it off, or have what went wrong in it tried again."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, func, select, update

from limpet.errors import NothingToDo
from limpet.record.logbook import audit, log_event
from limpet.record.reading import Job, get_run
from limpet.record.tables import jobs, targets
from limpet.target import JobState
from limpet.target.outcome import RunState

TROUBLE = (JobState.FAILED, JobState.DROPPED, JobState.QUARANTINED)
CANCELLED = "run_cancelled"


def cancel_run(connection: Connection, run_id: int, *, by: str, reason: str, now: datetime) -> int:
    """Skip every job of the run that waits and return how many; what is on the wire ends by itself."""
    run = get_run(connection, run_id)
    if run.state is not RunState.RUNNING:
        raise NothingToDo(f"Run {run_id} has ended already.", fix="There is nothing left to call off.")
    waiting = update(jobs).where(jobs.c.run_id == run_id, jobs.c.state == JobState.PENDING.value)
    details = f"called off by {by}: {reason}"
    skipped = connection.execute(
        waiting.values(state=JobState.SKIPPED.value, reason=CANCELLED, details=details, ended_at=now)
    ).rowcount
    audit(
        connection,
        by,
        "cancel_run",
        subject=f"run {run_id}",
        now=now,
        reason=reason,
        details={"skipped": skipped},
    )
    payload = {"details": details, "skipped": skipped}
    log_event(connection, "run_cancelled", now=now, run_id=run_id, source_id=run.source_id, payload=payload)
    return skipped


def troubled_targets(connection: Connection, run_id: int) -> list[int]:
    """Return the targets that ended in trouble in this run, in planned order."""
    question = select(jobs.c.target_id).where(
        jobs.c.run_id == run_id, jobs.c.state.in_([state.value for state in TROUBLE])
    )
    return list(connection.execute(question.order_by(jobs.c.id)).scalars())


def jobs_of_target(connection: Connection, target_id: int, *, limit: int = 50) -> list[Job]:
    """Return what became of a target, newest first."""
    columns = [jobs.c[name] for name in Job.__slots__ if name != "url"]
    question = (
        select(*columns, targets.c.url)
        .join_from(jobs, targets, jobs.c.target_id == targets.c.id)
        .where(jobs.c.target_id == target_id)
        .order_by(jobs.c.id.desc())
        .limit(limit)
    )
    return [Job(**{**row._mapping, "state": JobState(row.state)}) for row in connection.execute(question)]


def recent_trouble(connection: Connection, *, before: int | None = None, limit: int = 50) -> list[Job]:
    """Return the jobs that failed last, newest first; only the newest of a long history are looked at."""
    newest = connection.execute(select(func.max(jobs.c.id))).scalar() or 0
    columns = [jobs.c[name] for name in Job.__slots__ if name != "url"]
    question = (
        select(*columns, targets.c.url)
        .join_from(jobs, targets, jobs.c.target_id == targets.c.id)
        .where(
            jobs.c.state == JobState.FAILED.value,
            jobs.c.rereads.is_(None),
            jobs.c.id < (before or newest + 1),
            jobs.c.id > (before or newest) - _FAR_ENOUGH,
        )
        .order_by(jobs.c.id.desc())
        .limit(limit)
    )
    return [Job(**{**row._mapping, "state": JobState(row.state)}) for row in connection.execute(question)]


_FAR_ENOUGH = 50_000
