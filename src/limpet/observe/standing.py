"""How each source stands: its gate, its clocks and its latest runs, gathered for the one who grades."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from limpet.errors import SourceRefused
from limpet.observe.changes import LastChanges
from limpet.observe.freshness import Clocks, read_clocks
from limpet.observe.tallies import RunTallies, RunTally
from limpet.record.tables import targets
from limpet.source import Source
from limpet.source.catalogue import check_source


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether the source may be visited; when not, why, and what would change it."""

    is_open: bool = True
    reason: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Watching:
    """How the live matches of a source that is watched all the time answer."""

    live: int
    silent: int  # of them, for longer than any may be
    silent_seconds: float  # the shortest of their silences


Watchers = Callable[[Connection], Mapping[str, Watching]]  # answers by the source's id


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything a grade is made of, for one source."""

    source: Source
    gate: Gate = field(default_factory=Gate)
    clocks: Clocks = field(default_factory=Clocks)
    recent: Sequence[RunTally] = ()  # ended runs, newest first
    targets: int = 0
    watching: Watching | None = None


def gate_of(source: Source) -> Gate:
    """Return the source's own gate: enabled, approved, compliant."""
    try:
        check_source(source)
    except SourceRefused as refusal:
        return Gate(is_open=False, reason=str(refusal), fix=refusal.fix)
    return Gate()


class Surveyor:
    """Looks at every source; what it learned about ended runs it need not count again."""

    def __init__(self, watchers: Watchers | None = None) -> None:
        self._watchers = watchers
        self._tallies = RunTallies()
        self._changes = LastChanges()

    def survey(self, connection: Connection, sources: Iterable[Source]) -> list[Standing]:
        """Return how each source stands, in the order given."""
        listed = list(sources)
        clocks = read_clocks(connection, listed, changes=self._changes.read(connection, listed))
        recent = self._tallies.recent(connection, listed)
        watched = count_targets_by_source(connection)
        watching = self._watchers(connection) if self._watchers is not None else {}
        return [
            Standing(
                each,
                gate_of(each),
                clocks[each.id],
                recent[each.id],
                watched.get(each.id, 0),
                watching.get(each.id),
            )
            for each in listed
        ]


def count_targets_by_source(connection: Connection) -> dict[str, int]:
    """Return how many targets each source has."""
    question = select(targets.c.source_id, func.count()).group_by(targets.c.source_id)
    return {row[0]: row[1] for row in connection.execute(question)}
