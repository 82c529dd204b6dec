"""The checkpoint of a batch: every job in a line, and how far the batch has come without a hole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import orjson

from limpet.apps.dockets.errors import CheckpointUnusable
from limpet.target import JobState

SCHEMA_VERSION = 1
OPEN = frozenset({JobState.PENDING.value, JobState.RUNNING.value})
_FIX = "Name another checkpoint, or start the batch anew: what is on record is not asked again."


@dataclass(frozen=True, slots=True)
class JobSummary:
    """A job as the checkpoint holds it; `last_error` has type, message and ts."""

    job_id: str
    case_id: str
    state: str
    attempts: int
    last_error: Mapping[str, Any] | None = None

    @property
    def is_open(self) -> bool:
        """Whether it still has to be done."""
        return self.state in OPEN

    def resumed(self) -> JobSummary:
        """Return it as the next run has to take it: one under way at the time may or may not have been asked."""
        if self.state == JobState.SKIPPED.value and not self.attempts:
            return replace(self, state=JobState.PENDING.value, last_error=None)  # nobody ever asked for it
        if self.state != JobState.RUNNING.value:
            return self
        return replace(self, state=JobState.PENDING.value, attempts=self.attempts + 1)


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last job before the first that is still open: all up to here have ended."""

    last_job_id: str | None = None
    last_job_index: int = -1


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A run as it stood at one moment."""

    run_id: str
    source_id: str
    jobs: Sequence[JobSummary]
    cursor: Cursor
    updated_at: datetime
    worker_state: Mapping[str, Any] = field(default_factory=dict)
    schema_version: int = SCHEMA_VERSION

    def to_bytes(self) -> bytes:
        """Return the file's content."""
        written = {
            "schema_version": self.schema_version,
            "run_id": self.run_id,
            "source_id": self.source_id,
            "cursor": self.cursor,
            "updated_at": self.updated_at,
            "worker_state": self.worker_state,
            "jobs": self.jobs,
        }
        return orjson.dumps(written, option=orjson.OPT_UTC_Z) + b"\n"


def cursor_of(jobs: Sequence[JobSummary], *, start: int = -1) -> Cursor:
    """Return how far the jobs have ended without a hole, from a place known to be reached."""
    place = start
    while place + 1 < len(jobs) and not jobs[place + 1].is_open:
        place += 1
    return Cursor(jobs[place].job_id if place >= 0 else None, place)


def read_checkpoint(content: bytes, *, name: str) -> Checkpoint:
    """Return the checkpoint a file holds; raise CheckpointUnusable when it cannot be believed."""
    try:
        raw = orjson.loads(content)
        version = raw["schema_version"]
        if version != SCHEMA_VERSION:
            raise CheckpointUnusable(
                f"{name} is of kind {version}, this Limpet knows {SCHEMA_VERSION}.", fix=_FIX
            )
        found = Checkpoint(
            run_id=str(raw["run_id"]),
            source_id=str(raw["source_id"]),
            jobs=[summary_of(each) for each in raw["jobs"]],
            cursor=Cursor(**raw["cursor"]),
            updated_at=datetime.fromisoformat(raw["updated_at"]),
            worker_state=raw.get("worker_state") or {},
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as exc:
        raise CheckpointUnusable(f"{name} is damaged: {damage(exc)}.", fix=_FIX) from exc
    require_consistent(found.jobs, found.cursor, name=name)
    return found


def damage(error: Exception) -> str:
    """Say what is wrong with a file, in words for people who know nothing of what reads it."""
    if isinstance(error, orjson.JSONDecodeError):
        return "it is not JSON"
    if isinstance(error, KeyError):
        return f"it lacks {error.args[0]}"
    return "it holds something no checkpoint does"


def summary_of(raw: Mapping[str, Any]) -> JobSummary:
    """Return one line of the file."""
    return JobSummary(
        job_id=str(raw["job_id"]),
        case_id=str(raw["case_id"]),
        state=JobState(raw["state"]).value,
        attempts=int(raw["attempts"]),
        last_error=raw.get("last_error"),
    )


def require_consistent(jobs: Sequence[JobSummary], cursor: Cursor, *, name: str) -> None:
    """Raise unless cursor and jobs tell the same story: a resume trusts both."""
    place = cursor.last_job_index
    if not -1 <= place < len(jobs) or (place >= 0 and jobs[place].job_id != cursor.last_job_id):
        raise CheckpointUnusable(f"The cursor of {name} points at no job of it.", fix=_FIX)
    if any(job.is_open for job in jobs[: place + 1]):
        raise CheckpointUnusable(f"The cursor of {name} stands behind jobs that are still open.", fix=_FIX)
    if len({job.job_id for job in jobs}) != len(jobs):
        raise CheckpointUnusable(f"{name} holds a job twice.", fix=_FIX)


def applied(jobs: Sequence[JobSummary], changes: Iterable[JobSummary]) -> list[JobSummary]:
    """Return the jobs with later summaries in the place of earlier ones; what was added on the way comes last."""
    return list(({job.job_id: job for job in jobs} | {change.job_id: change for change in changes}).values())
