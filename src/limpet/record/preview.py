"""What a run would visit, without planning it."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, func, select

from limpet.record.planning import Selection, conditions
from limpet.record.tables import targets


class LanePreview(NamedTuple):
    """How many targets of a source a run would walk in one lane."""

    source_id: str
    lane: str
    targets: int


def preview(connection: Connection, chosen: Selection, *, limit: int | None = None) -> list[LanePreview]:
    """Return the lanes a run over this selection would have, the longest first."""
    picked = (
        select(targets.c.source_id, targets.c.lane)
        .where(*conditions(chosen))
        .order_by(targets.c.priority.desc(), targets.c.id)
        .limit(limit)
        .subquery()
    )
    count = func.count()
    rows = connection.execute(
        select(picked.c.source_id, picked.c.lane, count)
        .group_by(picked.c.source_id, picked.c.lane)
        .order_by(count.desc(), picked.c.lane)
    )
    return [LanePreview(*row) for row in rows]
