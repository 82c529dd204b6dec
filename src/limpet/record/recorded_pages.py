"""Pages that were read once and whose bodies are kept: found again in order, to be read by a better adapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, func, select

from limpet.fetch.outcome import FetchOutcome
from limpet.fetch.page import Page
from limpet.record.log_tables import requests, snapshots
from limpet.record.snapshots import SnapshotStore
from limpet.record.tables import attempts, jobs, runs, targets
from limpet.target import Outcome, Target

# A try that ended so brought the page the adapter was shown; any other brought only evidence of a refusal.
_BROUGHT_A_PAGE = (FetchOutcome.OK.value, FetchOutcome.NOT_MODIFIED.value)
_FOR_A_PAGE = ("page", "redirect")  # what a browser loads beside its page says nothing about the page
# By lane and time: that index exists, one by job does not.
_LAST_REQUEST = (
    select(requests.c.url, requests.c.started_at)
    .where(
        requests.c.domain == bindparam("lane"),
        requests.c.started_at >= bindparam("since"),
        requests.c.started_at <= bindparam("until"),
        requests.c.job_id == bindparam("job"),
        requests.c.kind.in_(_FOR_A_PAGE),
    )
    .order_by(requests.c.started_at.desc())
    .limit(1)
)
_ENDINGS = [each.value for each in Outcome if each is not Outcome.SKIPPED]


@dataclass(frozen=True, slots=True)
class PageWish:
    """Which recorded pages are wanted; what is left out does not matter."""

    app: str
    source_ids: Sequence[str]  # the sources today's adapters are known for
    run_id: int | None = None
    since: datetime | None = None  # when the page was read first
    until: datetime | None = None  # that moment not included


@dataclass(frozen=True, slots=True)
class RecordedPage:
    """One visit that brought a page: where and when, how it was read then, and under which hash it lies."""

    job_id: int
    run_id: int
    target: Target
    outcome: Outcome
    reason: str | None
    details: str
    snapshot: str
    media_type: str
    charset: str | None
    is_kept: bool  # retention may have removed the body
    site_id: str | None
    site_version: str | None
    started_at: datetime | None
    ended_at: datetime
    answered_at: datetime  # when the last try had its answer


def recorded_pages(
    connection: Connection, wish: PageWish, *, after: int = 0, limit: int = 200
) -> list[RecordedPage]:
    """Return pages in the order of their jobs; `after` is the job id they start above."""
    question = _pages(wish).where(jobs.c.id > after).order_by(jobs.c.id).limit(limit)
    return [_recorded(row) for row in connection.execute(question)]


def newest_pages(connection: Connection, wish: PageWish, *, before: int, limit: int) -> list[RecordedPage]:
    """Return the newest pages first, below a job id."""
    question = _pages(wish).where(jobs.c.id < before).order_by(jobs.c.id.desc()).limit(limit)
    return [_recorded(row) for row in connection.execute(question)]


def count_pages(connection: Connection, wish: PageWish) -> int:
    """Return how many there are."""
    return connection.execute(select(func.count()).select_from(_pages(wish).subquery())).scalar_one()


def newest_job(connection: Connection) -> int:
    """Return the id of the newest job of all, zero when there is none."""
    return connection.execute(select(func.max(jobs.c.id))).scalar() or 0


def page_of(
    connection: Connection, store: SnapshotStore, recorded: RecordedPage, *, observed_at: datetime | None
) -> Page:
    """Return the page as the adapter was shown it, with its body proven by its hash; raise SnapshotDamaged without.

    `observed_at` is when a fact taken from it says it was seen; the page keeps that date.
    """
    body = store.read(connection, recorded.snapshot)
    final_url, asked_at = _last_request(connection, recorded) or (recorded.target.url, recorded.answered_at)
    declared = f"; charset={recorded.charset}" if recorded.charset else ""
    url = recorded.target.url
    return Page(
        url=url,
        final_url=url if _place(final_url) == _place(url) else final_url,
        status=200,
        headers={"content-type": recorded.media_type + declared} if recorded.media_type else {},
        body=body,
        fetched_at=observed_at or asked_at,
    )


def _last_request(connection: Connection, recorded: RecordedPage) -> tuple[str, datetime] | None:
    """Return the request the page answered; it is kept without its query: only a redirect makes its address count."""
    if recorded.started_at is None:
        return None
    asked = {
        "lane": recorded.target.lane,
        "since": recorded.started_at,
        "until": recorded.ended_at,
        "job": recorded.job_id,
    }
    row = connection.execute(_LAST_REQUEST, asked).first()
    return None if row is None else (row.url, row.started_at)


def _place(url: str) -> tuple[str | None, str]:
    parts = urlsplit(url)
    return parts.hostname, parts.path.rstrip("/")


def _pages(wish: PageWish) -> Select[Any]:
    last = attempts.alias("last")
    newest_try = (
        select(func.max(attempts.c.id))
        .where(attempts.c.job_id == jobs.c.id)
        .correlate(jobs)
        .scalar_subquery()
    )
    return (
        select(
            jobs.c.id,
            jobs.c.run_id,
            jobs.c.state,
            jobs.c.reason,
            jobs.c.details,
            jobs.c.snapshot,
            jobs.c.site_id,
            jobs.c.site_version,
            jobs.c.started_at,
            jobs.c.ended_at,
            targets.c.id.label("target_id"),
            targets.c.source_id,
            targets.c.canonical_url,
            targets.c.url,
            targets.c.lane,
            targets.c.params,
            snapshots.c.media_type,
            snapshots.c.charset,
            snapshots.c.purged_at,
            last.c.started_at.label("asked_at"),
            last.c.elapsed_ms,
        )
        .join_from(jobs, targets, targets.c.id == jobs.c.target_id)
        .join(runs, runs.c.id == jobs.c.run_id)
        .join(snapshots, snapshots.c.sha256 == jobs.c.snapshot)
        .join(last, last.c.id == newest_try)
        .where(*_conditions(wish), last.c.outcome.in_(_BROUGHT_A_PAGE))
    )


def _conditions(wish: PageWish) -> list[ColumnElement[bool]]:
    wanted = [
        jobs.c.rereads.is_(None),
        jobs.c.state.in_(_ENDINGS),
        jobs.c.source_id.in_(wish.source_ids),
        runs.c.app == wish.app,
        runs.c.dry_run.is_(False),
    ]
    if wish.run_id is not None:
        wanted.append(jobs.c.run_id == wish.run_id)
    if wish.since is not None:
        wanted.append(jobs.c.ended_at >= wish.since)
    if wish.until is not None:
        wanted.append(jobs.c.ended_at < wish.until)
    return wanted


def _recorded(row: Row[Any]) -> RecordedPage:
    target = Target(
        row.source_id, row.canonical_url, row.url, row.lane, id=row.target_id, params=row.params or {}
    )
    return RecordedPage(
        job_id=row.id,
        run_id=row.run_id,
        target=target,
        outcome=Outcome(row.state),
        reason=row.reason,
        details=row.details or "",
        snapshot=row.snapshot,
        media_type=row.media_type,
        charset=row.charset,
        is_kept=row.purged_at is None,
        site_id=row.site_id,
        site_version=row.site_version,
        started_at=row.started_at,
        ended_at=row.ended_at,
        answered_at=row.asked_at + timedelta(milliseconds=row.elapsed_ms),
    )
