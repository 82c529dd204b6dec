"""A monitor that starts knows what the one before it knew: matches, pauses, numbers, balls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection

from limpet.apps.matches.lifecycle import MatchMonitoringRecord, MatchPriority, MatchState
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.domain import Domain
from limpet.apps.matches.monitor.session import ScraperContext
from limpet.apps.matches.monitor.watch import Board, Watch
from limpet.apps.matches.record import DiscoveredMatch, MatchStatus, Team
from limpet.apps.matches.rhythm import Rhythm
from limpet.apps.matches.views import (
    MatchLine,
    kept_balls,
    kept_cards,
    latest_snapshot,
    list_matches,
    monitors_of,
)

_MOST = 5_000


@dataclass(frozen=True, slots=True)
class Recall:
    """Brings back what is not put away yet."""

    room: ControlRoom

    async def matches(self) -> int:
        """Put every remembered match on its board; return how many there are."""
        lines, monitors = await self.room.ledger.read(_remembered)
        by_match: dict[str, list[Mapping[str, Any]]] = {}
        for row in monitors:
            by_match.setdefault(row["match_id"], []).append(row)
        for line in lines:
            await self._bring_back(line, by_match.get(line.match_id, []))
        return len(self.room.boards)

    async def _bring_back(self, line: MatchLine, monitors: Sequence[Mapping[str, Any]]) -> None:
        watched = [
            (row, self.room.active[row["domain_id"]])
            for row in monitors
            if row["domain_id"] in self.room.active
        ]
        if not watched:
            return
        board = Board(line.match_id, str(watched[0][0]["metadata"].get("fixture", "")), line.created_at)
        await self._restore(board)
        for row, domain in watched:
            self.room.add(board, new_watch(self.room, domain, _match_of(row), _record_of(row)))

    async def _restore(self, board: Board) -> None:
        read = self.room.ledger.read
        board.latest = await read(partial(latest_snapshot, match_id=board.match_id))
        board.balls.restore(await read(partial(kept_balls, match_id=board.match_id)))
        board.cards.restore(await read(partial(kept_cards, match_id=board.match_id)))


def new_watch(
    room: ControlRoom, domain: Domain, match: DiscoveredMatch, record: MatchMonitoringRecord
) -> Watch:
    """Return a watch of this match at this source, its session just begun."""
    rhythm = Rhythm(room.terms.rhythm)
    context = ScraperContext(
        match.match_id,
        match.url,
        room.clock,
        room.terms.session,
        polling_interval=room.terms.rhythm.base_seconds,
    )
    watch = Watch(domain, match, record, rhythm, context, began_at=room.clock.monotonic())
    rhythm.priority = watch.priority()
    return watch


def _remembered(connection: Connection) -> tuple[list[MatchLine], list[dict[str, Any]]]:
    return list_matches(connection, limit=_MOST), monitors_of(connection)


def _match_of(row: Mapping[str, Any]) -> DiscoveredMatch:
    known = row["metadata"]
    teams = [Team(*each) for each in known.get("teams", [])]
    return DiscoveredMatch(
        domain_id=row["domain_id"],
        match_key=row["match_key"],
        url=known.get("url", row["url"]),
        status=MatchStatus(known.get("status", "live")),
        title=known.get("title", ""),
        teams=(teams[0], teams[1]) if len(teams) == 2 else None,
        label=known.get("label", ""),
        series=known.get("series", ""),
        start_time=_moment(known.get("start_time")),
    )


def _record_of(row: Mapping[str, Any]) -> MatchMonitoringRecord:
    known = row["metadata"]
    return MatchMonitoringRecord(
        match_id=row["monitor_id"],
        domain_id=row["domain_id"],
        created_at=row["created_at"],
        state=MatchState(row["state"]),
        priority_state=MatchPriority[row["priority_state"].upper()],
        last_update_time=row["last_update_time"],
        consecutive_failure_count=row["consecutive_failure_count"],
        paused=row["paused"],
        pause_until=row["pause_until"],
        total_scrapes=row["total_scrapes"],
        total_failures=row["total_failures"],
        absences=known.get("absences", 0),
        completed_at=_moment(known.get("completed_at")),
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
