"""The third clock: when what a source serves was last new. Read once, then only what was settled since."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, func, select

from limpet.record.log_tables import artefacts, snapshots
from limpet.record.tables import attempts, jobs, targets
from limpet.source import Source

_NEWEST_FILES = 5_000  # the first look goes no further back: a file of last year changes no clock
_LOOK_AGAIN = 500  # processes commit side by side, so a number may appear a little after a larger one


class LastChanges:
    """Remembers each source's newest change; asking again costs only the tries made since."""

    def __init__(self) -> None:
        self._seen = 0  # the newest attempt looked at
        self._filed = 0  # the newest file looked at
        self._changes: dict[str, datetime] = {}
        self._known: set[str] = set()

    def read(self, connection: Connection, sources: Iterable[Source]) -> dict[str, datetime]:
        """Return when a body nobody had seen before last came, for each source where one ever did."""
        newest = connection.execute(select(func.max(attempts.c.id))).scalar() or 0
        if self._known:
            for source_id, moment in _settled_since(connection, self._seen - _LOOK_AGAIN).items():
                self._note(source_id, moment)
        self._seen = newest
        self._look_at_files(connection)
        for source in sources:
            if source.id not in self._known:
                self._note(source.id, _current(connection, source))
                self._known.add(source.id)
        return dict(self._changes)

    def _look_at_files(self, connection: Connection) -> None:
        """A file we did not have is news too: a court's PDF is kept as a file, not as a page."""
        newest = connection.execute(select(func.max(artefacts.c.id))).scalar() or 0
        first = max(self._filed - _LOOK_AGAIN, newest - _NEWEST_FILES)
        for source_id, moment in _filed_since(connection, first).items():
            self._note(source_id, moment)
        self._filed = newest

    def _note(self, source_id: str, moment: datetime | None) -> None:
        if moment is not None:
            self._changes[source_id] = max(moment, self._changes.get(source_id, moment))


def _settled_since(connection: Connection, attempt_id: int) -> dict[str, datetime]:
    question = (
        select(jobs.c.source_id, func.max(snapshots.c.first_seen_at))
        .join_from(attempts, jobs, attempts.c.job_id == jobs.c.id)
        .join(snapshots, snapshots.c.sha256 == jobs.c.snapshot)
        .where(attempts.c.id > attempt_id)
        .group_by(jobs.c.source_id)
    )
    return {row[0]: row[1] for row in connection.execute(question)}


def _filed_since(connection: Connection, artefact_id: int) -> dict[str, datetime]:
    question = (
        select(jobs.c.source_id, func.max(artefacts.c.stored_at))
        .join_from(artefacts, jobs, artefacts.c.job_id == jobs.c.id)
        .where(artefacts.c.id > artefact_id)
        .group_by(jobs.c.source_id)
    )
    return {row[0]: row[1] for row in connection.execute(question)}


def _current(connection: Connection, source: Source) -> datetime | None:
    """Return when the newest of the bodies its targets serve today was first seen."""
    question = (
        select(func.max(snapshots.c.first_seen_at))
        .join_from(targets, snapshots, targets.c.last_snapshot == snapshots.c.sha256)
        .where(targets.c.source_id == source.id)
    )
    return connection.execute(question).scalar()
