"""Plans a run: the run and all of its jobs in one transaction, in flat memory however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlalchemy import ColumnElement, Connection, Text, cast, func, insert, literal, null, or_, select, update
from sqlalchemy.exc import IntegrityError

from limpet.errors import RecordError
from limpet.record.backlog import refuse_if_full, take_turn
from limpet.record.bulk import among, as_list, moment_writer
from limpet.record.entry import NewRun
from limpet.record.keeping_targets import put_targets
from limpet.record.tables import jobs, runs, targets
from limpet.target import JobState, Target
from limpet.target.outcome import RunState
from limpet.target.queue import QueueLimits

BATCH = 500


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of the known targets a run goes over; only those that may be visited now."""

    source_ids: Sequence[str] = ()  # empty means every source
    target_ids: Sequence[int] = ()
    only_new: bool = False  # never yet ended in a record, or in the knowledge that there is none
    not_scraped_since: datetime | None = None
    statuses: Sequence[str] = ("active",)
    schedules: Sequence[str | None] | None = (
        None  # only targets with one of these; None: those without their own
    )
    not_waiting: bool = False  # leave out what waits in an unfinished run already


def plan_run(
    connection: Connection,
    new: NewRun,
    chosen: Selection | Iterable[Target],
    *,
    now: datetime,
    limit: int | None = None,
    worker: str | None = None,
    limits: QueueLimits | None = None,
) -> int:
    """Create the run and its jobs and return its id; each target is planned once.

    With limits, raise QueueFull when there is no room for it.
    """
    if limits is not None:
        take_turn(connection)
    run_id = _insert_run(connection, new, now=now, worker=worker)
    _add_jobs(connection, run_id, chosen, now=now, limit=limit)
    if limits is not None:
        refuse_if_full(connection, run_id, limits, now=now)
    return run_id


def fill_run(
    connection: Connection,
    run_id: int,
    chosen: Selection | Iterable[Target],
    *,
    now: datetime,
    limit: int | None = None,
) -> None:
    """Give a run that was opened without jobs all of them; a second time is refused, so none is planned twice."""
    opened = update(runs).where(runs.c.id == run_id, runs.c.prepared_at.is_(None)).values(prepared_at=now)
    if connection.execute(opened).rowcount != 1:
        raise RecordError(f"Run {run_id} has its jobs already.")
    _add_jobs(connection, run_id, chosen, now=now, limit=limit)


def extend_run(connection: Connection, run_id: int, more: Iterable[Target], *, now: datetime) -> None:
    """Give an unfinished run more jobs; a target it has already is not planned twice."""
    going = select(runs.c.id).where(runs.c.id == run_id, runs.c.state == RunState.RUNNING.value)
    if connection.execute(going).scalar_one_or_none() is None:
        raise RecordError(f"Run {run_id} is over: it takes no more targets.")
    _add_jobs(connection, run_id, more, now=now, limit=None)


def _add_jobs(
    connection: Connection,
    run_id: int,
    chosen: Selection | Iterable[Target],
    *,
    now: datetime,
    limit: int | None,
) -> None:
    if isinstance(chosen, Selection):
        _plan_selection(connection, run_id, chosen, now=now, limit=limit)
    else:
        for batch in in_batches(islice(chosen, limit), BATCH):
            put_targets(connection, batch, now=now)
            _plan_targets(connection, run_id, batch, now=now)
    planned = select(func.count()).where(jobs.c.run_id == run_id).scalar_subquery()
    connection.execute(update(runs).where(runs.c.id == run_id).values(planned=planned))


def in_batches(items: Iterable[Target], size: int) -> Iterator[list[Target]]:
    """Yield lists of at most this many."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def _insert_run(connection: Connection, new: NewRun, *, now: datetime, worker: str | None) -> int:
    row = {
        "app": new.app,
        "source_id": new.source_id,
        "trigger": new.trigger.value,
        "mode": new.mode.value,
        "state": RunState.RUNNING.value,
        "planned": 0,
        "dry_run": new.dry_run,
        "params": dict(new.params),
        "started_at": now,
        "worker": worker,
        "due_at": new.due_at,
        "prepared_at": now if new.is_prepared else None,
    }
    try:
        result = connection.execute(insert(runs).values(row))
    except IntegrityError as twice:
        if new.due_at is None:
            raise
        raise RecordError(f"The fire of {new.source_id!r} at {new.due_at:%F %T} has its run.") from twice
    key = result.inserted_primary_key
    assert key is not None
    return int(key[0])


def _plan_selection(
    connection: Connection, run_id: int, chosen: Selection, *, now: datetime, limit: int | None
) -> None:
    picked = (
        select(
            literal(run_id),
            targets.c.id,
            targets.c.source_id,
            targets.c.lane,
            targets.c.priority,
            cast(literal(JobState.PENDING.value), Text),
            literal(0),
            literal(0),
            literal(now, jobs.c.planned_at.type),
        )
        .where(*conditions(chosen))
        .order_by(targets.c.priority.desc(), targets.c.id)
        .limit(limit)
    )
    connection.execute(insert(jobs).from_select(_JOB_COLUMNS, picked))


_JOB_COLUMNS = (
    "run_id",
    "target_id",
    "source_id",
    "lane",
    "priority",
    "state",
    "attempts",
    "fence",
    "planned_at",
)


def conditions(chosen: Selection) -> list[ColumnElement[bool]]:
    """Return what a target must be to be chosen."""
    wanted: list[ColumnElement[bool]] = [
        targets.c.enabled.is_(True),
        targets.c.robots_path_blocked.is_(False),
        targets.c.status.in_(chosen.statuses),
    ]
    if chosen.source_ids:
        wanted.append(targets.c.source_id.in_(chosen.source_ids))
    if chosen.target_ids:
        wanted.append(targets.c.id.in_(chosen.target_ids))
    if chosen.not_scraped_since is not None:
        is_due = targets.c.last_scraped_at < chosen.not_scraped_since
        wanted.append(or_(targets.c.last_scraped_at.is_(None), is_due))
    if chosen.only_new:
        wanted.append(~_was_answered())
    if chosen.schedules is not None:
        wanted.append(_has_schedule(chosen.schedules))
    if chosen.not_waiting:
        wanted.append(~_waits())
    return wanted


def _has_schedule(schedules: Sequence[str | None]) -> ColumnElement[bool]:
    named = targets.c.schedule.in_([each for each in schedules if each is not None])
    return or_(named, targets.c.schedule.is_(None)) if None in schedules else named


def _waits() -> ColumnElement[bool]:
    waiting = (
        select(null())
        .join_from(jobs, runs, runs.c.id == jobs.c.run_id)
        .where(
            jobs.c.target_id == targets.c.id,
            jobs.c.state.in_([JobState.PENDING.value, JobState.RUNNING.value]),
            runs.c.state == RunState.RUNNING.value,
        )
    )
    return waiting.correlate(targets).exists()


def _was_answered() -> ColumnElement[bool]:
    earlier = select(null()).where(
        jobs.c.target_id == targets.c.id,
        jobs.c.state.in_([JobState.SUCCEEDED.value, JobState.NO_RECORD.value]),
    )
    return earlier.correlate(targets).exists()


def _plan_targets(connection: Connection, run_id: int, batch: Sequence[Target], *, now: datetime) -> None:
    addresses: dict[str, list[str]] = defaultdict(list)
    for target in batch:
        addresses[target.source_id].append(target.address)
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    moment = moment_writer(connection)
    sql = (
        f"INSERT INTO jobs ({', '.join(_JOB_COLUMNS)}) "
        f"SELECT {mark}, id, source_id, lane, priority, 'pending', 0, 0, {mark} FROM targets "
        f"WHERE source_id = {mark} AND {among(connection, 'canonical_url', of='text')} "
        f"ORDER BY id ON CONFLICT DO NOTHING"
    )
    for source_id, listed in addresses.items():
        parameters = (run_id, moment(now), source_id, as_list(connection, listed))
        connection.exec_driver_sql(sql, parameters)
