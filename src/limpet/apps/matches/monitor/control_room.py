"""The control room: every match on its board, who is asked next, and all that is at hand for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from limpet.apps.matches.bursts import Bursts
from limpet.apps.matches.grading import Grading, Reading, freshness_of
from limpet.apps.matches.lifecycle import MatchPriority, MatchState
from limpet.apps.matches.monitor.domain import Domain, Domains
from limpet.apps.matches.monitor.tally import Tally
from limpet.apps.matches.monitor.terms import MonitorTerms
from limpet.apps.matches.monitor.troubles import Troubles
from limpet.apps.matches.monitor.watch import Board, Watch
from limpet.apps.matches.queue import TaskQueue
from limpet.apps.matches.recovery import RecoveryLog
from limpet.apps.matches.shelf.shelf import Shelf
from limpet.apps.matches.tasks import ScrapeRequest
from limpet.clock import Clock
from limpet.extract.site import Getter, Site
from limpet.fetch import Trail
from limpet.fetch.browser import BrowserPool
from limpet.fetch.policy.breaker import Breakers
from limpet.fetch.trail import RequestNote
from limpet.record.ledger import Ledger
from limpet.source import Source

_SOON_SECONDS = 3600.0  # a match that starts later than this is not asked yet


@dataclass(slots=True)
class ControlRoom:
    """What all parts of the monitor share. Only the event loop touches it."""

    ledger: Ledger
    clock: Clock
    way: Callable[[Source, Site, Trail], Getter]
    domains: Domains
    breakers: Breakers
    shelf: Shelf
    terms: MonitorTerms
    pool: BrowserPool | None = None
    boards: dict[str, Board] = field(default_factory=dict)  # by our id
    watches: dict[str, Watch] = field(default_factory=dict)  # by the source's id
    board_of: dict[str, Board] = field(default_factory=dict)  # by the source's id
    active: dict[str, Domain] = field(default_factory=dict)  # the domains that take part now
    listed_at: dict[str, datetime] = field(default_factory=dict)  # by domain: when its list was last had
    queue: TaskQueue = field(init=False)
    tally: Tally = field(default_factory=Tally)
    recoveries: RecoveryLog = field(default_factory=RecoveryLog)
    troubles: Troubles = field(default_factory=Troubles)
    grading: Grading = field(default_factory=Grading)
    reading: Reading = field(default_factory=Reading)
    evaluated_at: datetime | None = None  # when the grade was last looked at
    notes: list[RequestNote] = field(default_factory=list)
    succeeded_at: float | None = None
    browser_succeeded_at: float | None = None
    live_since: float | None = None
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.queue = TaskQueue(
            self.terms.bounds, places_at=self._places, bursts=Bursts(self._burst_allowance)
        )

    # -- matches -------------------------------------------------------------------------------------------

    def add(self, board: Board, watch: Watch) -> None:
        """Put a watch on its board."""
        board.watches[watch.domain.id] = watch
        self.boards[board.match_id] = board
        self.watches[watch.id] = watch
        self.board_of[watch.id] = board

    def remove(self, board: Board) -> None:
        """Take a match off; the ledger keeps what was known."""
        self.boards.pop(board.match_id, None)
        for watch in board.watches.values():
            self.queue.withdraw((watch.domain.id, watch.id))
            self.watches.pop(watch.id, None)
            self.board_of.pop(watch.id, None)

    def board(self, match_id: str) -> Board | None:
        """Return a match by our id, a source's id, or a source's bare key."""
        found = self.boards.get(match_id) or self.board_of.get(match_id)
        if found is not None:
            return found
        by_key = (each for each in self.watches.values() if each.match.match_key == match_id)
        return next((self.board_of[watch.id] for watch in by_key), None)

    def live_boards(self) -> Iterator[Board]:
        """Yield the matches of which fresh data is expected now."""
        return (
            board
            for board in self.boards.values()
            if any(watch.is_awaited and self.takes_part(watch) for watch in board.watches.values())
        )

    def watched(self) -> list[Watch]:
        """Return the watches that are asked: not those whose domain is switched off."""
        return [watch for watch in self.watches.values() if self.takes_part(watch)]

    # -- whose turn it is ----------------------------------------------------------------------------------

    def schedule(self, watch: Watch, *, at: float) -> None:
        """Let the watch be asked at that moment; a full queue is asked again later."""
        watch.due_at = at
        request = ScrapeRequest(watch.priority(), watch.id, watch.domain.id, at)
        deferred = self.queue.offer(request)
        if deferred is not None:
            self.tally.deferrals += 1
            watch.due_at = self.clock.monotonic() + deferred.retry_after
        self.wake.set()

    def offer_due(self) -> None:
        """Offer every watch that is due and waits nowhere: deferred ones, resumed ones, any that was lost."""
        now, moment = self.clock.monotonic(), self.clock.now()
        for watch in self.watches.values():
            is_idle = not self.queue.knows((watch.domain.id, watch.id))
            if (
                is_idle
                and watch.due_at <= now
                and watch.record.may_be_asked(moment)
                and self.takes_part(watch)
            ):
                self.schedule(watch, at=now)

    def takes_part(self, watch: Watch) -> bool:
        """Whether the watch's domain is switched on."""
        return watch.domain.id in self.active

    def next_moment(self, watch: Watch, *, after: float) -> float:
        """Return when the watch is due again, counted from when it was due last: a beat does not drift."""
        now = self.clock.monotonic()
        usual = max(now, after + watch.pause_seconds)
        if watch.priority() is not MatchPriority.IMMINENT or watch.match.start_time is None:
            return usual
        starts_in = (watch.match.start_time - self.clock.now()).total_seconds()
        if starts_in > _SOON_SECONDS:
            return now + min(starts_in - _SOON_SECONDS, _SOON_SECONDS)
        return min(usual, now + max(starts_in, self.terms.rhythm.base_seconds))

    # -- how it stands -------------------------------------------------------------------------------------

    def read_health(self) -> Reading:
        """Return what the grade is made of now."""
        now = self.clock.monotonic()
        live = list(self.live_boards())
        if not live:
            self.live_since = None
            return Reading()
        if self.live_since is None:
            self.live_since = now
        last = max(self.live_since, self.succeeded_at or self.live_since)
        return Reading(freshness_of([board.overdue_seconds(now) for board in live]), max(0.0, now - last))

    def states(self) -> Iterable[MatchState]:
        """Return how every match stands."""
        return [board.state for board in self.boards.values()]

    def _places(self, domain_id: str) -> int:
        domain = self.active.get(domain_id)
        return domain.places if domain is not None else 0

    def _burst_allowance(self, domain_id: str) -> int | None:
        domain = self.active.get(domain_id)
        return domain.descriptor.rate_limits.burst_allowance if domain is not None else None
