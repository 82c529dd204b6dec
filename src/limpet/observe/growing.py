"""Counts over tables that only ever grow: what was counted once need not be counted again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, func, select

from limpet.record.retention.rows import NEWEST_KEPT

Counts = Counter[Any]
CountRows = Callable[[Connection, ColumnElement[bool]], Counts]
# Processes commit side by side, so a number may appear a little after a larger one. Retention leaves as many alone:
# a count that was told must not shrink.
_LATE = NEWEST_KEPT


class Growing:
    """Keeps the counts of all but the newest rows of one table."""

    def __init__(self, table: Table, count: CountRows) -> None:
        self._id = table.c.id
        self._count = count
        self._known: Counts = Counter()
        self._up_to = 0

    def read(self, connection: Connection) -> Counts:
        """Return the counts over the whole table as it stands now."""
        newest = connection.execute(select(func.max(self._id))).scalar() or 0
        settled = newest - _LATE
        if settled > self._up_to:
            self._known.update(self._count(connection, and_(self._id > self._up_to, self._id <= settled)))
            self._up_to = settled
        total = self._known.copy()
        total.update(self._count(connection, self._id > self._up_to))
        return total


def summed(counts: Counts, key: Callable[[Any], Hashable]) -> Counts:
    """Return the same counts under fewer keys."""
    total: Counts = Counter()
    for each, count in counts.items():
        total[key(each)] += count
    return total
