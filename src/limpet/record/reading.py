"""Reads runs, jobs and attempts back; every count is derived from job rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, or_, select, update

from limpet.errors import RecordError, UnknownRun
from limpet.record.entry import AttemptNote, Run
from limpet.record.storable import storable_or_none
from limpet.record.tables import attempts, jobs, runs, targets
from limpet.target import JobState
from limpet.target.outcome import Mode, RunState, Trigger


@dataclass(frozen=True, slots=True)
class Job:
    """One target in one run, as the ledger knows it."""

    id: int
    run_id: int
    target_id: int
    source_id: str
    url: str
    lane: str
    state: JobState
    reason: str | None
    details: str | None
    attempts: int
    worker: str | None
    started_at: datetime | None
    ended_at: datetime | None
    snapshot: str | None
    site_id: str | None
    site_version: str | None
    rereads: int | None = None  # the job whose page it read again


def counts(connection: Connection, run_id: int) -> dict[str, int]:
    """Return how many jobs of the run are in each state; every state is named."""
    return counts_of(connection, [run_id])[run_id]


def counts_of(connection: Connection, run_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return the counts of several runs."""
    found = {run_id: dict.fromkeys((state.value for state in JobState), 0) for run_id in run_ids}
    question = select(jobs.c.run_id, jobs.c.state, func.count()).where(jobs.c.run_id.in_(run_ids))
    for run_id, state, count in connection.execute(question.group_by(jobs.c.run_id, jobs.c.state)):
        found[run_id][state] = count
    return found


def reasons(connection: Connection, run_id: int) -> dict[str, int]:
    """Return how often each reason ended a job of the run, as `state: reason`."""
    rows = connection.execute(
        select(jobs.c.state, jobs.c.reason, func.count())
        .where(jobs.c.run_id == run_id, jobs.c.reason.is_not(None))
        .group_by(jobs.c.state, jobs.c.reason)
        .order_by(func.count().desc())
    )
    return {f"{state}: {reason}": count for state, reason, count in rows}


def get_run(connection: Connection, run_id: int) -> Run:
    """Return the run with its counts, or raise UnknownRun."""
    row = connection.execute(select(runs).where(runs.c.id == run_id)).one_or_none()
    if row is None:
        raise _unknown(run_id)
    return _run_of(row, counts(connection, run_id))


def _unknown(run_id: int) -> UnknownRun:
    return UnknownRun(f"There is no run {run_id}.", fix="See the runs there are with `limpet list runs`.")


def run_head(connection: Connection, run_id: int) -> Run:
    """Return the run without its counts, for whoever asks often: counting reads every job of it."""
    row = connection.execute(select(runs).where(runs.c.id == run_id)).one_or_none()
    if row is None:
        raise _unknown(run_id)
    return _run_of(row, {})


def open_run_heads(connection: Connection) -> list[Run]:
    """Return every run that has not ended, without counts, oldest first."""
    question = select(runs).where(runs.c.state == RunState.RUNNING.value).order_by(runs.c.id)
    return [_run_of(row, {}) for row in connection.execute(question)]


def holds_open(connection: Connection, run_id: int) -> bool:
    """Whether the run has not ended; nobody else ends it before this transaction does."""
    question = select(runs.c.state).where(runs.c.id == run_id).with_for_update()
    return RunState(connection.execute(question).scalar_one()) is RunState.RUNNING


def has_open_jobs(connection: Connection, run_id: int) -> bool:
    """Whether any job of the run has not ended; the first one found is answer enough."""
    is_open = jobs.c.state.in_([JobState.PENDING.value, JobState.RUNNING.value])
    return (
        connection.execute(select(jobs.c.id).where(jobs.c.run_id == run_id, is_open).limit(1)).first()
        is not None
    )


def list_runs(
    connection: Connection,
    *,
    limit: int = 50,
    before: int | None = None,
    app: str | None = None,
    source_id: str | None = None,
    state: RunState | None = None,
) -> list[Run]:
    """Return runs, newest first; `before` is the id a page starts below.

    A run over several sources counts as one of each.
    """
    question = select(runs).order_by(runs.c.id.desc()).limit(limit)
    if before is not None:
        question = question.where(runs.c.id < before)
    if app is not None:
        question = question.where(runs.c.app == app)
    if source_id is not None:
        question = question.where(or_(runs.c.source_id == source_id, runs.c.source_id.is_(None)))
    if state is not None:
        question = question.where(runs.c.state == state.value)
    rows = connection.execute(question).all()
    found = counts_of(connection, [row.id for row in rows])
    return [_run_of(row, found[row.id]) for row in rows]


def finish_run(
    connection: Connection,
    run_id: int,
    state: RunState,
    *,
    now: datetime,
    error_code: str | None = None,
    error_message: str | None = None,
) -> Run:
    """End the run; it cannot be completed while jobs are open."""
    found = counts(connection, run_id)
    still_open = found[JobState.PENDING.value] + found[JobState.RUNNING.value]
    if state is RunState.COMPLETED and still_open:
        raise RecordError(f"Run {run_id} is not complete: {still_open} jobs are open.")
    message = storable_or_none(error_message)
    values = {"state": state.value, "ended_at": now, "error_code": error_code, "error_message": message}
    connection.execute(update(runs).where(runs.c.id == run_id).values(values))
    return get_run(connection, run_id)


def reopen_run(connection: Connection, run_id: int) -> Run:
    """Make the run running again, so that what is open in it can be walked."""
    values = {"state": RunState.RUNNING.value, "ended_at": None, "error_code": None, "error_message": None}
    connection.execute(update(runs).where(runs.c.id == run_id).values(values))
    return get_run(connection, run_id)


def holders(connection: Connection, run_id: int, *, now: datetime) -> list[str]:
    """Return the workers that hold unexpired leases in this run."""
    question = select(jobs.c.worker).where(
        jobs.c.run_id == run_id, jobs.c.state == JobState.RUNNING.value, jobs.c.lease_until >= now
    )
    return sorted(worker for worker in connection.execute(question.distinct()).scalars() if worker)


def list_jobs(
    connection: Connection, run_id: int, *, state: JobState | None = None, after: int = 0, limit: int = 1_000
) -> list[Job]:
    """Return jobs of a run in planned order; `after` is the id a page starts above."""
    columns = [jobs.c[name] for name in Job.__slots__ if name != "url"]
    question = (
        select(*columns, targets.c.url)
        .join_from(jobs, targets, jobs.c.target_id == targets.c.id)
        .where(jobs.c.run_id == run_id, jobs.c.id > after)
        .order_by(jobs.c.id)
        .limit(limit)
    )
    if state is not None:
        question = question.where(jobs.c.state == state.value)
    return [Job(**{**row._mapping, "state": JobState(row.state)}) for row in connection.execute(question)]


def attempts_of(connection: Connection, job_id: int) -> list[AttemptNote]:
    """Return every try of a job, oldest first."""
    columns = [attempts.c[name] for name in AttemptNote.__struct_fields__]
    question = select(*columns).where(attempts.c.job_id == job_id).order_by(attempts.c.id)
    return [AttemptNote(**row._mapping) for row in connection.execute(question)]


def _run_of(row: Row[Any], found: dict[str, int]) -> Run:
    return Run(
        id=row.id,
        app=row.app,
        source_id=row.source_id,
        trigger=Trigger(row.trigger),
        mode=Mode(row.mode),
        state=RunState(row.state),
        planned=row.planned,
        started_at=row.started_at,
        ended_at=row.ended_at,
        dry_run=row.dry_run,
        error_code=row.error_code,
        error_message=row.error_message,
        params=row.params,
        counts=found,
        is_prepared=row.prepared_at is not None,
    )
