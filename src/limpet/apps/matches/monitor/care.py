"""The caretaker: every fifteen seconds grades the whole, puts away what is over, and writes down how it stands."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection

from limpet.apps.matches.care_log import put_health_log
from limpet.apps.matches.grading import HealthGrade
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.load import Load
from limpet.apps.matches.monitor.recall import new_watch
from limpet.apps.matches.monitor.recovering import Recoverer
from limpet.apps.matches.monitor.watch import Board
from limpet.apps.matches.pen import Freshness, put, put_freshness, stop_all, watch_row
from limpet.apps.matches.recovery import RecoveryAction
from limpet.fetch.browser import sweep_orphans
from limpet.source.source import MEBIBYTE

_log = structlog.get_logger("limpet.matches")


@dataclass(slots=True)
class Caretaker:
    """Does one round at a time."""

    room: ControlRoom
    recoverer: Recoverer
    data_dir: Path
    load: Load = field(default_factory=Load)
    _logged_at: float | None = None
    _swept_at: float | None = None

    async def look(self) -> None:
        """Grade, recover where it fails, and write down how every match stands."""
        self.load.measure(self.room)
        await self.recoverer.call_back_hung()
        self._grade()
        await self.recoverer.judge()
        if self.room.grading.grade is HealthGrade.FAILING:
            await self.recoverer.recover(self._condition(), RecoveryAction.SOFT_RESTART)
        await self._put_away()
        await self._renew_sessions()
        await self._write_freshness()
        await self._write_health_log()
        await self._sweep_orphans()

    async def leave(self) -> None:
        """Say that nobody watches any more."""
        await self.room.ledger.write(stop_all)

    def _grade(self) -> None:
        room, before = self.room, self.room.grading.grade
        room.reading = room.read_health()
        room.grading = room.grading.evaluated(room.reading)
        room.evaluated_at = room.clock.now()
        if room.grading.grade is not before:
            _log.warning("grade", before=before.value, grade=room.grading.grade.value)

    def _condition(self) -> str:
        reading = self.room.reading
        if reading.stall_seconds >= self.room.terms.stall_seconds:
            return f"stall:{reading.stall_seconds:.0f}s"
        return f"freshness_max:{reading.freshness.max:.0f}s"

    async def _put_away(self) -> None:
        """Archive what ended a day ago."""
        for board in list(self.room.boards.values()):
            for watch in board.watches.values():
                watch.record = watch.record.aged(self.room.clock.now())
            if board.state is MatchState.ARCHIVED:
                await self._archive(board)

    async def _archive(self, board: Board) -> None:
        now = self.room.clock.now()
        rows = [watch_row(board, watch, now=now) for watch in board.watches.values()]
        freshness = [Freshness.of(board, now=self.room.clock.monotonic(), stale_after=0.0)]

        def write(connection: Connection) -> None:
            put(connection, rows)
            put_freshness(connection, freshness)

        await self.room.ledger.write(write)
        await self.room.shelf.forget(board.match_id)
        self.room.remove(board)

    async def _renew_sessions(self) -> None:
        """Begin new sessions where the old ones are worn."""
        room = self.room
        for watch in room.watched():
            reason = watch.context.reason_to_restart
            if reason is None or not watch.record.may_be_asked(room.clock.now()):
                continue
            if watch.context.has_open_errors:
                await room.ledger.resolve_errors(watch.context.scraper_id, "restart")
            worn = watch.context
            watch.context = new_watch(room, watch.domain, watch.match, watch.record).context
            watch.context.follow(worn)
            _log.info("session_renewed", match=watch.id, reason=reason)

    async def _write_freshness(self) -> None:
        room, now = self.room, self.room.clock.monotonic()
        stale_after = room.terms.session.degraded_staleness_seconds
        rows = [Freshness.of(board, now=now, stale_after=stale_after) for board in room.boards.values()]
        moment = room.clock.now()
        watched = [watch_row(room.board_of[each.id], each, now=moment) for each in room.watched()]

        def write(connection: Connection) -> None:
            put_freshness(connection, rows)
            put(connection, watched)

        await room.ledger.write(write)
        await room.ledger.renew(room.ledger.worker, seconds=4 * room.terms.evaluate_seconds)

    async def _write_health_log(self) -> None:
        room, now = self.room, self.room.clock.monotonic()
        if self._logged_at is not None and now - self._logged_at < room.terms.health_log_seconds:
            return
        self._logged_at = now
        rows = self._health_rows()
        await room.ledger.write(lambda connection: put_health_log(connection, rows))

    def _health_rows(self) -> list[dict[str, Any]]:
        contexts = [watch.context for watch in self.room.watched()]
        moment = self.room.clock.now()
        return [
            {
                "scraper_id": context.scraper_id,
                "match_id": context.match_id,
                "timestamp": moment,
                "health_status": context.health_status,
                "error_count": context.error_count,
                "memory_mb": round(context.memory_bytes / MEBIBYTE, 2),
                "cpu_percent": round(context.cpu_percent, 2),
                "update_latency_ms": None if context.latency_ms is None else round(context.latency_ms),
                "polling_interval_seconds": round(context.polling_interval, 2),
                "uptime_seconds": round(context.uptime_seconds),
                "last_update_age_seconds": round(context.staleness_seconds),
            }
            for context in contexts
        ]

    async def _sweep_orphans(self) -> None:
        now = self.room.clock.monotonic()
        if self._swept_at is not None and now - self._swept_at < self.room.terms.orphan_seconds:
            return
        self._swept_at = now
        if swept := await asyncio.to_thread(sweep_orphans, self.data_dir):
            await self.recoverer.note(RecoveryAction.ORPHANS_SWEPT, "orphans", details={"pids": swept})
