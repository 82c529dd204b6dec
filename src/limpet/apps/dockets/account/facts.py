"""What the ledger says about the jobs of a batch: the one source of every file of its account."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, exists, func, literal_column, or_, select

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.tables import docket_case_versions, docket_cases
from limpet.fetch.outcome import FetchOutcome
from limpet.record.tables import attempts, jobs, targets
from limpet.target import JobState

CHUNK = 500
# A gate of our own that stayed shut is no question the court was asked.
_WAS_ASKED = exists().where(attempts.c.job_id == jobs.c.id, attempts.c.outcome != FetchOutcome.REFUSED.value)


@dataclass(frozen=True, slots=True)
class JobFacts:
    """One job as it stands."""

    id: int
    case_id: str
    state: JobState
    attempts: int
    reason: str | None
    details: str | None
    ended_at: datetime | None
    snapshot: str | None
    saved_path: str | None

    @property
    def error(self) -> str | None:
        """Why it did not end well, in a line."""
        is_well = self.state in (JobState.SUCCEEDED, JobState.NO_RECORD) or self.reason is None
        return None if is_well else f"{self.reason}: {self.details or ''}".rstrip(": ")[:500]


@dataclass(frozen=True, slots=True)
class AttemptFacts:
    """One try of a job."""

    job_id: int
    started_at: datetime
    outcome: str
    status: int | None
    error: str | None


def job_facts(connection: Connection, run_id: int, job_ids: Sequence[int] | None = None) -> list[JobFacts]:
    """Return these jobs of the run, or all of them, in planned order."""
    question = _question(run_id)
    if job_ids is None:
        return [_facts_of(row) for row in connection.execute(question)]
    found = [
        row for part in in_chunks(job_ids) for row in connection.execute(question.where(jobs.c.id.in_(part)))
    ]
    return [_facts_of(row) for row in found]


def with_paths(connection: Connection, source_id: str, facts: Sequence[JobFacts]) -> list[JobFacts]:
    """Return the jobs, each success with the file of the version it found, also when that was known before."""
    without = [each.case_id for each in facts if each.saved_path is None and each.state is JobState.SUCCEEDED]
    cases, versions = docket_cases.c, docket_case_versions.c
    question = (
        select(cases.case_id, versions.saved_path)
        .join(docket_cases, and_(cases.id == versions.docket_case_id, cases.version == versions.version))
        .where(cases.source_id == source_id, cases.case_id.in_(without))
    )
    paths = {row.case_id: row.saved_path for row in connection.execute(question)} if without else {}
    return [replace(each, saved_path=each.saved_path or paths.get(each.case_id)) for each in facts]


def running_jobs(connection: Connection, run_id: int) -> set[int]:
    """Return the jobs that are under way."""
    # Written out, not bound: SQLite uses a partial index only when it can see the condition.
    is_running = literal_column("jobs.state") == literal_column("'running'")
    question = select(jobs.c.id).where(jobs.c.run_id == run_id, is_running)
    return set(connection.execute(question).scalars())


def count_attempted(connection: Connection, run_id: int) -> int:
    """Return how many jobs of the run were asked for and have ended, counted by the database alone."""
    was_tried = or_(jobs.c.state != JobState.SKIPPED.value, _WAS_ASKED)
    question = select(func.count()).where(
        jobs.c.run_id == run_id, jobs.c.state.not_in(["pending", "running"]), was_tried
    )
    return connection.execute(question).scalar_one()


def attempts_by_job(connection: Connection, job_ids: Sequence[int]) -> Mapping[int, list[AttemptFacts]]:
    """Return every try of these jobs, oldest first."""
    found: dict[int, list[AttemptFacts]] = defaultdict(list)
    columns = attempts.c
    for part in in_chunks(job_ids):
        question = (
            select(columns.job_id, columns.started_at, columns.outcome, columns.status, columns.error_message)
            .where(columns.job_id.in_(part))
            .order_by(columns.id)
        )
        for row in connection.execute(question):
            found[row.job_id].append(AttemptFacts(*row))
    return found


def in_chunks(job_ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield parts that fit into one statement."""
    for start in range(0, len(job_ids), CHUNK):
        yield job_ids[start : start + CHUNK]


def _question(run_id: int) -> Any:
    columns = jobs.c
    return (
        select(
            columns.id,
            columns.state,
            columns.attempts,
            columns.reason,
            columns.details,
            columns.ended_at,
            columns.snapshot,
            targets.c.canonical_url,
            targets.c.params,
            docket_case_versions.c.saved_path,
            or_(columns.state != JobState.SKIPPED.value, _WAS_ASKED).label("was_tried"),
        )
        .join_from(jobs, targets, targets.c.id == columns.target_id)
        .outerjoin(docket_case_versions, docket_case_versions.c.job_id == columns.id)
        .where(columns.run_id == run_id)
        .order_by(columns.id)
    )


def _facts_of(row: Any) -> JobFacts:
    case = case_at(row.canonical_url)
    return JobFacts(
        id=row.id,
        case_id=str(case) if case else str((row.params or {}).get("case_id", "")),
        state=JobState(row.state),
        attempts=row.attempts if row.was_tried else 0,
        reason=row.reason,
        details=row.details,
        ended_at=row.ended_at,
        snapshot=row.snapshot,
        saved_path=row.saved_path,
    )
