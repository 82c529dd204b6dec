"""The lives of targets: broken after five failures in a row, stale when nobody came, active again when it answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from limpet.record.bulk import BulkInsert, among, as_list, rows_of
from limpet.record.tables import jobs, runs, sources, targets
from limpet.target import JobState
from limpet.target.outcome import FAILURES_UNTIL_BROKEN, RunState

# In SQL, because a settlement must not read before it writes. `v.failed` says whether this ending counts.
# A paused target stays paused, however it went; any attempt ends staleness.
NEXT_STATUS = (
    "CASE WHEN targets.status = 'paused' THEN 'paused' "
    f"WHEN v.failed = 0 THEN 'active' WHEN targets.consecutive_failures + 1 >= {FAILURES_UNTIL_BROKEN} "
    "THEN 'broken' WHEN targets.status = 'stale' THEN 'active' ELSE targets.status END"
)
_EVENTS = BulkInsert("events", ("run_id", "target_id", "source_id", "event_type", "payload", "created_at"))


def note_broken(connection: Connection, failed: Sequence[int], *, at: Any) -> None:
    """Note an event for each of these targets whose fifth failure this was; later ones are no news."""
    sql = (
        "SELECT id, source_id FROM targets WHERE status = 'broken' "
        f"AND consecutive_failures = {FAILURES_UNTIL_BROKEN} AND {among(connection, 'id', of='bigint')}"
    )
    found = rows_of(connection, sql, (as_list(connection, failed),))
    payload = f'{{"consecutive_failures": {FAILURES_UNTIL_BROKEN}}}'
    _EVENTS.run(connection, [(None, row[0], row[1], "target_broken", payload, at) for row in found])


def mark_waiting_too_long(connection: Connection, *, planned_before: datetime, now: datetime) -> int:
    """Make active targets stale that wait in an unfinished run since before then; return how many."""
    waiting = (
        select(jobs.c.target_id)
        .join(runs, runs.c.id == jobs.c.run_id)
        .where(
            runs.c.state == RunState.RUNNING.value,
            jobs.c.state == JobState.PENDING.value,
            jobs.c.planned_at < planned_before,
        )
    )
    return _make_stale(connection, targets.c.id.in_(waiting), now=now)


def mark_not_visited(connection: Connection, source_id: str, *, since: datetime, now: datetime) -> int:
    """Make a source's active targets stale that were not visited since then; return how many."""
    not_visited = or_(targets.c.last_scraped_at.is_(None), targets.c.last_scraped_at < since)
    return _make_stale(connection, targets.c.source_id == source_id, not_visited, now=now)


def count_stale(connection: Connection) -> int:
    """Return how many targets are stale."""
    return connection.execute(select(func.count()).where(targets.c.status == "stale")).scalar_one()


def latest_fire(connection: Connection, source_id: str) -> datetime | None:
    """Return the latest fire of the source's schedule that a run has answered."""
    return connection.execute(select(func.max(runs.c.due_at)).where(runs.c.source_id == source_id)).scalar()


def known_since(connection: Connection, source_id: str) -> datetime | None:
    """Return when the ledger first heard of the source."""
    return connection.execute(select(sources.c.created_at).where(sources.c.id == source_id)).scalar()


def is_walked(connection: Connection, source_id: str) -> bool:
    """Whether a run of this very source is under way."""
    under_way = runs.c.source_id == source_id, runs.c.state == RunState.RUNNING.value
    return connection.execute(select(runs.c.id).where(*under_way).limit(1)).first() is not None


def target_schedules(connection: Connection) -> dict[str, list[str]]:
    """Return the schedules targets have of their own, by source."""
    question = (
        select(targets.c.source_id, targets.c.schedule)
        .where(targets.c.schedule.is_not(None), targets.c.status == "active", targets.c.enabled.is_(True))
        .distinct()
    )
    found: dict[str, list[str]] = {}
    for source_id, schedule in connection.execute(question):
        found.setdefault(source_id, []).append(schedule)
    return found


def _make_stale(connection: Connection, *which: ColumnElement[bool], now: datetime) -> int:
    chosen = update(targets).where(targets.c.status == "active", targets.c.enabled.is_(True), *which)
    return connection.execute(chosen.values(status="stale", updated_at=now)).rowcount
