"""How each run went for each adapter: counted from job rows, written down once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, insert, select, text

from limpet.record.log_tables import scrape_batches
from limpet.record.tables import IS_BLOCK, jobs, sources
from limpet.target import JobState

# Written out, not bound: SQLite uses a partial index only when it can see the condition.
_IS_BLOCK = text(IS_BLOCK)
Endings = dict[tuple[str, str | None], int]


class AdapterEndings(NamedTuple):
    """How the jobs of one adapter ended in a run, by state and reason, and which version read them."""

    version: str | None
    endings: Endings


def endings_by_adapter(connection: Connection, run_id: int) -> dict[str, AdapterEndings]:
    """Return how a run went for each adapter; a job nobody read belongs to its source's adapter."""
    adapter = func.coalesce(jobs.c.site_id, sources.c.adapter_id).label("adapter")
    counted = (
        select(adapter, jobs.c.state, jobs.c.reason, func.max(jobs.c.site_version), func.count())
        .join_from(jobs, sources, sources.c.id == jobs.c.source_id)
        .where(jobs.c.run_id == run_id)
        .group_by(adapter, jobs.c.state, jobs.c.reason)
    )
    found: dict[str, AdapterEndings] = {}
    for adapter_id, state, reason, version, count in connection.execute(counted):
        known = found.get(adapter_id, AdapterEndings(None, {}))
        known.endings[state, reason] = count
        found[adapter_id] = AdapterEndings(max(known.version or "", version or "") or None, known.endings)
    return found


def count_lost(connection: Connection, run_id: int, adapter_id: str, *, reason: str) -> int:
    """Return how many targets ended with this reason in the run that have succeeded at some time before."""
    earlier = jobs.alias()
    succeeded_once = (
        select(earlier.c.id)
        .where(earlier.c.target_id == jobs.c.target_id, earlier.c.state == JobState.SUCCEEDED.value)
        .exists()
    )
    its_jobs = jobs.c.run_id == run_id, jobs.c.site_id == adapter_id, jobs.c.reason == reason
    return connection.execute(select(func.count()).where(*its_jobs, succeeded_once)).scalar_one()


def is_concluded(connection: Connection, run_id: int, adapter_id: str) -> bool:
    """Whether this batch was judged before."""
    its_row = scrape_batches.c.run_id == run_id, scrape_batches.c.adapter_id == adapter_id
    return connection.execute(select(scrape_batches.c.run_id).where(*its_row)).first() is not None


def write_batch(connection: Connection, values: Mapping[str, Any]) -> None:
    """Write a judged batch down."""
    connection.execute(insert(scrape_batches).values(dict(values)))


def past_batches(
    connection: Connection, adapter_id: str, *, since: datetime
) -> list[tuple[int, float, float]]:
    """Return judged URLs, failure rate and yield rate of the adapter's batches that count."""
    question = select(
        scrape_batches.c.urls_judged, scrape_batches.c.failure_rate, scrape_batches.c.yield_rate
    ).where(
        scrape_batches.c.adapter_id == adapter_id,
        scrape_batches.c.concluded_at >= since,
        scrape_batches.c.counts_toward_drift.is_(True),
    )
    return [(row[0], row[1], row[2]) for row in connection.execute(question)]


def batches_of_run(connection: Connection, run_id: int) -> list[dict[str, Any]]:
    """Return a run's batches, by adapter."""
    question = select(scrape_batches).where(scrape_batches.c.run_id == run_id)
    rows = connection.execute(question.order_by(scrape_batches.c.adapter_id))
    return [dict(row._mapping) for row in rows]


def recent_batches(connection: Connection, adapter_id: str, *, limit: int) -> list[dict[str, Any]]:
    """Return an adapter's batches, newest first."""
    question = select(scrape_batches).where(scrape_batches.c.adapter_id == adapter_id)
    rows = connection.execute(question.order_by(scrape_batches.c.concluded_at.desc()).limit(limit))
    return [dict(row._mapping) for row in rows]


def blocks_since(connection: Connection, source_id: str, since: datetime) -> int:
    """Return how many targets of the source the site has refused since then, in whatever run."""
    question = select(func.count()).where(
        jobs.c.source_id == source_id, jobs.c.ended_at >= since, _IS_BLOCK, jobs.c.rereads.is_(None)
    )
    return connection.execute(question).scalar_one()
