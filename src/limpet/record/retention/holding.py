"""Why a page stays. Asked of every job it is the evidence of, and one reason is enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from limpet.record.alert_tables import AlertStatus, alerts
from limpet.record.log_tables import snapshots
from limpet.record.retention.policy import Kind, RetentionPolicy
from limpet.record.tables import jobs, runs, targets
from limpet.target import JobState
from limpet.target.outcome import RunState

# Which of these jobs an app still needs the page of, and why: a record that waits for a person, a correction.
AppHold = Callable[[Connection, Sequence[int]], Mapping[int, str]]

GOOD = (JobState.SUCCEEDED.value, JobState.NO_RECORD.value)
BAD = (JobState.FAILED.value, JobState.DROPPED.value, JobState.QUARANTINED.value)
_AT_ONCE = 500  # a page may be the evidence of a million jobs


@dataclass(frozen=True, slots=True)
class Circumspection:
    """Everything that is heeded before a page goes."""

    policy: RetentionPolicy
    now: datetime
    app_holds: Sequence[AppHold] = ()


def reasons_to_stay(
    connection: Connection, pages: Sequence[Row[Any]], heeded: Circumspection
) -> dict[str, str]:
    """Return why each page stays; those that are not named may go."""
    alarm, found = _Alarm.read(connection), {}
    ends = _ends(connection, [page.sha256 for page in pages])
    latest = connection.execute(_uses(heeded).where(jobs.c.id.in_([last for last, _ in ends.values()]))).all()
    reasons = _reasons(connection, latest, heeded, alarm)
    for page in pages:
        if page.sha256 not in ends:
            reason = _too_young(page.first_seen_at, "", heeded)  # no job was ever judged by it
        else:
            last, first = ends[page.sha256]
            reason = reasons.get(last)
            if reason is None and first < last:
                reason = _older_reason(connection, page.sha256, last, heeded, alarm)
        if reason is not None:
            found[page.sha256] = reason
    return found


@dataclass(frozen=True, slots=True)
class _Alarm:
    """What open alerts point at."""

    job_ids: frozenset[int]
    run_ids: frozenset[int]

    @staticmethod
    def read(connection: Connection) -> _Alarm:
        alive = select(alerts.c.run_id, alerts.c.evidence).where(
            alerts.c.status.in_([AlertStatus.OPEN.value, AlertStatus.ACKNOWLEDGED.value])
        )
        job_ids, run_ids = set(), set()
        for run_id, evidence in connection.execute(alive):
            job_ids.update([*(evidence.get("bad_jobs") or ()), evidence.get("last_good_job")])
            run_ids.add(run_id)
        return _Alarm(frozenset(job_ids), frozenset(run_ids))


def _reasons(
    connection: Connection, uses: Sequence[Row[Any]], heeded: Circumspection, alarm: _Alarm
) -> dict[int, str]:
    """Return which of these jobs keep their page, and why."""
    found = {}
    for use in uses:
        if reason := _plain_reason(use, heeded, alarm) or _place_in_line(use, heeded):
            found[use.id] = reason
    others = [use.id for use in uses if use.id not in found]
    for hold in heeded.app_holds if others else ():
        found |= hold(connection, others)
    return found


def _plain_reason(use: Row[Any], heeded: Circumspection, alarm: _Alarm) -> str | None:
    if use.run_state == RunState.RUNNING.value or use.ended_at is None:
        return "run_under_way"
    if reason := _too_young(use.ended_at, use.source_id, heeded):
        return reason
    if use.last_snapshot == use.snapshot:
        return "latest_page"  # what the origin is asked about: "has it changed since?"
    is_bad = use.state in BAD
    return "open_alert" if use.id in alarm.job_ids or (is_bad and use.run_id in alarm.run_ids) else None


def _too_young(at: datetime, source_id: str, heeded: Circumspection) -> str | None:
    before = heeded.policy.before(Kind.PAGES, source_id, now=heeded.now)
    if before is None:
        return "kept_for_ever"
    return "too_young" if at >= before else None


def _place_in_line(use: Row[Any], heeded: Circumspection) -> str | None:
    """Say whether it is among the last good pages of its target, or its last bad one."""
    if use.rereads is not None:
        return None  # the job that brought the page stands in line for it
    if use.state in GOOD and use.later_good < heeded.policy.last_pages(use.source_id):
        return "last_good"
    return "last_bad" if use.state in BAD and not use.later_bad else None


def _older_reason(
    connection: Connection, sha256: str, last: int, heeded: Circumspection, alarm: _Alarm
) -> str | None:
    older = _uses(heeded).where(jobs.c.snapshot == sha256).order_by(jobs.c.id.desc()).limit(_AT_ONCE)
    while uses := connection.execute(older.where(jobs.c.id < last)).all():
        if reasons := _reasons(connection, uses, heeded, alarm):
            return next(iter(reasons.values()))
        last = uses[-1].id
    return None


def _ends(connection: Connection, hashes: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return the last and the first job that was judged by each page."""
    question = select(jobs.c.snapshot, func.max(jobs.c.id), func.min(jobs.c.id))
    rows = connection.execute(question.where(jobs.c.snapshot.in_(hashes)).group_by(jobs.c.snapshot))
    return {row[0]: (row[1], row[2]) for row in rows}


def _uses(heeded: Circumspection) -> Select[Any]:
    """Ask for jobs with all that may keep their page; how many pages came later is counted no further than needed."""
    wanted = ("id", "run_id", "target_id", "source_id", "state", "ended_at", "snapshot", "rereads")
    later = jobs.alias("later")
    of_target = select(later.c.snapshot).where(
        later.c.target_id == jobs.c.target_id,
        later.c.id > jobs.c.id,
        later.c.snapshot.is_not(None),
        later.c.rereads.is_(None),  # an old page read again today is not a later page
    )
    good = of_target.where(later.c.state.in_(GOOD), later.c.snapshot != jobs.c.snapshot).correlate(jobs)
    counted = select(func.count()).select_from(
        good.distinct().limit(heeded.policy.most_last_pages).subquery()
    )
    bad = of_target.where(later.c.state.in_(BAD)).correlate(jobs).exists()
    return (
        select(
            *(jobs.c[name] for name in wanted),
            runs.c.state.label("run_state"),
            targets.c.last_snapshot,
            counted.scalar_subquery().label("later_good"),
            bad.label("later_bad"),
        )
        .join_from(jobs, runs, runs.c.id == jobs.c.run_id)
        .join(targets, targets.c.id == jobs.c.target_id)
    )


def old_pages(*, after: str, before: datetime, limit: int) -> Select[Any]:
    """Ask for kept pages first seen before then, in the order of their hashes; `after` is where to go on."""
    wanted = ("sha256", "pack", "stored_bytes", "first_seen_at")
    return (
        select(*(snapshots.c[name] for name in wanted))
        .where(
            snapshots.c.sha256 > after, snapshots.c.purged_at.is_(None), snapshots.c.first_seen_at < before
        )
        .order_by(snapshots.c.sha256)
        .limit(limit)
    )
