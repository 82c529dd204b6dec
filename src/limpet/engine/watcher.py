"""What a run tells those who look on: a progress bar, a log, the portal."""

from __future__ import annotations

from typing import Protocol

from limpet.record.entry import Run, Settlement


class Watcher(Protocol):
    """Told about a run as it goes; must be quick and must not raise."""

    def started(self, run: Run, *, remaining: int) -> None: ...

    def settled(self, settlement: Settlement) -> None: ...

    def held(self, lane: str, reason: str, seconds: float) -> None:
        """A whole lane waits: its breaker is open, or its budget's store is gone."""
        ...

    def finished(self, run: Run) -> None: ...


class Silence:
    """Looks away."""

    def started(self, run: Run, *, remaining: int) -> None:
        pass

    def settled(self, settlement: Settlement) -> None:
        pass

    def held(self, lane: str, reason: str, seconds: float) -> None:
        pass

    def finished(self, run: Run) -> None:
        pass


class Together:
    """Several who look on at once."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers

    def started(self, run: Run, *, remaining: int) -> None:
        for watcher in self._watchers:
            watcher.started(run, remaining=remaining)

    def settled(self, settlement: Settlement) -> None:
        for watcher in self._watchers:
            watcher.settled(settlement)

    def held(self, lane: str, reason: str, seconds: float) -> None:
        for watcher in self._watchers:
            watcher.held(lane, reason, seconds)

    def finished(self, run: Run) -> None:
        for watcher in self._watchers:
            watcher.finished(run)
