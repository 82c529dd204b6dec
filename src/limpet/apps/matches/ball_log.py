"""Every ball of a match, once and in order: late ones filled in, corrected ones as new versions, gaps known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from limpet.apps.matches.balls import BALLS_PER_OVER, BallEvent, BallKey
from limpet.apps.matches.scorecard import InningsScore


class Found(StrEnum):
    """How we came to know of a ball."""

    LIVE = "live"
    BACKFILL = "backfill"  # later balls were known already
    CORRECTION = "correction"
    WITHDRAWN = "withdrawn"  # the source no longer counts it


@dataclass(frozen=True, slots=True)
class KeptBall:
    """One version of one ball, with the source that is believed about it."""

    event: BallEvent
    domain_id: str
    version: int = 1
    found: Found = Found.LIVE

    @property
    def is_withdrawn(self) -> bool:
        return self.found is Found.WITHDRAWN


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """Balls that were bowled and that nobody has told us about."""

    innings: int
    over: int
    missing: int  # at least so many


@dataclass(slots=True)
class BallLog:
    """The balls of one match. Sources are believed by rank: a lesser one never overwrites a better one's word."""

    _balls: dict[BallKey, KeptBall] = field(default_factory=dict)
    _ranks: dict[BallKey, float] = field(default_factory=dict)
    _first: dict[int, BallKey] = field(default_factory=dict)  # by innings: where our watch began

    def take(self, events: Sequence[BallEvent], *, domain_id: str, rank: float) -> list[KeptBall]:
        """Learn what a source shows of the latest overs; return what is new, in the order of play."""
        news = []
        for event in sorted(events, key=lambda each: each.key):
            kept = self._learn(event, domain_id, rank)
            if kept is not None:
                news.append(kept)
        return sorted([*news, *self._withdraw(events, domain_id)], key=lambda kept: kept.event.key)

    def restore(self, kept: Iterable[KeptBall], *, rank: float = 0.0) -> None:
        """Take back what the ledger remembers, newest version last."""
        for ball in kept:
            self._keep(ball, rank)

    def gaps(self, scores: Iterable[InningsScore] = ()) -> list[Gap]:
        """Return what is missing since our watch began; with the scores, also what is missing at each one's end."""
        found = [gap for innings in sorted(self._first) for gap in self._gaps_in(innings)]
        tails = (self._missing_at_the_end(score) for score in scores)
        return [*found, *(tail for tail in tails if tail is not None)]

    def balls(self, *, innings: int | None = None) -> list[KeptBall]:
        """Return the balls as they stand now, in the order of play."""
        return [
            self._balls[key]
            for key in sorted(self._balls)
            if innings in (None, key.innings) and not self._balls[key].is_withdrawn
        ]

    def __len__(self) -> int:
        return len(self._balls)

    # -- learning ------------------------------------------------------------------------------------------

    def _learn(self, event: BallEvent, domain_id: str, rank: float) -> KeptBall | None:
        known = self._balls.get(event.key)
        if known is None:
            is_late = any(key > event.key for key in self._balls)
            return self._keep(
                KeptBall(event, domain_id, found=Found.BACKFILL if is_late else Found.LIVE), rank
            )
        if not self._may_correct(known, event, domain_id, rank):
            return None
        return self._keep(KeptBall(event, domain_id, version=known.version + 1, found=Found.CORRECTION), rank)

    def _may_correct(self, known: KeptBall, event: BallEvent, domain_id: str, rank: float) -> bool:
        """The teller may correct itself, a better source may correct it; two that differ never take turns."""
        if not known.is_withdrawn and _says_the_same(known.event, event):
            return False
        return domain_id == known.domain_id or rank > self._ranks[event.key]

    def _withdraw(self, events: Sequence[BallEvent], domain_id: str) -> list[KeptBall]:
        """A whole over told again with fewer deliveries takes the last ones back."""
        shown = {event.key for event in events}
        newest = max(shown, default=None)
        gone = []
        for key in sorted(self._balls):
            known = self._balls[key]
            is_told_whole = BallKey(key.innings, key.over, 1) in shown and newest is not None
            if key in shown or not is_told_whole or known.is_withdrawn or known.domain_id != domain_id:
                continue
            if newest is not None and (newest.innings, newest.over) > (key.innings, key.over):
                taken_back = replace(known, version=known.version + 1, found=Found.WITHDRAWN)
                gone.append(self._keep(taken_back, self._ranks[key]))
        return gone

    def _keep(self, ball: KeptBall, rank: float) -> KeptBall:
        key = ball.event.key
        self._balls[key] = ball
        self._ranks[key] = rank
        self._first[key.innings] = min(self._first.get(key.innings, key), key)
        return ball

    # -- gaps ----------------------------------------------------------------------------------------------

    def _gaps_in(self, innings: int) -> list[Gap]:
        first, last = self._start(innings), max(key for key in self._balls if key.innings == innings)
        return [
            Gap(innings, over, missing)
            for over in range(first.over, last.over + 1)
            if (missing := self._missing_in(innings, over, first=first, is_over=over < last.over))
        ]

    def _start(self, innings: int) -> BallKey:
        """An innings that began under our watch is known from its first ball."""
        is_first_watched = innings == min(self._first)
        return self._first[innings] if is_first_watched else BallKey(innings, 0, 1)

    def _missing_in(self, innings: int, over: int, *, first: BallKey, is_over: bool) -> int:
        known = [
            self._balls[key]
            for key in sorted(self._balls)
            if (key.innings, key.over) == (innings, over) and not self._balls[key].is_withdrawn
        ]
        begins = first.delivery if over == first.over else 1
        last = known[-1].event.key.delivery if known else 0
        within = max(0, last - begins + 1 - len(known))
        if not is_over or begins > 1:
            return within
        legal = sum(ball.event.is_legal for ball in known)
        return max(within, BALLS_PER_OVER - legal)

    def _missing_at_the_end(self, score: InningsScore) -> Gap | None:
        of_innings = [ball for key, ball in self._balls.items() if key.innings == score.number]
        known = max((ball.event.legal_balls for ball in of_innings if not ball.is_withdrawn), default=None)
        if known is None:
            # An innings before our watch is none of our business; one that came and went meanwhile is missing whole.
            known = 0 if self._first and score.number > min(self._first) else score.overs.legal_balls
        if known >= score.overs.legal_balls:
            return None
        return Gap(score.number, known // BALLS_PER_OVER, score.overs.legal_balls - known)


def _says_the_same(one: BallEvent, other: BallEvent) -> bool:
    """Whether both mean the same ball; sources spell outcomes differently, so the text is no news."""
    return (one.ball, one.runs, one.extras, one.extra_kind, one.is_wicket) == (
        other.ball,
        other.runs,
        other.extras,
        other.extra_kind,
        other.is_wicket,
    )
