"""Jobs as the batch seed records them: everything needed to do one again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Integer, Text, column, select, table

from limpet.record.types import Json, UtcTime

_BATCH_JOBS = table(
    "batch_jobs",
    column("job_id", Text),
    column("url", Text),
    column("params", Json),
    column("state", Text),
    column("attempts", Integer),
    column("last_error", Json),
    column("created_at", UtcTime),
)


@dataclass(frozen=True, slots=True)
class JobRecord:
    """One job; `state` is pending, running, succeeded or failed, `last_error` has type, message and ts."""

    job_id: str
    url: str
    params: Mapping[str, Any]
    state: str
    attempts: int
    last_error: Mapping[str, Any] | None
    created_at: datetime


def job_records(connection: Connection, run_id: int) -> list[JobRecord]:
    """Return the run's jobs in planned order."""
    question = select(_BATCH_JOBS).where(_BATCH_JOBS.c.job_id.startswith(f"{run_id}-"))
    rows = connection.execute(question).all()
    found = [JobRecord(**{**row._mapping, "params": row.params or {}}) for row in rows]
    return sorted(found, key=lambda record: int(record.job_id.rpartition("-")[2]))
