"""A run that read pages again, held against what it replaced: outcome by outcome, and field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from limpet.apps.prices.rereading import facts_by_job
from limpet.record.tables import jobs, targets


@dataclass(frozen=True, slots=True)
class Pair:
    """One page before and after."""

    job_id: int
    observed_by: int  # the job that brought the page
    observed_in: int  # and its run
    url: str
    seen_at: datetime
    snapshot: str
    outcome_before: str
    outcome_after: str
    fields: Mapping[str, tuple[Any, Any]]  # what differs, where both readings found something
    price_before: Mapping[str, Any] | None
    price_after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many pages went from one word to another."""

    before: str
    after: str
    pages: int


def outcomes_of(connection: Connection, run_id: int) -> list[Outcomes]:
    """Return how the outcomes changed, most frequent first."""
    older = _older()
    columns = [older.c.state, older.c.reason, jobs.c.state, jobs.c.reason]
    question = _joined(select(*columns, func.count()), older).where(jobs.c.run_id == run_id)
    rows = connection.execute(question.group_by(*columns).order_by(func.count().desc()))
    return [Outcomes(_word(*row[:2]), _word(*row[2:4]), row[4]) for row in rows]


def pairs_of(connection: Connection, run_id: int, *, after: int = 0, limit: int = 50) -> list[Pair]:
    """Return the pages of the run in order; `after` is the job id they start above."""
    older, origin = _older(), jobs.alias("origin")
    columns = [
        jobs.c.id,
        jobs.c.rereads,
        jobs.c.state,
        jobs.c.reason,
        jobs.c.snapshot,
        older.c.id.label("older_id"),
        older.c.state.label("older_state"),
        older.c.reason.label("older_reason"),
        origin.c.run_id.label("origin_run"),
        origin.c.ended_at.label("origin_ended"),
        targets.c.url,
    ]
    question = (
        _joined(select(*columns), older)
        .join(origin, origin.c.id == jobs.c.rereads)
        .join(targets, targets.c.id == jobs.c.target_id)
        .where(jobs.c.run_id == run_id, jobs.c.id > after)
    )
    rows = connection.execute(question.order_by(jobs.c.id).limit(limit)).all()
    facts = facts_by_job(connection, [number for row in rows for number in (row.id, row.older_id)])
    return [_pair(row, facts.get(row.older_id), facts.get(row.id)) for row in rows]


def read_again_by(connection: Connection, run_id: int) -> list[int]:
    """Return the runs that read pages of this one again, in order."""
    again = jobs.alias("again")
    question = select(again.c.run_id).join_from(again, jobs, jobs.c.id == again.c.rereads)
    found = connection.execute(
        question.where(jobs.c.run_id == run_id, again.c.rereads.is_not(None)).distinct()
    )
    return sorted(found.scalars())


def _older() -> Any:
    return jobs.alias("older")


def _joined(question: Select[Any], older: Any) -> Select[Any]:
    """Join each job with the reading before it: an earlier one of the same page, or the visit itself."""
    between = jobs.alias("between")
    newest = (
        select(func.max(between.c.id))
        .where(between.c.rereads == jobs.c.rereads, between.c.id < jobs.c.id)
        .correlate(jobs)
        .scalar_subquery()
    )
    return question.join_from(jobs, older, older.c.id == func.coalesce(newest, jobs.c.rereads))


def _pair(row: Row[Any], before: Any, after: Any) -> Pair:
    old, new = before[1] if before else None, after[1] if after else None
    differing = (
        {name: (old[name], new[name]) for name in old if old[name] != new[name]} if old and new else {}
    )
    return Pair(
        job_id=row.id,
        observed_by=row.rereads,
        observed_in=row.origin_run,
        url=row.url,
        seen_at=(after or before or (row.origin_ended,))[0],
        snapshot=row.snapshot,
        outcome_before=_word(row.older_state, row.older_reason),
        outcome_after=_word(row.state, row.reason),
        fields=differing,
        price_before=old,
        price_after=new,
    )


def _word(state: str, reason: str | None) -> str:
    return f"{state}: {reason}" if reason else state
