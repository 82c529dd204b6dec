"""Hands out jobs, and takes them back: leases with a fence that grows, so that a late writer is refused."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    case,
    func,
    literal_column,
    or_,
    select,
    update,
)

from limpet.record.bulk import among, as_list, moment_writer
from limpet.record.entry import Lease
from limpet.record.setting_aside import IS_TRUSTED, Bookkeepers, is_poison, set_aside
from limpet.record.storable import storable
from limpet.record.tables import jobs, targets
from limpet.target import JobState, Target, Validators

# Written out, not bound: SQLite uses a partial index only when it can see the condition.
_IS_RUNNING = literal_column("jobs.state") == literal_column("'running'")

# What a person decided after the run was planned holds for it too.
_WITHDRAWN = case(
    # A person may also ask for a paused target on purpose: then it was paused before.
    (and_(targets.c.status == "paused", targets.c.updated_at > jobs.c.planned_at), "target_paused"),
    (targets.c.enabled.is_(False), "target_disabled"),
    (targets.c.robots_path_blocked.is_(True), "target_blocked"),
    else_=None,
)


class LaneWaiting(NamedTuple):
    """A lane that still has work; `source_id` is one of its sources."""

    lane: str
    source_id: str
    pending: int


def lanes(connection: Connection, run_id: int) -> list[LaneWaiting]:
    """Return the lanes of a run with jobs not yet ended, the longest first."""
    return _lanes(connection, run_id)


def _lanes(connection: Connection, run_id: int, *more: ColumnElement[bool]) -> list[LaneWaiting]:
    open_jobs = func.count()
    rows = connection.execute(
        select(jobs.c.lane, func.min(jobs.c.source_id), open_jobs)
        .where(
            jobs.c.run_id == run_id,
            jobs.c.state.in_([JobState.PENDING.value, JobState.RUNNING.value]),
            *more,
        )
        .group_by(jobs.c.lane)
        .order_by(open_jobs.desc(), jobs.c.lane)
    )
    return [LaneWaiting(*row) for row in rows]


def lane(connection: Connection, run_id: int, name: str) -> LaneWaiting | None:
    """Return the lane when it still has work."""
    return next((each for each in _lanes(connection, run_id, jobs.c.lane == name)), None)


def lease(
    connection: Connection,
    run_id: int,
    *,
    lane: str,
    worker: str,
    limit: int,
    seconds: float,
    bookkeepers: Bookkeepers,
    now: datetime,
) -> list[Lease]:
    """Hand out jobs by priority, then in planned order; suspects come last, one at a time."""
    rows = _trusted(connection, run_id, lane, now, limit)
    rows = rows or _suspect(connection, run_id, lane, now, bookkeepers)
    if rows:
        _take(connection, [row[0] for row in rows], worker, now=now, until=now + timedelta(seconds=seconds))
    return [_lease_of(row) for row in rows]


def renew(connection: Connection, worker: str, *, until: datetime) -> int:
    """Extend every lease this worker holds and return how many there are."""
    held = update(jobs).where(jobs.c.worker == worker, _IS_RUNNING).values(lease_until=until)
    return connection.execute(held).rowcount


def release(connection: Connection, leases: Sequence[Lease], *, not_before: datetime | None = None) -> int:
    """Put jobs back untouched, perhaps for later; one that is no longer ours stays where it is."""
    if not leases:
        return 0
    still_ours = or_(*(and_(jobs.c.id == lease.job_id, jobs.c.fence == lease.fence) for lease in leases))
    back = update(jobs).where(still_ours, jobs.c.state == JobState.RUNNING.value)
    values = _PENDING_AGAIN | {"attempts": jobs.c.attempts - 1, "not_before": not_before}
    return connection.execute(back.values(values)).rowcount


def let_go(connection: Connection, lease: Lease, *, why: str) -> int:
    """Put a job back whose end could not be written down; the attempt counts, and why is kept."""
    still_ours = jobs.c.id == lease.job_id, jobs.c.fence == lease.fence, _IS_RUNNING
    values = _PENDING_AGAIN | {"details": storable(why)}
    return connection.execute(update(jobs).where(*still_ours).values(values)).rowcount


def release_worker(connection: Connection, worker: str) -> int:
    """Put back every job this worker holds. The attempts stay counted: nobody knows how far they came."""
    held = update(jobs).where(jobs.c.worker == worker, _IS_RUNNING)
    values = _PENDING_AGAIN | {"details": f"held by {worker} when it ended"}
    return connection.execute(held.values(**values)).rowcount


def skip_lane(
    connection: Connection, run_id: int, lane: str, *, reason: str, details: str, now: datetime
) -> int:
    """End every waiting job of a lane as skipped, with one reason."""
    waiting = update(jobs).where(
        jobs.c.run_id == run_id, jobs.c.lane == lane, jobs.c.state == JobState.PENDING.value
    )
    ended = waiting.values(state=JobState.SKIPPED.value, reason=reason, details=details or None, ended_at=now)
    return connection.execute(ended).rowcount


_PENDING_AGAIN: dict[str, Any] = {"state": JobState.PENDING.value, "worker": None, "lease_until": None}


def _select(run_id: int, lane: str, limit: int) -> Select[Any]:
    return (
        select(
            jobs.c.id,
            jobs.c.run_id,
            jobs.c.fence,
            jobs.c.attempts,
            jobs.c.details,
            jobs.c.priority,
            targets.c.id.label("target_id"),
            targets.c.source_id,
            targets.c.canonical_url,
            targets.c.url,
            targets.c.lane,
            targets.c.etag,
            targets.c.last_modified,
            targets.c.params,
            targets.c.last_snapshot,
            _WITHDRAWN.label("withdrawn"),
        )
        .join_from(jobs, targets, jobs.c.target_id == targets.c.id)
        .where(jobs.c.run_id == run_id, jobs.c.lane == lane)
        .order_by(jobs.c.priority.desc(), jobs.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, of=jobs)
    )


def _trusted(connection: Connection, run_id: int, lane: str, now: datetime, limit: int) -> list[Row[Any]]:
    rows = list(connection.execute(_waiting(run_id, lane, now, limit).where(IS_TRUSTED)))
    if len(rows) < limit:
        rows += connection.execute(_expired(run_id, lane, now, limit - len(rows)).where(IS_TRUSTED))
    return rows


def _suspect(
    connection: Connection, run_id: int, lane: str, now: datetime, bookkeepers: Bookkeepers
) -> list[Row[Any]]:
    """Return the suspect taken least often, alone: who dies now knows whom to blame."""
    for kind in (_waiting, _expired):
        least = kind(run_id, lane, now, 1).order_by(None).order_by(jobs.c.attempts, jobs.c.id)
        while row := connection.execute(least).first():
            if not is_poison(row):
                return [row]
            set_aside(connection, row, _lease_of(row), bookkeepers=bookkeepers, now=now)
    return []


def _waiting(run_id: int, lane: str, now: datetime, limit: int) -> Select[Any]:
    """Build the query of what waits; an expired lease counts as waiting too, but has an index of its own."""
    is_due = or_(jobs.c.not_before.is_(None), jobs.c.not_before <= now)
    return _select(run_id, lane, limit).where(jobs.c.state == JobState.PENDING.value, is_due)


def _expired(run_id: int, lane: str, now: datetime, limit: int) -> Select[Any]:
    return _select(run_id, lane, limit).where(
        jobs.c.state == JobState.RUNNING.value, jobs.c.lease_until < now
    )


def _take(connection: Connection, ids: list[int], worker: str, *, now: datetime, until: datetime) -> None:
    moment = moment_writer(connection)
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    # The attempt is counted before it is made: a page that kills us must not be tried for ever.
    connection.exec_driver_sql(
        f"UPDATE jobs SET state = 'running', fence = fence + 1, attempts = attempts + 1, worker = {mark}, "
        f"lease_until = {mark}, started_at = COALESCE(started_at, {mark}) "
        f"WHERE {among(connection, 'id', of='bigint')}",
        (worker, moment(until), moment(now), as_list(connection, ids)),
    )


def _lease_of(row: Row[Any]) -> Lease:
    """Read the columns in the order of `_select`: by name each would cost as much as all of them by place."""
    job_id, run_id, fence, attempts, _, priority, *named, last_snapshot, withdrawn = tuple(row)
    target_id, source_id, address, url, lane, etag, last_modified, params = named
    target = Target(
        source_id=source_id,
        address=address,
        url=url,
        lane=lane,
        id=target_id,
        priority=priority,
        validators=Validators(etag, last_modified),
        params=params or {},
    )
    return Lease(job_id, run_id, target, fence + 1, attempts, last_snapshot, withdrawn)
