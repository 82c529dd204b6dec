"""A run that is walked one step at a time, because the next target depends on how the last one ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from limpet.engine.watcher import Silence, Watcher
from limpet.record.entry import Run, Settlement
from limpet.record.ledger import Ledger
from limpet.target import Target


class Hearing(Silence):
    """Remembers the last settlement, and tells the one who looks on."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self.last: Settlement | None = None

    def settled(self, settlement: Settlement) -> None:
        self.last = settlement
        self._watcher.settled(settlement)

    def held(self, lane: str, reason: str, seconds: float) -> None:
        self._watcher.held(lane, reason, seconds)


@dataclass(frozen=True, slots=True)
class Steps:
    """The open run; each step is a job of it, leased, walked and settled like any other."""

    run: Run
    ledger: Ledger
    walk: Callable[[Watcher], Awaitable[None]]
    watcher: Watcher

    async def take(self, target: Target) -> Settlement | None:
        """Return how the target ended; None when we were told to stop, or the domain stayed shut, before that."""
        await self.ledger.extend_run(self.run.id, [target])
        hearing = Hearing(self.watcher)
        await self.walk(hearing)
        return hearing.last
