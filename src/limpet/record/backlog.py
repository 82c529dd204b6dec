"""What waits in the queue, counted from job rows, and the refusal when it is too much."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select, text

from limpet.errors import QueueFull
from limpet.record.bulk import is_sqlite
from limpet.record.tables import jobs, runs, sources
from limpet.target import JobState
from limpet.target.outcome import RunState
from limpet.target.queue import QueueLimits

RETRY_AFTER_SECONDS = 60.0
# Any number will do, as long as every Limpet uses the same one.
_POSTGRES_LOCK = 5_164_906_352_004


def backlog(connection: Connection, *, planned_since: datetime, without_run: int = 0) -> Counter[str]:
    """Return how many targets wait, by adapter; what waits longer is stale, and nobody waits for it."""
    question = (
        select(sources.c.adapter_id, func.count())
        .join_from(jobs, runs, runs.c.id == jobs.c.run_id)
        .join(sources, sources.c.id == jobs.c.source_id)
        .where(
            runs.c.state == RunState.RUNNING.value,
            jobs.c.state == JobState.PENDING.value,
            jobs.c.planned_at >= planned_since,
            jobs.c.run_id != without_run,
        )
        .group_by(sources.c.adapter_id)
    )
    return Counter({row[0]: row[1] for row in connection.execute(question)})


def refuse_if_full(connection: Connection, run_id: int, limits: QueueLimits, *, now: datetime) -> None:
    """Raise QueueFull when this run, planned in the same transaction, is more than there is room for.

    A run is taken whole or not at all. Beside what waits, it must fit; where nothing waits, it may be as large as
    it likes, because then it delays nobody but itself.
    """
    since = now - timedelta(seconds=limits.max_age_seconds)
    waiting = backlog(connection, planned_since=since, without_run=run_id)
    wanted = _planned(connection, run_id)
    for adapter, count in wanted.items():
        if _is_too_much(count, beside=waiting[adapter], limit=limits.max_pending_per_adapter):
            raise _refusal(f"the adapter {adapter!r}", waiting[adapter], limits.max_pending_per_adapter)
    if _is_too_much(wanted.total(), beside=waiting.total(), limit=limits.max_pending_total):
        raise _refusal("all adapters", waiting.total(), limits.max_pending_total)


def take_turn(connection: Connection) -> None:
    """Let one planner plan at a time, so that two do not both see the last room."""
    if not is_sqlite(connection):  # BEGIN IMMEDIATE has waited on SQLite already
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})


def _planned(connection: Connection, run_id: int) -> Counter[str]:
    question = (
        select(sources.c.adapter_id, func.count())
        .join_from(jobs, sources, sources.c.id == jobs.c.source_id)
        .where(jobs.c.run_id == run_id)
        .group_by(sources.c.adapter_id)
    )
    return Counter({row[0]: row[1] for row in connection.execute(question)})


def _is_too_much(count: int, *, beside: int, limit: int) -> bool:
    return beside > 0 and beside + count > limit


def _refusal(whom: str, waiting: int, limit: int) -> QueueFull:
    return QueueFull(
        f"The queue is full: {waiting:,} targets of {whom} wait, and no more than {limit:,} may. "
        f"Retry after {RETRY_AFTER_SECONDS:.0f} s.",
        fix="Let the runs under way finish, or go on with one that was stopped: limpet resume.",
        retry_after=RETRY_AFTER_SECONDS,
    )
