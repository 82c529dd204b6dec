"""Where every peer records what it read: one SQLite table, committed in batches, durable at each commit."""

from __future__ import annotations

import argparse
import sqlite3
from dataclasses import dataclass
from pathlib import Path

BATCH_ROWS = 64
FILE_NAME = "offers.sqlite"
Row = tuple[str, str, int, str, str, str]  # url, title, price_cents, currency, availability, sku


class OfferStore:
    """Keeps rows until a batch is full, then commits them with one fsync (WAL, synchronous=FULL)."""

    def __init__(self, directory: Path) -> None:
        self._connection = sqlite3.connect(directory / FILE_NAME, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute(
            "CREATE TABLE offers (url TEXT PRIMARY KEY, title TEXT NOT NULL, price_cents INTEGER NOT NULL,"
            " currency TEXT NOT NULL, availability TEXT NOT NULL, sku TEXT NOT NULL)"
        )
        self._waiting: list[Row] = []

    def add(self, row: Row) -> None:
        """Take one row; it is durable once its batch is."""
        self._waiting.append(row)
        if len(self._waiting) >= BATCH_ROWS:
            self.flush()

    def flush(self) -> None:
        """Commit what waits."""
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO offers VALUES (?, ?, ?, ?, ?, ?)", self._waiting)
        self._connection.execute("COMMIT")
        self._waiting.clear()

    def close(self) -> None:
        """Commit the rest."""
        self.flush()
        self._connection.close()


@dataclass(frozen=True, slots=True)
class Errand:
    """What the harness asks of a client."""

    base_url: str
    pages: int
    directory: Path

    @property
    def urls(self) -> list[str]:
        return [f"{self.base_url}/product/{number}" for number in range(1, self.pages + 1)]


def errand_parser() -> argparse.ArgumentParser:
    """The three arguments every client takes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("base_url")
    parser.add_argument("pages", type=int)
    parser.add_argument("directory", type=Path)
    return parser


def errand(arguments: argparse.Namespace) -> Errand:
    """The errand as given on the command line."""
    return Errand(arguments.base_url, arguments.pages, arguments.directory)


def require_every_row(task: Errand) -> None:
    """Exit with a complaint unless exactly the pages asked for were recorded."""
    connection = sqlite3.connect(task.directory / FILE_NAME)
    (recorded,) = connection.execute("SELECT count(*) FROM offers").fetchone()
    connection.close()
    if recorded != task.pages:
        raise SystemExit(f"recorded {recorded} rows of {task.pages}")
