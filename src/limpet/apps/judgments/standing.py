"""How every case of a source stands: downloaded or not, and how its last job ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, select

from limpet.apps.judgments.tables import case_files, cases
from limpet.record.making_room import TAKEN_OVER
from limpet.record.tables import jobs, targets
from limpet.target import JobState

_FAILED = frozenset({JobState.FAILED.value, JobState.DROPPED.value, JobState.QUARANTINED.value})
_OPEN = frozenset({JobState.PENDING.value, JobState.RUNNING.value})


@dataclass(frozen=True, slots=True)
class CaseStanding:
    """One active case, and what became of it so far."""

    id: int
    token: str
    token_norm: str
    file_key: str
    address: str
    is_criminal: bool
    first_seen_version_id: int
    title: str | None
    judgment_date: str | None
    path: str | None  # of its file, when it was ever downloaded
    size_bytes: int | None
    sha256: str | None
    last_state: str | None
    last_reason: str | None

    @property
    def failed_last(self) -> bool:
        """Whether its last job ended in trouble."""
        return self.last_state in _FAILED

    @property
    def was_left_open(self) -> bool:
        """Whether its last job was begun or planned, and then abandoned with its process."""
        return self.last_state in _OPEN or (
            self.last_state == JobState.SKIPPED.value and self.last_reason == TAKEN_OVER
        )


def active_cases(connection: Connection, source: str, *, without_run: int) -> Iterator[CaseStanding]:
    """Yield every active case, the newest judgment first; `without_run` is the run about to be planned."""
    newest_file = (
        select(case_files.c.case_id, func.max(case_files.c.id).label("id"))
        .group_by(case_files.c.case_id)
        .subquery()
    )
    last_job = (
        select(jobs.c.target_id, func.max(jobs.c.id).label("id"))
        .where(jobs.c.source_id == source, jobs.c.run_id != without_run)
        .group_by(jobs.c.target_id)
        .subquery()
    )
    question = (
        select(
            cases.c.id,
            cases.c.action_token_raw,
            cases.c.action_token_norm,
            cases.c.file_key,
            cases.c.address,
            cases.c.is_criminal,
            cases.c.first_seen_version_id,
            cases.c.title,
            cases.c.judgment_date,
            case_files.c.path,
            case_files.c.size_bytes,
            case_files.c.sha256,
            jobs.c.state,
            jobs.c.reason,
        )
        .select_from(cases)
        .outerjoin(newest_file, newest_file.c.case_id == cases.c.id)
        .outerjoin(case_files, case_files.c.id == newest_file.c.id)
        .outerjoin(
            targets, and_(targets.c.source_id == cases.c.source, targets.c.canonical_url == cases.c.address)
        )
        .outerjoin(last_job, last_job.c.target_id == targets.c.id)
        .outerjoin(jobs, jobs.c.id == last_job.c.id)
        .where(cases.c.source == source, cases.c.is_active == 1)
        .order_by(func.coalesce(cases.c.judgment_date, "").desc(), cases.c.id.desc())
    )
    for row in connection.execute(question, execution_options={"yield_per": 2_000}):
        yield _standing(row)


def _standing(row: Sequence[Any]) -> CaseStanding:
    values = list(row)
    values[5] = bool(values[5])
    return CaseStanding(*values)
