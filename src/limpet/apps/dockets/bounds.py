"""How far a year's numbers go, as far as the ledger remembers."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from limpet.apps.dockets.tables import docket_bounds


def remembered_bound(
    connection: Connection, source_id: str, *, prefix: str, year: int, now: datetime
) -> int | None:
    """Return the last number of the year, while the probe that found it is fresh; None when nobody knows."""
    columns = docket_bounds.c
    question = select(columns.upper_bound).where(
        columns.source_id == source_id,
        columns.prefix == prefix,
        columns.year == year,
        columns.expires_at > now,
    )
    return connection.execute(question).scalar_one_or_none()
