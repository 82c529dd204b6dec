"""Reads the ledger from outside, as any other process would, and notes the moment each ball could first be read."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

from bench.matches.referee import Key

_NEW = """
SELECT id, match_id, innings, "over", delivery, runs, extras, is_wicket, found FROM match_balls WHERE id > ? ORDER BY id
"""


class LedgerReader:
    """Look often: what is seen at a look happened since the one before."""

    def __init__(self, ledger: Path) -> None:
        self._ledger = sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)
        self._ledger.row_factory = sqlite3.Row
        self._last = 0
        self.seen: dict[tuple[str, Key], float] = {}
        self.shown: dict[str, dict[Key, dict[str, Any]]] = {}

    def look(self) -> int:
        """Take in what is new, and return how much that was."""
        rows = self._ledger.execute(_NEW, (self._last,)).fetchall()
        now = time.monotonic()
        for row in rows:
            self._last = row["id"]
            match = row["match_id"].partition(":")[2]
            key = (row["innings"], row["over"], row["delivery"])
            self.seen.setdefault((match, key), now)
            balls = self.shown.setdefault(match, {})
            if row["found"] == "withdrawn":
                balls.pop(key, None)
            else:
                balls[key] = dict(row)
        return len(rows)

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        return int(self._ledger.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def rows(self, question: str) -> list[dict[str, Any]]:
        """Return what a question finds."""
        return [dict(row) for row in self._ledger.execute(question).fetchall()]

    def close(self) -> None:
        """Let go of the ledger."""
        self._ledger.close()
