"""One visit to one match at one source: asked, counted whatever comes of it, and due again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import structlog

from limpet.apps.matches.monitor.absorbing import Absorbed, Absorber
from limpet.apps.matches.monitor.accounting import LONGEST_HOLD_SECONDS, Accountant
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.watch import Board, Watch
from limpet.apps.matches.tasks import ScrapeRequest, TaskState
from limpet.errors import FetchError, GateRefused, RateLimited, RecordError
from limpet.extract.failure import CannotRead
from limpet.extract.site import Getter
from limpet.fetch import Trail

_log = structlog.get_logger("limpet.matches")


class Hung(TimeoutError):
    """The watchdog called the visit back: it had not come to an end in its time."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Carries tasks out; nothing a source or an adapter does gets past it."""

    room: ControlRoom
    absorber: Absorber
    accountant: Accountant

    async def visit(self, request: ScrapeRequest) -> None:
        """Carry the task to its end, and let the watch be due again."""
        watch = self.room.watches.get(request.match_id)
        task = request.begin()
        try:
            if watch is not None:
                task = await self._carry_out(task, self.room.board_of[watch.id], watch)
        except RecordError as fault:
            # A full disk passes; until then the last good snapshot stays, and nothing is shown that is not kept.
            _log.error("not_recorded", match=request.match_id, code=fault.code, message=str(fault))
        finally:
            self.room.queue.done(request)
            if watch is not None and watch.id in self.room.watches:
                self._again(watch, request, task)
            self.room.wake.set()

    def _again(self, watch: Watch, request: ScrapeRequest, task: ScrapeRequest) -> None:
        watch.is_hung = False
        if task.state is not TaskState.PENDING:
            self.room.schedule(watch, at=self.room.next_moment(watch, after=request.scheduled_at))
            return
        watch.due_at = task.scheduled_at
        self.room.queue.offer(replace(task, priority=watch.priority()))

    async def _carry_out(self, task: ScrapeRequest, board: Board, watch: Watch) -> ScrapeRequest:
        if not watch.record.may_be_asked(self.room.clock.now()) or not self.room.takes_part(watch):
            return task.succeed()  # paused or switched off since it was queued: nothing to do
        if await self.room.shelf.is_negative(watch.id):
            return task.hold(self.room.clock.monotonic() + LONGEST_HOLD_SECONDS)
        trail = Trail()
        try:
            await self._ask(board, watch, trail)
        except (GateRefused, RateLimited) as gate:
            return await self.accountant.held(task, watch, gate)
        except RecordError:
            raise
        except asyncio.CancelledError:
            if not watch.is_hung:
                raise
            _take_back_cancel()
            hung = Hung(f"no end after {self.room.terms.stall_seconds:g} s; called back")
            return await self.accountant.failed(task, board, watch, error=hung)
        except Exception as error:  # an adapter that crashes is this match's failure, never the monitor's
            return await self.accountant.failed(task, board, watch, error=error)
        finally:
            self.room.notes += trail.requests
        return task.succeed()

    async def _ask(self, board: Board, watch: Watch, trail: Trail) -> None:
        room = self.room
        started = watch.attempted_at = room.clock.monotonic()
        with_card = watch.is_card_due(started, room.terms)
        way = self._way(watch, trail)
        snapshot = await watch.domain.adapter.fetch_match(watch.match, way, with_card=with_card)
        took = room.clock.monotonic() - started
        absorbed = await self.absorber.absorb(board, watch, snapshot, latency_ms=round(took * 1000))
        await self.accountant.succeeded(board, watch, snapshot, absorbed=absorbed, took=took)
        await self._fill_gaps(board, watch, absorbed, way)

    def _way(self, watch: Watch, trail: Trail) -> Getter:
        # The deadline counts on the wire only: waiting for our own pace is nobody's failure.
        patient = replace(watch.domain.source, patience_seconds=watch.rhythm.timeout_seconds)
        return self.room.way(patient, watch.domain.site, trail)

    async def _fill_gaps(self, board: Board, watch: Watch, absorbed: Absorbed, way: Getter) -> None:
        """Ask for the whole innings when balls are missing; some sources remember it, others do not."""
        now = self.room.clock.monotonic()
        if not watch.asking.is_due(absorbed.gaps, now=now):
            return
        self.room.tally.ball_gaps += len(absorbed.gaps)
        try:
            for innings in sorted({gap.innings for gap in absorbed.gaps}):
                balls = await watch.domain.adapter.fetch_balls(watch.match, way, innings=innings)
                await self.absorber.backfill(board, watch, list(balls))
        except (FetchError, CannotRead) as error:
            # The visit itself went well; the gap is still there, and is asked about again next time.
            _log.warning("gap_not_filled", match=watch.id, error=str(error))
        else:
            watch.asking.asked(absorbed.gaps, now=now)


def _take_back_cancel() -> None:
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()
