"""What the court has published at this moment, and how that moves: by command and with the tick."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

from tidepool.court.case import Row
from tidepool.court.inventing import LAST_DAY, Inventor
from tidepool.draw import draw

DOCUMENTS_PER_ROW = 4


class Docket:
    """The court's rows, newest first. `version` grows with every move, so that nothing else need be compared."""

    def __init__(self, seed: int, cases: int) -> None:
        self._seed = seed
        inventor = Inventor(seed)
        self.sequences = inventor.sequences
        self._inventor = inventor
        history = inventor.history(cases)
        self._rows: dict[int, Row] = {row.number: row for row in reversed(history)}
        self._next_number = len(history)
        self._removed: list[Row] = []
        self._moves = 0
        self._tick = 0
        self._known: dict[str, int] = {}
        for row in history:
            self._learn(row)

    @property
    def version(self) -> int:
        """How often something moved."""
        return self._moves

    @property
    def rows(self) -> list[Row]:
        """What is published now, newest first."""
        return list(self._rows.values())

    def by_token(self) -> dict[str, Row]:
        """Return what is published now by token; the first row that names one owns it."""
        owned: dict[str, Row] = {}
        for row in self._rows.values():
            for token in row.tokens:
                owned.setdefault(token, row)
        return owned

    def document_of(self, token: str) -> int | None:
        """Return the number of a token's document; what was withdrawn from the index is still on file."""
        return self._known.get(token)

    def catch_up(self, tick: int) -> None:
        """Let happen what happens with every tick: something new, and now and then something else."""
        while self._tick < tick:
            self._tick += 1
            chance = (self._seed, "docket", self._tick)
            self.move(
                add=1 + draw(3, *chance, "add"),
                change=draw(2, *chance, "change"),
                remove=int(self._tick % 4 == 0),
                readd=int(self._tick % 7 == 0),
            )

    def skip_to(self, tick: int) -> None:
        """Let time pass without anything happening."""
        self._tick = max(self._tick, tick)

    def move(self, *, add: int = 0, change: int = 0, remove: int = 0, readd: int = 0) -> dict[str, list[str]]:
        """Publish, correct, withdraw and put back so many judgments, and return their tokens."""
        self._moves += 1
        back = [self._readd() for _ in range(min(readd, len(self._removed)))]
        # One sample for both: a move never does two things to one judgment.
        ordinary = [row for row in self._rows.values() if row.is_ordinary and row not in back]
        chosen = Random(f"{self._seed}/move/{self._moves}").sample(ordinary, remove + change)
        gone, changed = chosen[:remove], chosen[remove:]
        for row in gone:
            self._remove(row)
        for row in changed:
            self._rows[row.number] = self._corrected(row)
        fresh = self._publish(add)
        moved = {"added": fresh, "changed": changed, "removed": gone, "readded": back}
        return {what: [row.tokens[0] for row in rows] for what, rows in moved.items()}

    def _publish(self, count: int) -> list[Row]:
        day = LAST_DAY + timedelta(days=1 + self._moves)
        fresh = [self._inventor.tidy_row(self._next_number + at, day) for at in range(count)]
        self._next_number += count
        self._rows = {row.number: row for row in reversed(fresh)} | self._rows
        for row in fresh:
            self._learn(row)
        return fresh

    def _corrected(self, row: Row) -> Row:
        return (
            replace(row, title=f"{row.title} (Revised {self._moves})"),
            replace(row, subject=f"{row.subject} (corrected {self._moves})"),
            replace(row, cause_number=f"{row.cause_number} and others"),
        )[(row.number + self._moves) % 3]

    def _remove(self, row: Row) -> None:
        del self._rows[row.number]
        self._removed.append(row)

    def _readd(self) -> Row:
        row = self._removed.pop(0)
        self._rows = dict(sorted((self._rows | {row.number: row}).items(), reverse=True))
        return row

    def _learn(self, row: Row) -> None:
        for place, token in enumerate(row.tokens):
            if not row.repeats:
                self._known[token] = row.number * DOCUMENTS_PER_ROW + place
