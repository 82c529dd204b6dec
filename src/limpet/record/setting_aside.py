"""Poison: a job that was taken again and again and never came back is set aside, with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection, Row, select, update

from limpet.record.entry import Bookkeeper, Lease, Settlement
from limpet.record.faults import is_passing
from limpet.record.logbook import log_event
from limpet.record.tables import jobs, runs, targets
from limpet.target import JobState, Outcome

_log = structlog.get_logger("limpet.record")
Bookkeepers = Mapping[str, Bookkeeper]
REASON = "poison"
MOST_TAKEN = 5  # so often in one run; each time its worker died, or could not write down what came of it
SUSPECT_AFTER = 2  # from then on it waits until every other job is done, and is taken alone

# A house that is killed often blames no job that way: whoever dies beside a suspect died of the suspect.
IS_TRUSTED = jobs.c.attempts < SUSPECT_AFTER


@dataclass(frozen=True, slots=True)
class SetAside:
    """A job nobody will take again in its run; its target waits for a person, or for the weekly recheck."""

    job_id: int
    run_id: int
    target_id: int
    source_id: str
    url: str
    details: str
    ended_at: datetime


def is_poison(row: Row[Any]) -> bool:
    """Whether the job was taken so often that nobody should try again."""
    return bool(row.attempts >= MOST_TAKEN)


def set_aside(
    connection: Connection, row: Row[Any], lease: Lease, *, bookkeepers: Bookkeepers, now: datetime
) -> None:
    """End this job as failed, take its target out of the schedule, tell its app, and raise the alarm."""
    details = (
        f"taken {row.attempts} times and never finished; {row.details or 'its worker ended without a word'}"
    )
    ended = {"state": JobState.FAILED.value, "reason": REASON, "details": details, "ended_at": now}
    connection.execute(update(jobs).where(jobs.c.id == row.id).values(ended | {"worker": None}))
    broken = {"status": "broken", "last_status": JobState.FAILED.value, "updated_at": now}
    connection.execute(update(targets).where(targets.c.id == row.target_id).values(broken))
    payload = {"details": f"job {row.id}, {row.url}: {details}", "job_id": row.id}
    log_event(
        connection,
        "alert_poison_job",
        now=now,
        run_id=row.run_id,
        target_id=row.target_id,
        source_id=row.source_id,
        payload=payload,
    )
    _tell_its_app(connection, Settlement(lease, Outcome.FAILED, now, REASON, details), bookkeepers)


def _tell_its_app(connection: Connection, settlement: Settlement, bookkeepers: Bookkeepers) -> None:
    """Let the app write down the failure; its pen may be what the job died of, and must not keep it from its end."""
    run_id = settlement.lease.run_id
    run = connection.execute(select(runs.c.app, runs.c.dry_run).where(runs.c.id == run_id)).one()
    if run.dry_run or run.app not in bookkeepers:
        return
    try:
        with connection.begin_nested():
            bookkeepers[run.app].write(connection, [settlement])
    except Exception as stumble:
        if is_passing(stumble):
            raise
        _log.warning("app_not_told", app=run.app, job_id=settlement.lease.job_id, why=repr(stumble)[:200])


def poisoned(connection: Connection, *, limit: int = 50) -> list[SetAside]:
    """Return jobs set aside whose targets still wait for somebody, newest first."""
    rows = connection.execute(
        select(
            jobs.c.id,
            jobs.c.run_id,
            targets.c.id,
            jobs.c.source_id,
            targets.c.url,
            jobs.c.details,
            jobs.c.ended_at,
        )
        .join_from(jobs, targets, targets.c.id == jobs.c.target_id)
        .where(targets.c.status == "broken", jobs.c.state == JobState.FAILED.value, jobs.c.reason == REASON)
        .order_by(jobs.c.id.desc())
        .limit(limit)
    )
    return [SetAside(*row) for row in rows]
