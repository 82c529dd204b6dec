"""Insert or change in one statement: two processes that start together meet the same new row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, CursorResult, Table
from sqlalchemy.dialects import postgresql, sqlite

from limpet.record.bulk import is_sqlite


def upsert(
    connection: Connection,
    table: Table,
    values: Mapping[str, Any],
    *,
    key: Sequence[str | Column[Any]],
    changes: Mapping[str, Any],
    among: ColumnElement[bool] | None = None,
    returning: Sequence[Column[Any]] = (),
) -> CursorResult[Any]:
    """Insert the row, or make these changes to the one that has its key; `among` is the condition of a partial key."""
    dialect = sqlite if is_sqlite(connection) else postgresql
    statement = dialect.insert(table).values(**values)
    statement = statement.on_conflict_do_update(index_elements=key, index_where=among, set_=changes)
    return connection.execute(statement.returning(*returning) if returning else statement)
