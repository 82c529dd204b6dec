"""What every scoreboard's reading shares: how it breaks off, and what it says happened last."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from limpet.apps.matches.balls import BALLS_PER_OVER, BallEvent
from limpet.apps.matches.record import EventType, LastEvent, Phase
from limpet.extract import Extraction, Unreadable
from limpet.extract.failure import CannotRead
from limpet.fetch.page import Page
from limpet.target import Target


class ScoreboardPage(ABC):
    """Reads one answer by itself, without anything learnt before: for `limpet parse` and for fixtures."""

    def read(self, page: Page, target: Target) -> Extraction[Any] | Unreadable:
        """Return what the answer states, or why it states nothing."""
        try:
            return Extraction(page, self.record(page))
        except CannotRead as failure:
            return failure.about(page)

    @abstractmethod
    def record(self, page: Page) -> Any:
        """Return what the answer states, or raise CannotRead."""


def last_event(phase: Phase, balls: tuple[BallEvent, ...], *, result: str) -> LastEvent | None:
    """Return the latest thing there is to tell: the result, a break, or a ball."""
    if phase is Phase.FINISHED:
        return LastEvent(EventType.RESULT, result)
    if phase is Phase.NOT_STARTED:
        return None
    if not phase.is_playing:
        return LastEvent(EventType.BREAK, phase.value.replace("_", " "))
    return _told(balls[-1]) if balls else None


def _told(ball: BallEvent) -> LastEvent:
    kind = EventType.WICKET if ball.is_wicket else EventType.RUNS
    if kind is EventType.RUNS and ball.is_legal and ball.ball == BALLS_PER_OVER:
        kind = EventType.OVER_COMPLETE
    return LastEvent(kind, f"{ball.label}: {ball.text}")
