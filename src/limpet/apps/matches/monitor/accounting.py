"""How a visit ended, written down everywhere it counts: the match's life, its rhythm, its session, the tally."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field, replace
from random import Random

import structlog

from limpet.apps.matches.lifecycle import MatchPriority
from limpet.apps.matches.monitor.absorbing import Absorbed
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.watch import Board, Watch
from limpet.apps.matches.pen import board_row, put, watch_row
from limpet.apps.matches.record import MatchSnapshot
from limpet.apps.matches.snapshot import COMPLETED_TTL_SECONDS, LIVE_TTL_SECONDS
from limpet.apps.matches.tasks import ScrapeRequest, TaskState
from limpet.errors import (
    BreakerOpen,
    FetchError,
    FetchTimeout,
    GateRefused,
    LimpetError,
    PageGone,
    RateLimited,
)
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.fetch.exchange import SITE_TROUBLE_CODES
from limpet.observe.freshness import lanes_of
from limpet.record.settled_rows import error_type

_log = structlog.get_logger("limpet.matches")

_HOLD_SECONDS = 5.0
LONGEST_HOLD_SECONDS = 30.0


@dataclass(slots=True)
class Accountant:
    """Keeps the books of visits."""

    room: ControlRoom
    random: Random = field(default_factory=Random)

    async def succeeded(
        self, board: Board, watch: Watch, snapshot: MatchSnapshot, *, absorbed: Absorbed, took: float
    ) -> None:
        """Count a visit that gave data."""
        room, now = self.room, self.room.clock.monotonic()
        before = watch.record
        watch.answered(now, changed=absorbed.changed)
        watch.note_card(snapshot, is_eventful=absorbed.is_eventful, now=now, terms=room.terms)
        watch.record = watch.record.succeeded(
            room.clock.now(), is_over=snapshot.status.is_over, is_playing=watch.is_playing
        )
        self._find_rhythm(watch, changed=absorbed.changed or bool(absorbed.balls), took=took)
        room.succeeded_at = now
        room.browser_succeeded_at = now if watch.domain.needs_browser else room.browser_succeeded_at
        room.grading = room.grading.succeeded()
        room.tally.succeeded(watch.domain.id, took, now=now)
        watch.is_held = False
        await self._end_trouble(watch)
        self._wake_held(watch)
        self._wake_others(board, watch)
        await self._tell_shelf(board, watch)
        await self._resolve_errors(watch)
        if watch.record.state is not before.state:
            await self.state_changed(board, watch)

    def _wake_held(self, watch: Watch) -> None:
        """When a source answers again, nobody it holds back waits out a pause that was made for its absence."""
        room, now = self.room, self.room.clock.monotonic()
        for other in room.watches.values():
            waits = other.is_held or other.rhythm.errors > 0
            if (
                other.domain.id == watch.domain.id
                and waits
                and other.due_at > now + 1
                and room.takes_part(other)
            ):
                room.schedule(other, at=now + self.random.uniform(0.0, 0.5))

    def _wake_others(self, board: Board, watch: Watch) -> None:
        """When one source says that play has begun, the others are not waited for until their usual time."""
        if watch.priority() is not MatchPriority.LIVE:
            return
        for other in board.watches.values():
            if other.priority() is MatchPriority.IMMINENT and self.room.takes_part(other):
                self.room.schedule(other, at=self.room.clock.monotonic())

    async def _end_trouble(self, watch: Watch) -> None:
        """A source that answers, and whose breaker lets everybody through, is back."""
        troubles = self.room.troubles
        if watch.domain.id in troubles.open and not await self._does_the_source_rest(watch):
            troubles.end(watch.domain.id, now=self.room.clock.monotonic())

    async def held(self, task: ScrapeRequest, watch: Watch, gate: GateRefused | RateLimited) -> ScrapeRequest:
        """Count a visit that was not made, because our gates are shut or the source asked us to wait."""
        self.room.tally.scrapes[watch.domain.id, "held"] += 1
        self.room.troubles.met(watch.domain.id, gate, now=self.room.clock.monotonic())
        watch.is_held = True
        watch.context.was_held_by_breaker |= isinstance(gate, BreakerOpen)
        if isinstance(gate, RateLimited):
            await self._note_error(watch, task, gate, kind="network")
        seconds = min(gate.retry_after or _HOLD_SECONDS, LONGEST_HOLD_SECONDS)
        # Not all at once when the gate opens again.
        return task.hold(self.room.clock.monotonic() + seconds + self.random.uniform(0.0, 0.5))

    async def failed(
        self, task: ScrapeRequest, board: Board, watch: Watch, *, error: Exception
    ) -> ScrapeRequest:
        """Count a visit that gave nothing; return the task for another try, or abandoned."""
        room, now, kind = self.room, self.room.clock.monotonic(), _kind_of(error)
        before = watch.record
        watch.outcomes.append(False)
        watch.rhythm.failed(timed_out=isinstance(error, FetchTimeout | TimeoutError))
        watch.context.failed()
        room.tally.went_wrong(watch.domain.id, kind, now=now)
        if _says_there_is_none(error):
            await room.shelf.put_negative(watch.id)
        if not await self._is_the_sources_trouble(watch, error):
            watch.record = watch.record.failed(room.clock.now())
        await self._note_error(watch, task, error, kind=kind)
        if watch.record.state is not before.state:
            await self.state_changed(board, watch)
        after = task.fail().again_or_abandon(now, random=self.random, backoff=room.terms.backoff_seconds)
        room.tally.retries[watch.domain.id] += after.state is TaskState.PENDING
        return after

    async def state_changed(self, board: Board, watch: Watch) -> None:
        """Write down and tell that the match stands differently now."""
        now = self.room.clock.now()
        rows = [board_row(board, now=now), watch_row(board, watch, now=now)]
        await self.room.ledger.write(lambda connection: put(connection, rows))
        await self._tell_shelf(board, watch)
        _log.info("match_state", match=watch.id, state=watch.record.state.value)
        board.ring()

    def _find_rhythm(self, watch: Watch, *, changed: bool, took: float) -> None:
        rhythm = watch.rhythm
        watch.record = replace(watch.record, priority_state=watch.priority())
        rhythm.priority = watch.record.priority_state
        rhythm.is_playing = watch.is_playing or not self.room.terms.detects_match_state
        rhythm.succeeded(changed=changed, latency_seconds=took)
        watch.context.succeeded(took * 1000)
        watch.context.polling_interval = watch.pause_seconds

    async def _is_the_sources_trouble(self, watch: Watch, error: Exception) -> bool:
        """Whether the whole source rests because of failures like this: then no single match is paused for it."""
        if not isinstance(error, FetchError) or error.code not in SITE_TROUBLE_CODES:
            return False
        return await self._does_the_source_rest(watch)

    async def _does_the_source_rest(self, watch: Watch) -> bool:
        for lane in lanes_of(watch.domain.source):
            if (await self.room.breakers.state(f"site:{lane}")).state != "closed":
                return True
        return False

    async def _tell_shelf(self, board: Board, watch: Watch) -> None:
        shelf, record = self.room.shelf, watch.record
        fresh = COMPLETED_TTL_SECONDS if record.priority_state else LIVE_TTL_SECONDS
        await shelf.refresh(board.match_id, at=self.room.clock.now().timestamp(), fresh_seconds=fresh)
        await shelf.put_monitor(watch.id, record.to_dict(), is_paused=record.paused)

    async def _resolve_errors(self, watch: Watch) -> None:
        context = watch.context
        if context.has_open_errors:
            method = "circuit_breaker" if context.was_held_by_breaker else "auto_retry"
            context.has_open_errors = context.was_held_by_breaker = False
            await self.room.ledger.resolve_errors(context.scraper_id, method)

    async def _note_error(self, watch: Watch, task: ScrapeRequest, error: Exception, *, kind: str) -> None:
        watch.context.has_open_errors = True
        is_told = isinstance(error, LimpetError | CannotRead | TimeoutError)
        await self.room.ledger.log_error(
            watch.context.scraper_id,
            kind,
            error_message=str(error) or type(error).__name__,
            stack_trace=None if is_told else "".join(traceback.format_exception(error, limit=-4)),
            match_id=watch.id,
            url=watch.match.url,
            operation="fetch_match",
            retry_attempt=task.attempt_number,
        )


def _says_there_is_none(error: Exception) -> bool:
    """Whether the source has no such match: by its status, or by an answer with nothing in it."""
    if isinstance(error, CannotRead):
        return error.reason in (Missing.NO_RECORD, Missing.GONE)
    return isinstance(error, PageGone)


def _kind_of(error: Exception) -> str:
    """Return the kind of trouble in the words of the error log."""
    if isinstance(error, FetchError):
        return error_type(error.code)
    return "network" if isinstance(error, TimeoutError) else "parsing"
