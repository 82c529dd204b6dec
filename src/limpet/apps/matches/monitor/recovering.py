"""Recovery: calls back what hangs, recycles what is worn, asks everything anew - and writes down what it did."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog

from limpet.apps.matches.care_log import put_audit, put_verdicts
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.troubles import STORE
from limpet.apps.matches.recovery import RecoveryAction, RecoveryAuditEntry, RecoveryOutcome
from limpet.errors import BrowserError
from limpet.fetch.browser.recycling import Reason

_log = structlog.get_logger("limpet.matches")
# What the pool tells about browsers that were replaced or fell; its own word for why is in the details.
_BROWSER_EVENTS = ("browser_recycled", "browser_crashed", "browser_killed")


@dataclass(slots=True)
class Recoverer:
    """Stands outside of every visit, so that a stuck one cannot keep it from acting."""

    room: ControlRoom
    under_way: dict[str, tuple[asyncio.Task[None], float]] = field(default_factory=dict)
    _recovered_at: float | None = None
    _in_vain: int = 0  # recoveries in a row that brought nothing
    _missed: int = 0  # failures of the shelf we know of
    _browser_events: asyncio.Queue[tuple[str, Mapping[str, object]]] = field(default_factory=asyncio.Queue)

    async def recover(self, condition: str, action: RecoveryAction) -> RecoveryAuditEntry | None:
        """Recycle the browser where there is one, and ask everything anew; None while the last one has its time."""
        room, now = self.room, self.room.clock.monotonic()
        if self._is_resting(now) and action is not RecoveryAction.MANUAL_TRIGGER:
            return None
        self._recovered_at = now
        called_back = self._call_all_back()
        recycled = await self._recycle_browser()
        room.grading = room.grading.recycled()
        room.offer_due()
        details = {"called_back": called_back, "browser_recycled": recycled}
        took = room.clock.monotonic() - now
        return await self.note(action, condition, begun_at=now, duration=took, details=details)

    async def note(
        self,
        action: RecoveryAction,
        condition: str,
        *,
        begun_at: float | None = None,
        duration: float = 0.0,
        details: Mapping[str, object] | None = None,
    ) -> RecoveryAuditEntry:
        """Write a recovery down; its outcome follows within two minutes."""
        entry = RecoveryAuditEntry(
            timestamp=self.room.clock.now(),
            action_type=action,
            trigger_condition=condition,
            begun_at=self.room.clock.monotonic() if begun_at is None else begun_at,
            duration_seconds=round(duration, 3),
            metadata=dict(details or {}),
        )
        self.room.recoveries.begin(entry)
        await self._write_down(entry)
        return entry

    async def _write_down(self, entry: RecoveryAuditEntry) -> None:
        _log.warning("recovery", action=entry.action_type.value, trigger=entry.trigger_condition)
        await self.room.ledger.write(lambda connection: put_audit(connection, entry))
        await self.room.shelf.put_audit(entry.to_dict())

    async def note_passed_troubles(self) -> None:
        """Write down what came right by itself since the last time: what it was, and how long it lasted."""
        room = self.room
        await self._look_at_store()
        for trouble, ended_at in room.troubles.take_over():
            lasted = round(ended_at - trouble.began_at, 3)
            entry = RecoveryAuditEntry(
                timestamp=room.clock.now(),
                action_type=trouble.action,
                trigger_condition=f"{trouble.subject}: {trouble.condition}",
                begun_at=trouble.began_at,
                outcome=RecoveryOutcome.SUCCESS,
                duration_seconds=lasted,
                judged_at=room.clock.now(),
                metadata={"subject": trouble.subject, "lasted_seconds": lasted},
            )
            room.recoveries.add(entry)
            await self._write_down(entry)

    async def _look_at_store(self) -> None:
        room, now = self.room, self.room.clock.monotonic()
        await room.shelf.look()
        missed, self._missed = room.shelf.failures - self._missed, room.shelf.failures
        if room.shelf.is_behind or missed:
            room.troubles.begin(STORE, "store.unreachable", now=now)
        elif (trouble := room.troubles.open.get(STORE)) and (room.succeeded_at or 0.0) > trouble.began_at:
            room.troubles.end(STORE, now=now)

    async def judge(self) -> None:
        """Judge the recoveries that have worked, and those whose time is over."""
        room = self.room
        needs_browser = any(watch.domain.needs_browser for watch in room.watches.values())
        judged = room.recoveries.judge(
            room.grading.grade,
            has_succeeded_since=room.browser_succeeded_at if needs_browser else room.succeeded_at,
            now=room.clock.now(),
            monotonic=room.clock.monotonic(),
        )
        if any(entry.outcome is RecoveryOutcome.FAILED for entry in judged):
            self._in_vain += 1
            room.grading = room.grading.recovery_failed()
        elif judged:
            self._in_vain = 0
        if judged:
            await room.ledger.write(lambda connection: put_verdicts(connection, judged))

    async def call_back_hung(self) -> None:
        """Cancel visits that have not ended in their time; they count as failed and are made anew."""
        now, most = self.room.clock.monotonic(), self.room.terms.stall_seconds
        hung = [watch_id for watch_id, (_, began) in self.under_way.items() if now - began >= most]
        in_browser = [each for each in hung if self._call_back(each) and self._needs_browser(each)]
        if in_browser:  # with its visit a page that hangs is thrown away, and the next visit opens another
            details = {"called_back": in_browser}
            await self.note(RecoveryAction.CONTEXT_POOL_RESET, f"hung for {most:g} s", details=details)

    # -- the browser's story -------------------------------------------------------------------------------

    def hear(self, kind: str, details: Mapping[str, object]) -> None:
        """Take note of what the browser pool tells; it is written down when there is time."""
        if kind in _BROWSER_EVENTS:
            self._browser_events.put_nowait((kind, dict(details)))

    async def write_browser_story(self) -> None:
        """Write down what the pool told since the last time."""
        while not self._browser_events.empty():
            kind, details = self._browser_events.get_nowait()
            reason = str(details.get("reason", Reason.CRASH.value if kind == "browser_crashed" else kind))
            if reason != Reason.ASKED.value:  # what was asked for is written down by whoever asked
                await self.note(RecoveryAction.BROWSER_RECYCLE, reason, details=details)

    # -- inside --------------------------------------------------------------------------------------------

    def _is_resting(self, now: float) -> bool:
        """Whether the last one has its time, or helped so little that the next one can wait: then it is failing."""
        terms = self.room.terms
        rest = min(terms.recovery_rest_seconds * 2**self._in_vain, terms.longest_recovery_rest_seconds)
        return self._recovered_at is not None and now - self._recovered_at < rest

    def _call_all_back(self) -> int:
        waiting = list(self.under_way)
        for watch_id in waiting:
            self._call_back(watch_id)
        return len(waiting)

    def _call_back(self, watch_id: str) -> bool:
        """Cancel a visit, and tell whether it was there and not called back before."""
        visit, watch = self.under_way.get(watch_id), self.room.watches.get(watch_id)
        if visit is None or watch is None or watch.is_hung:
            return False
        watch.is_hung = True
        visit[0].cancel()
        return True

    def _needs_browser(self, watch_id: str) -> bool:
        return self.room.watches[watch_id].domain.needs_browser

    async def _recycle_browser(self) -> bool:
        pool = self.room.pool
        if pool is None or not any(watch.domain.needs_browser for watch in self.room.watches.values()):
            return False
        try:
            await pool.recycle()
        except BrowserError as error:
            _log.error("recycle_failed", error=str(error))
            return False
        return True
