"""A match as it is watched: at each source by a watch of its own, and all of them together on one board."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime

from limpet.apps.matches.ball_log import BallLog
from limpet.apps.matches.card_log import CardLog
from limpet.apps.matches.lifecycle import MatchMonitoringRecord, MatchPriority, MatchState, overall
from limpet.apps.matches.monitor.domain import Domain
from limpet.apps.matches.monitor.gap_asking import GapAsking
from limpet.apps.matches.monitor.session import ScraperContext
from limpet.apps.matches.monitor.terms import MonitorTerms
from limpet.apps.matches.record import DiscoveredMatch, MatchSnapshot, MatchStatus
from limpet.apps.matches.rhythm import Rhythm
from limpet.apps.matches.snapshot import HISTORY, CachedSnapshot

_OUTCOMES_KEPT = 50


@dataclass(slots=True, eq=False)
class Watch:
    """One match at one source. Three clocks, monotonic: asked, answered, changed."""

    domain: Domain
    match: DiscoveredMatch
    record: MatchMonitoringRecord
    rhythm: Rhythm
    context: ScraperContext
    began_at: float
    latest: MatchSnapshot | None = None
    attempted_at: float | None = None
    fetched_at: float | None = None
    changed_at: float | None = None
    card_at: float | None = None
    wants_card: bool = True
    asking: GapAsking = field(default_factory=GapAsking)
    is_hung: bool = False  # the watchdog has called its visit back
    is_held: bool = False  # our gates, or the source, keep us from asking
    due_at: float = 0.0
    awaited_at: float = 0.0  # since when fresh data is expected of it: before, its age is nobody's fault
    outcomes: deque[bool] = field(default_factory=lambda: deque(maxlen=_OUTCOMES_KEPT))

    @property
    def id(self) -> str:
        """The match's id at this source."""
        return self.match.match_id

    @property
    def reliability(self) -> float:
        """The share of the last fifty visits that gave an answer."""
        return sum(self.outcomes) / len(self.outcomes) if self.outcomes else 1.0

    @property
    def rank(self) -> float:
        """How much this source is believed about balls and cards."""
        return self.domain.descriptor.precedence_weight * self.reliability

    @property
    def pause_seconds(self) -> float:
        """The time to the next visit: its rhythm's, but never less than its domain asks for."""
        return max(self.rhythm.interval_seconds, self.domain.descriptor.rate_limits.min_interval_seconds)

    @property
    def is_playing(self) -> bool:
        """Whether the last we saw of it was play."""
        return self.latest is not None and self.latest.phase.is_playing and not self.latest.status.is_over

    @property
    def is_awaited(self) -> bool:
        """Whether somebody expects fresh data of it now; not of what is put away or was paused by hand."""
        is_paused_by_hand = self.record.paused and self.record.pause_until is None
        is_away = self.record.state is MatchState.ARCHIVED or is_paused_by_hand
        return self.priority() is MatchPriority.LIVE and not is_away

    def age_seconds(self, now: float) -> float:
        """How long ago it last answered, or how long it has been waited for."""
        return max(0.0, now - (self.fetched_at if self.fetched_at is not None else self.began_at))

    def overdue_seconds(self, now: float) -> float:
        """How long fresh data has been missing: its age, but not from before any was expected."""
        return min(self.age_seconds(now), max(0.0, now - self.awaited_at))

    def answered(self, now: float, *, changed: bool) -> None:
        """Set the clocks after an answer."""
        self.fetched_at = now
        self.changed_at = now if changed else self.changed_at
        self.outcomes.append(True)

    def is_card_due(self, now: float, terms: MonitorTerms) -> bool:
        """Whether the scorecard should be asked for too."""
        return self.wants_card or self.card_at is None or now - self.card_at >= terms.card_seconds

    def note_card(
        self, snapshot: MatchSnapshot, *, is_eventful: bool, now: float, terms: MonitorTerms
    ) -> None:
        """Remember when the card was seen; after a wicket or a boundary it is wanted sooner."""
        if snapshot.card or self.card_at is None or self.is_card_due(now, terms):
            self.card_at, self.wants_card = (
                now,
                False,
            )  # also for a source that has none: once is asking enough
        if is_eventful and now - self.card_at >= terms.card_seconds_after_event:
            self.wants_card = True

    def priority(self) -> MatchPriority:
        """How urgent it is, by how it stands with us and what the source says."""
        if self.record.state in (MatchState.COMPLETED, MatchState.ARCHIVED):
            return MatchPriority.COMPLETED
        status = self.latest.status if self.latest is not None else self.match.status
        if status.is_over:
            return MatchPriority.COMPLETED
        # Its own page may be slower than the list: whoever says first that it has begun is right.
        has_begun = MatchStatus.LIVE in (status, self.match.status)
        return MatchPriority.LIVE if has_begun else MatchPriority.IMMINENT


@dataclass(slots=True, eq=False)
class Board:
    """One match, whoever shows it: the last good snapshot, the balls, the cards, and who listens."""

    match_id: str
    fixture: str
    created_at: datetime
    watches: dict[str, Watch] = field(default_factory=dict)  # by domain
    latest: CachedSnapshot | None = None
    history: deque[CachedSnapshot] = field(default_factory=lambda: deque(maxlen=HISTORY))
    balls: BallLog = field(default_factory=BallLog)
    cards: CardLog = field(default_factory=CardLog)
    conflicts: set[tuple[object, ...]] = field(default_factory=set)  # those written down already
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    must_reload: bool = False  # a write failed: what we learned is not what the ledger holds
    _bell: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def state(self) -> MatchState:
        return overall({watch.record.state for watch in self.watches.values()})

    @property
    def sequence(self) -> int:
        return self.latest.sequence_number if self.latest else 0

    @property
    def start_time(self) -> datetime | None:
        known = (watch.match.start_time for watch in self.watches.values())
        return next((moment for moment in known if moment is not None), None)

    @property
    def title(self) -> str:
        named = self.latest.normalized_payload.get("title") if self.latest else None
        listed = (watch.match.title for watch in self.watches.values())
        return str(named or next((title for title in listed if title), self.match_id))

    @property
    def status(self) -> str:
        if self.latest is not None:
            return str(self.latest.normalized_payload.get("status", "live"))
        return next((watch.match.status.value for watch in self.watches.values()), "upcoming")

    @property
    def is_live(self) -> bool:
        """Whether somebody expects fresh data of it now: its age counts for the grade."""
        return any(watch.is_awaited for watch in self.watches.values())

    def age_seconds(self, now: float) -> float:
        """How long ago any source last answered about it."""
        return min((watch.age_seconds(now) for watch in self.watches.values()), default=0.0)

    def overdue_seconds(self, now: float) -> float:
        """How long fresh data of it has been missing: what the grade is made of."""
        return min((watch.overdue_seconds(now) for watch in self.watches.values()), default=0.0)

    def ring(self) -> None:
        """Wake everybody who listens."""
        self._bell.set()
        self._bell = asyncio.Event()

    @property
    def bell(self) -> asyncio.Event:
        """What is set by the next news; taken before one looks, so that none is missed in between."""
        return self._bell
