"""From when on the rows of a kind are whole, for reports that must not claim more than they know."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, case, func, select

from limpet.record.log_tables import retention_horizons
from limpet.record.reading import Job
from limpet.record.retention.policy import Kind
from limpet.record.upserting import upsert


def note_horizon(connection: Connection, kind: Kind, source_ids: Iterable[str], *, since: datetime) -> None:
    """Note that rows of these sources from before then may be gone; a horizon never moves back."""
    table = retention_horizons
    kept = case((table.c.complete_since < since, since), else_=table.c.complete_since)
    # In one order everywhere, so that two who note the same sources do not wait in a circle.
    for source_id in sorted(set(source_ids)):
        row = {"kind": kind.value, "source_id": source_id, "complete_since": since}
        upsert(connection, table, row, key=["kind", "source_id"], changes={"complete_since": kept})


def horizons(connection: Connection, kind: Kind) -> dict[str, datetime]:
    """Return from when on the rows of a kind are whole, by source; a source all of whose rows are there is missing."""
    table = retention_horizons.c
    question = select(table.source_id, table.complete_since).where(table.kind == kind.value)
    return {row.source_id: row.complete_since for row in connection.execute(question)}


def notes_gone(connection: Connection, job: Job) -> dict[str, datetime]:
    """Return which notes about a job may be gone, and from when on those of its source are whole."""
    if job.started_at is None:
        return {}
    table = retention_horizons.c
    question = select(table.kind, table.complete_since).where(
        table.source_id == job.source_id, table.complete_since > job.started_at
    )
    return {row.kind: row.complete_since for row in connection.execute(question)}


def latest_horizons(connection: Connection) -> dict[str, datetime]:
    """Return, for each kind of which rows have gone, from when on those of every source are whole."""
    table = retention_horizons.c
    question = select(table.kind, func.max(table.complete_since)).group_by(table.kind)
    return {row[0]: row[1] for row in connection.execute(question)}
