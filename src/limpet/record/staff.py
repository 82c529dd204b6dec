"""Who works, and at what: workers with their last sign of life and the lanes they hold."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from limpet.record.tables import jobs, leaderships, workers
from limpet.target import JobState


@dataclass(frozen=True, slots=True)
class LaneHeld:
    """A lane of which a worker holds targets."""

    run_id: int
    lane: str
    targets: int


@dataclass(frozen=True, slots=True)
class WorkerStanding:
    """One worker that has not signed off."""

    id: str
    host: str
    pid: int
    started_at: datetime
    heard_at: datetime
    lanes: tuple[LaneHeld, ...] = ()
    leads: tuple[str, ...] = ()


def staff(connection: Connection) -> list[WorkerStanding]:
    """Return every worker that has not signed off, the longest serving first."""
    held, leads = _held(connection), _leads(connection)
    rows = connection.execute(
        select(workers).where(workers.c.ended_at.is_(None)).order_by(workers.c.started_at, workers.c.id)
    )
    return [
        WorkerStanding(
            row.id,
            row.host,
            row.pid,
            row.started_at,
            row.heartbeat_at,
            tuple(held[row.id]),
            tuple(leads[row.id]),
        )
        for row in rows
    ]


def _held(connection: Connection) -> dict[str, list[LaneHeld]]:
    found: dict[str, list[LaneHeld]] = defaultdict(list)
    rows = connection.execute(
        select(jobs.c.worker, jobs.c.run_id, jobs.c.lane, func.count())
        .where(jobs.c.state == JobState.RUNNING.value)
        .group_by(jobs.c.worker, jobs.c.run_id, jobs.c.lane)
        .order_by(jobs.c.run_id, jobs.c.lane)
    )
    for worker, run_id, lane, count in rows:
        found[worker].append(LaneHeld(run_id, lane, count))
    return found


def _leads(connection: Connection) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for role, holder in connection.execute(select(leaderships.c.role, leaderships.c.holder)):
        found[holder].append(role)
    return found
