"""Which runs have ended since the last look: what an ended run holds does not change, and is counted once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from limpet.record.tables import runs
from limpet.target.outcome import RunState

_IS_RUNNING = runs.c.state == RunState.RUNNING.value


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found."""

    ended: ColumnElement[bool]  # runs that had not ended, or were not there, the last time
    open: frozenset[int] = field(default_factory=frozenset)
    starts_anew: bool = False  # a run that had ended was opened again: whatever was counted is void


class RunWatch:
    """Remembers which runs were open; one that stays open for years holds up none of the others."""

    def __init__(self) -> None:
        self._newest = 0
        self._open: frozenset[int] = frozenset()
        self._print: tuple[int, datetime | None] = (0, None)

    def look(self, connection: Connection) -> Look:
        """Return what ended since the last look; everything that ever did, at the first."""
        starts_anew = self._fingerprint(connection) != self._print
        if starts_anew:
            self._newest, self._open = 0, frozenset()
        newest = connection.execute(select(func.max(runs.c.id))).scalar() or 0
        is_open = frozenset(connection.execute(select(runs.c.id).where(_IS_RUNNING)).scalars())
        appeared = and_(runs.c.id > self._newest, runs.c.id <= newest, runs.c.id.not_in(is_open))
        found = Look(or_(appeared, runs.c.id.in_(self._open - is_open)), is_open, starts_anew)
        self._newest, self._open = newest, is_open
        self._print = self._fingerprint(connection)
        return found

    def _fingerprint(self, connection: Connection) -> tuple[int, datetime | None]:
        """Return what changes when a run that was counted is opened again, or ends another time."""
        counted = runs.c.id <= self._newest, runs.c.id.not_in(self._open)
        question = select(func.count(runs.c.ended_at), func.max(runs.c.ended_at)).where(*counted)
        count, newest = connection.execute(question).one()
        return count, newest
