"""A new SQLite ledger in one go: the schema all scripts together lead to, kept as text beside them.

Walking every script costs a third of a second and a library; a ledger that is new need not live through its
history. The text is written by `make schema`, and a test holds it against the scripts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection

TEXT = Path(__file__).parent / "migrations" / "today.sql"
_SCHEMA = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"


def lay_out(connection: Connection) -> None:
    """Create everything, in the caller's transaction."""
    for statement in _statements(TEXT.read_text(encoding="utf-8")):
        connection.exec_driver_sql(statement)


def describe(connection: sqlite3.Connection, version_table: str) -> str:
    """Return the text that lays out a ledger like this one, which holds nothing but its version."""
    created = [sql for (sql,) in connection.execute(_SCHEMA)]
    (revision,) = connection.execute(f"SELECT version_num FROM {version_table}").fetchone()
    created.append(f"INSERT INTO {version_table} VALUES ('{revision}')")
    lines = "".join(f"{statement};\n\n" for statement in created).splitlines()
    return "\n".join(line.rstrip() for line in lines)


def _statements(text: str) -> Iterator[str]:
    """Yield statement by statement; a trigger has semicolons of its own."""
    begun = ""
    for line in text.splitlines(keepends=True):
        begun += line
        if sqlite3.complete_statement(begun):
            yield begun
            begun = ""
