"""Pages prices still need, however old: a record waits for a person, or a person has spoken and may be asked why."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from limpet.apps.prices.market_tables import ignored_runs
from limpet.apps.prices.tables import prices, quarantined_records
from limpet.apps.prices.visible import is_corrected
from limpet.record.tables import jobs

_BY_STATUS = {"open": "quarantine", "corrected": "correction"}


def needed_pages(connection: Connection, job_ids: Sequence[int]) -> dict[int, str]:
    """Return which of these jobs' pages must stay, and why."""
    found = dict.fromkeys(_corrected(connection, job_ids), "correction")
    found |= dict.fromkeys(_of_ignored_runs(connection, job_ids), "ignored_run")
    return found | _set_aside(connection, job_ids)


def _set_aside(connection: Connection, job_ids: Sequence[int]) -> dict[int, str]:
    record = quarantined_records.c
    question = select(record.job_id, record.status).where(
        record.job_id.in_(job_ids), record.status.in_(_BY_STATUS)
    )
    return {row.job_id: _BY_STATUS[row.status] for row in connection.execute(question)}


def _corrected(connection: Connection, job_ids: Sequence[int]) -> list[int]:
    question = select(prices.c.job_id).where(prices.c.job_id.in_(job_ids), is_corrected(prices))
    return list(connection.execute(question).scalars())


def _of_ignored_runs(connection: Connection, job_ids: Sequence[int]) -> list[int]:
    in_force = select(ignored_runs.c.run_id).where(ignored_runs.c.revoked_at.is_(None))
    question = select(jobs.c.id).where(jobs.c.id.in_(job_ids), jobs.c.run_id.in_(in_force))
    return list(connection.execute(question).scalars())
