"""The monitor: discovers matches, asks each at its own rhythm, cares for itself, until it is told to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import structlog

from limpet.apps.matches.monitor.absorbing import Absorber
from limpet.apps.matches.monitor.accounting import Accountant
from limpet.apps.matches.monitor.care import Caretaker
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.discovery import Discovery
from limpet.apps.matches.monitor.health import health_summary
from limpet.apps.matches.monitor.orders import OrderDesk
from limpet.apps.matches.monitor.recall import Recall
from limpet.apps.matches.monitor.recovering import Recoverer
from limpet.apps.matches.monitor.tenure import tenure
from limpet.apps.matches.monitor.trimming import Trimmer
from limpet.apps.matches.monitor.visiting import Visitor
from limpet.clock import is_set_within
from limpet.errors import RunBusy
from limpet.target.outcome import Trigger

_log = structlog.get_logger("limpet.matches")
_BEAT_SECONDS = 1.0
_STAND_BY_SECONDS = 5.0


@dataclass(slots=True)
class MatchMonitor:
    """Watches matches. `serve` may be called in many processes: one watches, the others stand by."""

    room: ControlRoom
    data_dir: Path
    tell_backend: Callable[[], Awaitable[None]] | None = None
    is_watching: bool = False
    recoverer: Recoverer = field(init=False)
    caretaker: Caretaker = field(init=False)
    discovery: Discovery = field(init=False)
    trimmer: Trimmer = field(init=False)
    _visitor: Visitor = field(init=False)
    _orders: OrderDesk = field(init=False)

    def __post_init__(self) -> None:
        room = self.room
        accountant = Accountant(room)
        self.recoverer = Recoverer(room)
        self.caretaker = Caretaker(room, self.recoverer, self.data_dir)
        self.discovery = Discovery(room)
        self.trimmer = Trimmer(room)
        self._visitor = Visitor(room, Absorber(room), accountant)
        self._orders = OrderDesk(room, accountant, self.recoverer)

    @property
    def has_work(self) -> bool:
        """Whether any domain takes part: without one there is nothing to watch."""
        return bool(self.room.domains())

    def hear_browser(self, kind: str, details: Mapping[str, object]) -> None:
        """Take note of what the browser pool tells."""
        self.recoverer.hear(kind, details)

    async def serve(self, stop: asyncio.Event) -> None:
        """Watch until `stop` is set; while another process does, stand by to take over."""
        while not stop.is_set():
            try:
                await self.watch(stop, trigger=Trigger.SCHEDULE)
            except RunBusy:
                await is_set_within(stop, _STAND_BY_SECONDS)

    async def watch(self, stop: asyncio.Event, *, trigger: Trigger = Trigger.CLI) -> None:
        """Watch until `stop` is set, or raise RunBusy while another process does."""
        async with tenure(self.room.ledger, trigger=trigger) as run:
            _log.info("monitor_started", run_id=run.id)
            self._refresh_domains()
            known = await Recall(self.room).matches()
            _log.info("matches_recalled", count=known)
            self.is_watching = True
            try:
                await self._watch(stop)
            finally:
                self.is_watching = False
                await self.recoverer.write_browser_story()
                await self._flush_notes()
                await self.caretaker.leave()

    async def _watch(self, stop: asyncio.Event) -> None:
        terms = self.room.terms
        async with asyncio.TaskGroup() as group:
            group.create_task(self._dispatch(stop))
            for seconds, step in (
                (_BEAT_SECONDS, self._beat),
                (_BEAT_SECONDS, self.discovery.look),
                (terms.evaluate_seconds, self.caretaker.look),
                (terms.trim_seconds, self.trimmer.look),
            ):
                group.create_task(_every(seconds, step, stop=stop))
            if self.tell_backend is not None:
                group.create_task(_every(_BEAT_SECONDS, self.tell_backend, stop=stop))

    # -- visits --------------------------------------------------------------------------------------------

    async def _dispatch(self, stop: asyncio.Event) -> None:
        """Hand out tasks as they become due; on leaving, visits under way are given their end."""
        async with asyncio.TaskGroup() as visits:
            while not stop.is_set():
                self.room.wake.clear()
                self._start_due(visits)
                wait = self.room.queue.wait_seconds(self.room.clock.monotonic())
                await is_set_within(
                    self.room.wake, min(_BEAT_SECONDS, _BEAT_SECONDS if wait is None else wait)
                )
            for task, _ in list(self.recoverer.under_way.values()):
                task.cancel()

    def _start_due(self, visits: asyncio.TaskGroup) -> None:
        room = self.room
        while room.queue.running < room.terms.concurrency_cap:
            request = room.queue.take(room.clock.monotonic())
            if request is None:
                return
            task = visits.create_task(self._visitor.visit(request))
            self.recoverer.under_way[request.match_id] = (task, room.clock.monotonic())
            task.add_done_callback(partial(self._ended, request.match_id))

    def _ended(self, watch_id: str, visit: asyncio.Task[None]) -> None:
        # After a long visit the next one may have begun already, and that one is still to be watched over.
        known = self.recoverer.under_way.get(watch_id)
        if known is not None and known[0] is visit:
            del self.recoverer.under_way[watch_id]

    # -- rounds --------------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Every second: who takes part, what was ordered, what is due, what was asked of the web."""
        self._refresh_domains()
        await self._apply_overrides()
        await self._orders.look()
        self.room.offer_due()
        await self.recoverer.write_browser_story()
        await self.recoverer.note_passed_troubles()
        await self.recoverer.judge()
        await self._flush_notes()
        # Each beat: whoever reads it from the shelf is never shown one older than its five seconds.
        await self.room.shelf.put_health(health_summary(self.room).to_dict())

    def _refresh_domains(self) -> None:
        domains = {domain.id: domain for domain in self.room.domains()}
        for watch in self.room.watches.values():
            watch.domain = domains.get(watch.domain.id, watch.domain)
        self.room.active = domains

    async def _apply_overrides(self) -> None:
        for domain_id in list(self.room.active):
            override = await self.room.shelf.domain_override(domain_id)
            if override.get("enabled") is False:
                del self.room.active[domain_id]

    async def _flush_notes(self) -> None:
        notes, self.room.notes = self.room.notes, []
        if notes:
            await self.room.ledger.note_requests(notes)


async def _every(seconds: float, step: Callable[[], Awaitable[None]], *, stop: asyncio.Event) -> None:
    """Do it again and again; what goes wrong in one round is told, and the next round comes all the same."""
    while not stop.is_set():
        try:
            await step()
        except Exception as error:  # a monitor that died of one bad round would be stale without a word
            _log.error("round_failed", step=step.__qualname__, error=repr(error), exc_info=error)
        await is_set_within(stop, seconds)
