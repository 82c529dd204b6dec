"""The pace of a domain: what may wait for its turn, how long apart turns are, and who keeps the count."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from types import TracebackType
from typing import Protocol, Self

from limpet.source.source import Pace

MAX_PAUSE_SECONDS = 6 * 3600.0
# A request that has been on its way for so long hangs at the origin, not before it: where several may be open at
# once, it keeps only its own place from then on, and not the whole domain until its deadline.
SURELY_THERE_SECONDS = 5.0


class Permit(ABC):
    """Leave to send one request. It must be left when the request was answered or failed."""

    __slots__ = ("waited_seconds",)

    def __init__(self, waited_seconds: float = 0.0) -> None:
        self.waited_seconds = waited_seconds  # how long the caller stood in line for it

    @abstractmethod
    async def reached(self) -> None:
        """Tell that the origin has the request: spacing counts from here, the place stays taken.

        Until then nobody else may ask the domain, because a slow connection could bring two requests to the
        origin at once; after SURELY_THERE_SECONDS it is taken to be there. Without this call `leave` tells it.
        """

    @abstractmethod
    async def leave(self) -> None:
        """Give the place back; safe to call twice, never raises."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        await self.leave()


class Budget(Protocol):
    """Keeps one count per registrable domain for every worker there is."""

    async def enter(self, domain: str, pace: Pace, *, crawl_delay: float = 0.0) -> Permit:
        """Return once the domain may be asked; raise BudgetUnavailable when the count cannot be kept."""
        ...

    async def pause(self, domain: str, seconds: float) -> None:
        """Keep every worker away from the domain that long, 6 h at most; never shorten a longer pause."""
        ...

    async def paused_for(self, domain: str) -> float:
        """Return the seconds left of the domain's pause, zero when there is none."""
        ...


def spacing_seconds(pace: Pace, crawl_delay: float = 0.0) -> float:
    """Return the smallest distance between two requests that pace and robots.txt both allow."""
    return max(pace.spacing_seconds, crawl_delay, 0.0)


def rest_seconds(spacing: float, jitter: float, *, random: Random) -> float:
    """Return the spacing, lengthened by chance up to the jitter.

    Never shortened: the origin's log must show no gap under the budget.
    """
    return spacing * (1.0 + random.uniform(0.0, max(0.0, jitter)))


class Rests:
    """Remembers how many requests a domain had since its last longer rest, and when the next is due.

    Counted per process; the rest itself is kept by the budget, and holds for all of them.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._since: dict[str, int] = {}

    def after_next(self, domain: str, pace: Pace, spacing: float) -> float:
        """Return how long the domain rests after the request that is about to be made."""
        rest = rest_seconds(spacing, pace.jitter, random=self._random)
        if not pace.rest_after:
            return rest
        self._since[domain] = self._since.get(domain, 0) + 1
        if self._since[domain] < pace.rest_after:
            return rest
        self._since[domain] = 0
        return max(rest, pace.rest_seconds)


def clamp_pause(seconds: float) -> float:
    """Return the pause between zero and six hours; what is no number is no pause."""
    return min(seconds, MAX_PAUSE_SECONDS) if seconds > 0 else 0.0
