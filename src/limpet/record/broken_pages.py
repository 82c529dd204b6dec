"""Which pages tell a breakage best: the last one that was read well, and the first one after it that was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from limpet.extract import Missing
from limpet.record.log_tables import scrape_batches, snapshots
from limpet.record.tables import attempts, jobs, runs, targets
from limpet.target import JobState
from limpet.target.outcome import REASONS_EXEMPT_FROM_DRIFT

_BAD = (JobState.FAILED.value, JobState.DROPPED.value, JobState.QUARANTINED.value)
_BATCHES = 20
_NEWEST_RUNS = 5
_MOST_ROWS = 2_000
_MOST_TARGETS = 500
# What the page is, rather than where things stand on it: no selector would help.
_NOT_OUR_READING = {
    each.value
    for each in (
        Missing.BLOCKED_PAGE,
        Missing.GONE,
        Missing.NO_RECORD,
        Missing.LISTING_PAGE,
        Missing.EMPTY_PAGE,
    )
}
_OUR_READING = {each.value for each in Missing} - _NOT_OUR_READING


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A job whose page is still kept, with what the job made of it."""

    job_id: int
    run_id: int
    target_id: int
    source_id: str
    url: str
    canonical_url: str
    lane: str
    params: Mapping[str, Any] | None
    state: str
    reason: str | None
    details: str | None
    ended_at: datetime | None
    site_version: str | None
    sha256: str
    media_type: str
    charset: str | None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class BrokenPages:
    """The two pages, as far as there are any; `reasons` counts how targets are broken now."""

    good: KeptPage | None
    bad: KeptPage | None
    reasons: tuple[tuple[str, int], ...] = ()

    @property
    def is_same_target(self) -> bool:
        """Whether both pages are of one target, so that they can be compared value by value."""
        return self.good is not None and self.bad is not None and self.good.target_id == self.bad.target_id


def broken_pages(connection: Connection, *, site_id: str, source_id: str | None = None) -> BrokenPages:
    """Return the pair that tells most, of one target where possible; what was purged is not there."""
    run_ids = _recent_runs(connection, site_id)
    bad = _pages(connection, site_id, source_id, run_ids=run_ids, states=_BAD)
    bad = [each for each in bad if each.reason not in REASONS_EXEMPT_FROM_DRIFT]
    good = _last_good(connection, site_id, sorted({each.target_id for each in bad})[:_MOST_TARGETS])
    broken = [each for each in bad if each.target_id not in good or each.job_id > good[each.target_id]]
    reasons = Counter(each.reason or each.state for each in _newest_of_each(broken))
    chosen = _most_telling(broken, good, reasons)
    if chosen is not None and chosen.target_id in good:
        return _pair(connection, site_id, good[chosen.target_id], chosen, reasons)
    read_well = _pages(connection, site_id, source_id, run_ids=run_ids, states=(JobState.SUCCEEDED.value,))
    newest = max(read_well, key=lambda each: each.job_id, default=None)
    return _with_status(connection, newest, chosen, reasons)


def _recent_runs(connection: Connection, site_id: str) -> list[int]:
    judged = (
        select(scrape_batches.c.run_id)
        .where(scrape_batches.c.adapter_id == site_id)
        .order_by(scrape_batches.c.concluded_at.desc())
        .limit(_BATCHES)
    )
    newest = select(runs.c.id).order_by(runs.c.id.desc()).limit(_NEWEST_RUNS)
    return sorted({*connection.execute(judged).scalars(), *connection.execute(newest).scalars()})


def _question() -> Any:
    return (
        select(
            jobs.c.id, jobs.c.run_id, jobs.c.target_id, jobs.c.source_id, targets.c.url, targets.c.canonical_url,
            jobs.c.lane, targets.c.params,
            jobs.c.state, jobs.c.reason, jobs.c.details, jobs.c.ended_at, jobs.c.site_version,
            jobs.c.snapshot, snapshots.c.media_type, snapshots.c.charset,
        )
        .join_from(jobs, targets, jobs.c.target_id == targets.c.id)
        .join(snapshots, snapshots.c.sha256 == jobs.c.snapshot)
        .where(snapshots.c.purged_at.is_(None), jobs.c.rereads.is_(None))  # one that visited the site
    )  # fmt: skip


def _pages(
    connection: Connection, site_id: str, source_id: str | None, *, run_ids: list[int], states: Sequence[str]
) -> list[KeptPage]:
    question = _question().where(
        jobs.c.run_id.in_(run_ids), jobs.c.site_id == site_id, jobs.c.state.in_(states)
    )
    if source_id is not None:
        question = question.where(jobs.c.source_id == source_id)
    rows = connection.execute(question.order_by(jobs.c.id.desc()).limit(_MOST_ROWS))
    return [KeptPage(*row) for row in rows][::-1]


def _last_good(connection: Connection, site_id: str, target_ids: list[int]) -> dict[int, int]:
    """Return the newest good job of each target whose page is still kept."""
    question = (
        select(jobs.c.target_id, func.max(jobs.c.id))
        .join_from(jobs, snapshots, snapshots.c.sha256 == jobs.c.snapshot)
        .where(
            jobs.c.target_id.in_(target_ids),
            jobs.c.site_id == site_id,
            jobs.c.state == JobState.SUCCEEDED.value,
            jobs.c.rereads.is_(None),
            snapshots.c.purged_at.is_(None),
        )
        .group_by(jobs.c.target_id)
    )
    return dict(connection.execute(question).all())


def _newest_of_each(broken: Sequence[KeptPage]) -> list[KeptPage]:
    return list({each.target_id: each for each in broken}.values())


def _most_telling(broken: Sequence[KeptPage], good: dict[int, int], reasons: Counter[str]) -> KeptPage | None:
    """Return the page to look at: our reading before anything else, the usual reason before a rare one."""

    def rank(page: KeptPage) -> tuple[bool, bool, int, int]:
        is_ours = page.reason in _OUR_READING
        return not is_ours, page.target_id not in good, -reasons[page.reason or page.state], page.job_id

    return min(broken, key=rank, default=None)


def _pair(
    connection: Connection, site_id: str, good_job: int, bad: KeptPage, reasons: Counter[str]
) -> BrokenPages:
    row = connection.execute(_question().where(jobs.c.id == good_job, jobs.c.site_id == site_id)).one()
    return _with_status(connection, KeptPage(*row), bad, reasons)


def _with_status(
    connection: Connection, good: KeptPage | None, bad: KeptPage | None, reasons: Counter[str]
) -> BrokenPages:
    known = tuple(reasons.most_common())
    return BrokenPages(_answered(connection, good), _answered(connection, bad), known)


def _answered(connection: Connection, page: KeptPage | None) -> KeptPage | None:
    """Return the page with the status it came with; one the server called unmodified was a page all the same."""
    if page is None:
        return None
    question = (
        select(attempts.c.status).where(attempts.c.job_id == page.job_id).order_by(attempts.c.id.desc())
    )
    status = connection.execute(question.limit(1)).scalar()
    values = {name: getattr(page, name) for name in KeptPage.__slots__}
    return KeptPage(**values | {"status": 200 if status in (None, 304) else status})
