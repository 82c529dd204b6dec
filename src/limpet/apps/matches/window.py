"""What people and programs see of the matches: from memory where this process watches, else from the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from limpet.apps.matches.grading import FreshnessStats, HealthGrade, Reading, freshness_of
from limpet.apps.matches.monitor.health import HealthSummary, health_summary
from limpet.apps.matches.monitor.watch import Board
from limpet.apps.matches.monitor.watching import MatchMonitor
from limpet.apps.matches.snapshot import CachedSnapshot
from limpet.apps.matches.views import (
    MatchLine,
    balls_of,
    conflicts_of,
    get_match,
    kept_cards,
    latest_snapshot,
    list_matches,
    monitors_of,
)
from limpet.errors import NotThere
from limpet.record.ledger import Ledger

# What a watch knows newer than the ledger, which hears of it once a minute.
_SINCE_WRITTEN = ("state", "last_update_time", "consecutive_failure_count", "total_scrapes", "total_failures")


@dataclass(frozen=True, slots=True)
class MatchView:
    """One match with how fresh it is."""

    line: MatchLine
    snapshot: CachedSnapshot | None
    fetched_at: datetime | None
    age_seconds: float | None

    @property
    def payload(self) -> Mapping[str, Any]:
        return self.snapshot.normalized_payload if self.snapshot else {}

    def to_dict(self) -> dict[str, Any]:
        """Return it as GET /matches shows it."""
        return {
            "match_id": self.line.match_id,
            "title": self.line.title,
            "status": self.line.status,
            "state": self.line.state,
            "scraper_status": self.line.scraper_status,
            "sequence_number": self.line.sequence_number,
            "start_time": self.line.start_time.isoformat() if self.line.start_time else None,
            "data_age_seconds": None if self.age_seconds is None else round(self.age_seconds, 3),
            "score": self.payload.get("score", {}),
            "last_event": self.payload.get("last_event"),
        }


@dataclass(frozen=True, slots=True)
class MatchWindow:
    """Reads only. The monitor may be at work here, elsewhere, or not at all."""

    ledger: Ledger
    monitor: MatchMonitor

    async def matches(
        self, *, state: str | None = None, after: str = "", limit: int = 500
    ) -> list[MatchView]:
        """Return the matches that are not put away, by id."""
        lines = await self.ledger.read(partial(list_matches, state=state, after=after, limit=limit))
        return [await self._view(line) for line in lines]

    async def match(self, match_id: str) -> MatchView:
        """Return one match by our id or a source's, or raise NotThere."""
        line = await self.ledger.read(partial(get_match, match_id=match_id))
        if line is None:
            raise NotThere(f"No match {match_id[:80]!r} was ever seen.", fix="GET /matches lists them.")
        return await self._view(line)

    async def details(self, match_id: str) -> dict[str, Any]:
        """Return one match with its snapshot, provenance, scorecards, sources and disagreements."""
        view = await self.match(match_id)
        ours = view.line.match_id
        read = self.ledger.read
        return {
            **view.to_dict(),
            "snapshot": view.snapshot.to_dict() if view.snapshot else None,
            "scorecards": [
                {"innings": each.innings, "version": each.version, **each.card}
                for each in await read(partial(kept_cards, match_id=ours))
            ],
            "monitors": [self._monitor(row) for row in await read(partial(monitors_of, match_id=ours))],
            "conflicts": [_plain(row) for row in await read(partial(conflicts_of, match_id=ours, limit=20))],
        }

    def _monitor(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return how a source stands to the match: as of now where this process watches, else as written down."""
        watch = self.monitor.room.watches.get(row["monitor_id"]) if self.monitor.is_watching else None
        now = {name: getattr(watch.record, name) for name in _SINCE_WRITTEN} if watch is not None else {}
        plain = _plain({**row, **now})
        return {name: value for name, value in plain.items() if name not in ("metadata", "match_id")}

    async def balls(
        self, match_id: str, *, innings: int | None = None, history: bool = False
    ) -> list[dict[str, Any]]:
        """Return the balls in the order of play; with history, every version."""
        ours = (await self.match(match_id)).line.match_id
        rows = await self.ledger.read(partial(balls_of, match_id=ours, innings=innings, history=history))
        return [{name: value for name, value in _plain(row).items() if name != "match_id"} for row in rows]

    async def summary(self) -> HealthSummary:
        """Return seed 004's summary: of this monitor, or worked out from what another one writes."""
        room = self.monitor.room
        here = health_summary(room)
        if self.monitor.is_watching:
            return here
        lines = await self.ledger.read(partial(list_matches, limit=5_000))
        now = room.clock.now()
        ages = [
            _age(line, now) for line in lines if line.status == "live" and line.state in ("active", "paused")
        ]
        stats = freshness_of(ages)
        return HealthSummary(
            grade=_grade(stats),
            is_idle=not ages,
            freshness_stats=stats,
            queue_depth=0,
            active_tasks=0,
            failure_ratio=0.0,
            paused_matches=[line.match_id for line in lines if line.state == "paused"],
            last_success_time=max((_stamp(line.last_scraper_update) for line in lines), default=None) or None,
            config_snapshot=here.config_snapshot,
            audit_entries=here.audit_entries,
            generated_at=now,
        )

    async def _view(self, line: MatchLine) -> MatchView:
        board = self.monitor.room.boards.get(line.match_id) if self.monitor.is_watching else None
        if board is not None and board.latest is not None:
            return self._live_view(line, board)
        snapshot = await self.ledger.read(partial(latest_snapshot, match_id=line.match_id))
        now, fetched = self.ledger.clock.now(), line.last_scraper_update
        age = max(0.0, (now - fetched).total_seconds()) if fetched else None
        return MatchView(line, snapshot, fetched, age)

    def _live_view(self, line: MatchLine, board: Board) -> MatchView:
        updates = (watch.record.last_update_time for watch in board.watches.values())
        fetched = max((moment for moment in updates if moment is not None), default=None)
        clock = self.ledger.clock
        if any(watch.fetched_at is not None for watch in board.watches.values()):
            return MatchView(line, board.latest, fetched, board.age_seconds(clock.monotonic()))
        # Nothing was fetched since this process began: what is shown is as old as the ledger says.
        age = max(0.0, (clock.now() - fetched).total_seconds()) if fetched else None
        return MatchView(line, board.latest, fetched, age)


def _grade(stats: FreshnessStats) -> HealthGrade:
    reading = Reading(stats)
    if reading.is_dead:
        return HealthGrade.FAILING
    return HealthGrade.DEGRADED if reading.is_slow else HealthGrade.HEALTHY


def _age(line: MatchLine, now: datetime) -> float:
    return max(0.0, (now - (line.last_scraper_update or line.created_at)).total_seconds())


def _stamp(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as JSON has it, without our own number of it."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in row.items()
        if name != "id"
    }


def ordered(views: Sequence[MatchView]) -> list[MatchView]:
    """Return live matches first, then what is coming, then what is over; by title within each."""
    order = {"live": 0, "upcoming": 1}
    return sorted(views, key=lambda view: (order.get(view.line.status, 2), view.line.title))
