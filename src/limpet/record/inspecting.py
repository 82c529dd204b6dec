"""Looks closely at single jobs and their evidence, and feels the ledger's pulse; for people who look on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from limpet.record.entry import AttemptNote
from limpet.record.log_tables import audit_log, events, requests, snapshots
from limpet.record.reading import Job
from limpet.record.tables import attempts, jobs, runs, targets
from limpet.target import JobState
from limpet.target.outcome import RunState


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about a kept body without opening it."""

    sha256: str
    raw_bytes: int
    stored_bytes: int
    media_type: str
    charset: str | None
    first_seen_at: datetime
    purged_at: datetime | None
    purged_by: str | None  # retention, purge

    @property
    def removal(self) -> str:
        """How the body went, in words; empty while it is here."""
        if self.purged_at is None:
            return ""
        how = "with its year, by a purge" if self.purged_by == "purge" else "by the retention rule"
        return f"removed {how} on {self.purged_at:%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class SentRequest:
    """One request of a job, as it was noted."""

    url: str
    kind: str
    started_at: datetime
    elapsed_ms: float
    waited_ms: float
    outcome: str
    status: int | None
    error_code: str | None
    bytes_received: int
    robots_verdict: str | None
    retry_after_seconds: float | None


def find_job(connection: Connection, job_id: int) -> Job | None:
    """Return the job, or None when there is no such one."""
    columns = [jobs.c[name] for name in Job.__slots__ if name != "url"]
    question = (
        select(*columns, targets.c.url)
        .join_from(jobs, targets, jobs.c.target_id == targets.c.id)
        .where(jobs.c.id == job_id)
    )
    row = connection.execute(question).one_or_none()
    return None if row is None else Job(**{**row._mapping, "state": JobState(row.state)})


def attempts_by_job(connection: Connection, job_ids: Sequence[int]) -> dict[int, list[AttemptNote]]:
    """Return every try of these jobs, oldest first; a job never tried is not named."""
    columns = [attempts.c[name] for name in AttemptNote.__struct_fields__]
    question = select(attempts.c.job_id, *columns).where(attempts.c.job_id.in_(job_ids))
    found: dict[int, list[AttemptNote]] = defaultdict(list)
    for job_id, *values in connection.execute(question.order_by(attempts.c.id)):
        found[job_id].append(AttemptNote(*values))
    return dict(found)


def requests_of(connection: Connection, job: Job, *, limit: int = 200) -> list[SentRequest]:
    """Return what was sent for the job, in order.

    Requests are found through their lane and the time of the job: that index exists, one by job does not.
    """
    if job.started_at is None:
        return []
    columns = [requests.c[name] for name in SentRequest.__slots__]
    question = select(*columns).where(
        requests.c.domain == job.lane, requests.c.started_at >= job.started_at, requests.c.job_id == job.id
    )
    if job.ended_at is not None:
        question = question.where(requests.c.started_at <= job.ended_at)
    rows = connection.execute(question.order_by(requests.c.started_at).limit(limit))
    return [SentRequest(*row) for row in rows]


def find_evidence(connection: Connection, sha256: str) -> Evidence | None:
    """Return what is known about a kept body, or None when it was never kept."""
    columns = [snapshots.c[name] for name in Evidence.__slots__]
    row = connection.execute(select(*columns).where(snapshots.c.sha256 == sha256)).one_or_none()
    return None if row is None else Evidence(*row)


def pulse(connection: Connection) -> tuple[int, ...]:
    """Return numbers that differ whenever something worth seeing was written, each found in one step."""
    newest = [
        select(func.max(table.c.id)).scalar_subquery()
        for table in (runs, attempts, requests, events, audit_log)
    ]
    under_way = select(func.count()).where(runs.c.state == RunState.RUNNING.value).scalar_subquery()
    return tuple(number or 0 for number in connection.execute(select(*newest, under_way)).one())
