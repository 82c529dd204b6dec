"""The match monitor's proof of its own tables. It writes through `pen`, not through settlements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, func, select

from limpet.apps.matches.tables import live_match_data, match_balls
from limpet.record.entry import Settlement


class MatchBookkeeper:
    """A monitor has no jobs to settle; what it wrote can still be proven."""

    app = "matches"

    def write(self, connection: Connection, settled: Sequence[Settlement]) -> None:
        """Write nothing: no job of a run ends in a match."""

    def identities(
        self, connection: Connection, run_id: int, *, lane: str | None = None
    ) -> Iterable[tuple[str, int]]:
        """Return nothing: a session records no identities."""
        return ()

    def check(self, connection: Connection) -> Iterable[tuple[str, str]]:
        """Yield what must not be: a gap in a match's numbers, or in the versions of a ball."""
        number = live_match_data.c.sequence_number
        snapshots = (
            select(live_match_data.c.match_id, func.count(), func.min(number), func.max(number))
            .group_by(live_match_data.c.match_id)
            .having((func.min(number) != 1) | (func.max(number) != func.count()))
        )
        for match_id, count, first, last in connection.execute(snapshots):
            yield f"match {match_id}", f"{count} snapshots are numbered {first} to {last}"
        version = match_balls.c.version
        key = (match_balls.c.match_id, match_balls.c.innings, match_balls.c.over, match_balls.c.delivery)
        balls = (
            select(*key).group_by(*key).having((func.min(version) != 1) | (func.max(version) != func.count()))
        )
        for match_id, innings, over, delivery in connection.execute(balls):
            yield f"match {match_id}", f"versions of ball {innings}/{over}/{delivery} are missing"
