"""Many rows in few statements: the settlements' hot path, in each dialect's fastest words.

SQLite gets many rows per statement: the driver gives up Python's lock around every statement, and a busy
event loop may be slow to hand it back. Postgres gets one prepared statement and a pipeline of rows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache
from itertools import chain
from typing import Any

import orjson
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from limpet.record.types import in_utc, utc_text

Row = tuple[Any, ...]
# Few sizes, so that every statement is prepared once and then found again.
_SIZES = (64, 16, 4, 1)
_HAS_UPDATE_FROM = sqlite3.sqlite_version_info >= (3, 33)


def moment_writer(connection: Connection) -> Callable[[datetime], Any]:
    """Return how this dialect takes an instant in hand-written SQL."""
    return utc_text if is_sqlite(connection) else in_utc


def is_sqlite(connection: Connection) -> bool:
    """Whether this is the embedded database."""
    return connection.dialect.name == "sqlite"


def among(connection: Connection, column: str, *, of: str) -> str:
    """Return SQL for `column is one of a list`, where the list is one parameter made by `as_list`."""
    if is_sqlite(connection):
        return f"{column} IN (SELECT value FROM json_each(?))"
    return f"{column} = ANY(CAST(%s AS {of}[]))"


def as_list(connection: Connection, values: Sequence[Any]) -> Any:
    """Return the parameter `among` expects."""
    return _json_list(values) if is_sqlite(connection) else list(values)


class BulkInsert:
    """Inserts rows given as tuples in column order; `skip_known` leaves rows that are there already alone.

    `on_conflict` says in SQL what becomes of them instead; no group may then hold the same key twice.
    """

    def __init__(
        self, table: str, columns: Sequence[str], *, skip_known: bool = False, on_conflict: str = ""
    ) -> None:
        self._width = len(columns)
        quoted = ", ".join(f'"{column}"' for column in columns)
        self._head = f"INSERT INTO {table} ({quoted}) VALUES "
        self._tail = " ON CONFLICT DO NOTHING" if skip_known else f" {on_conflict}".rstrip()

    def run(self, connection: Connection, rows: Sequence[Row]) -> int:
        """Insert them all and return how many were new."""
        if not rows:
            return 0
        if not is_sqlite(connection):
            places = ", ".join(["%s"] * self._width)
            return connection.exec_driver_sql(f"{self._head}({places}){self._tail}", list(rows)).rowcount
        return sum(
            _quickly(connection, self._head + _places(self._width, count) + self._tail, flat)
            for count, flat in _chunks(rows)
        )


class BulkUpdate:
    """Updates rows by id, from tuples that begin with it; `changes` may name given columns `v.name`."""

    def __init__(self, table: str, changes: str, *, given: Sequence[tuple[str, str]]) -> None:
        self._table = table
        self._changes = changes
        self._names = ", ".join(name for name, _ in given)
        self._width = len(given)
        casts = ", ".join(f"CAST(%s AS {kind})" for _, kind in given)
        self._postgres = (
            f"UPDATE {table} SET {changes} "
            f"FROM (VALUES ({casts})) AS v({self._names}) WHERE {table}.id = v.id"
        )

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Update them all; when an id comes twice, one of its rows wins."""
        if not rows:
            return
        if not is_sqlite(connection):
            connection.exec_driver_sql(self._postgres, list(rows))
            return
        if not _HAS_UPDATE_FROM:
            raise RuntimeError(f"SQLite {sqlite3.sqlite_version} is too old: 3.33 or newer is needed")
        for count, flat in _chunks(rows):
            _quickly(connection, self._sqlite(count), flat)

    def _sqlite(self, rows: int) -> str:
        return (
            f"WITH v({self._names}) AS (VALUES {_places(self._width, rows)}) "
            f"UPDATE {self._table} SET {self._changes} FROM v WHERE {self._table}.id = v.id"
        )


def rows_of(connection: Connection, sql: str, values: Row) -> list[Any]:
    """Return the rows of a hand-written question, by the quickest way this dialect has."""
    if not is_sqlite(connection):
        return list(connection.exec_driver_sql(sql, values))
    return list(_cursor(connection, sql, values))


def _quickly(connection: Connection, sql: str, values: Row) -> int:
    return int(_cursor(connection, sql, values).rowcount)


def _cursor(connection: Connection, sql: str, values: Row) -> Any:
    """Run SQL by the driver's own cursor: the layers above cost more than the statement itself."""
    try:
        return connection.connection.cursor().execute(sql, values)
    except sqlite3.Error as exc:
        # Dressed as everywhere else, so that a full disk or a held lock is recognised wherever it strikes.
        dialect = connection.dialect
        raise DBAPIError.instance(sql, None, exc, sqlite3.Error, dialect=dialect) from exc


@cache
def _places(width: int, rows: int) -> str:
    one = "(" + ", ".join("?" * width) + ")"
    return ", ".join([one] * rows)


def _chunks(rows: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    """Yield how many rows, and their values one after the other."""
    start = 0
    for size in _SIZES:
        while len(rows) - start >= size:
            yield size, tuple(chain.from_iterable(rows[start : start + size]))
            start += size


def _json_list(values: Sequence[Any]) -> str:
    return orjson.dumps(list(values)).decode()
