"""Poison: a job that was taken again and again and never came back is set aside, with what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from limpet.record.logbook import log_event
from limpet.record.tables import jobs, targets
from limpet.target import JobState

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


def set_aside(connection: Connection, row: Row[Any], *, now: datetime) -> None:
    """End this job as failed, take its target out of the schedule, and raise the alarm."""
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
