"""A canary: the first targets of an adapter just switched on again. The others wait for what becomes of them."""

from __future__ import annotations

import asyncio

from limpet.observe.drift import CANARY_SIZE
from limpet.record.entry import Settlement
from limpet.target import Outcome
from limpet.target.outcome import REASONS_EXEMPT_FROM_DRIFT


class Canary:
    """Lets so many targets through that exactly the first twenty can be judged before any other is asked for."""

    def __init__(self, *, judged: int = 0) -> None:
        self._judged = judged
        self._under_way = 0
        self._is_through = False
        self._room = asyncio.Condition()

    async def __aenter__(self) -> None:
        """Wait until there is room among the first, or until they are judged."""
        async with self._room:
            await self._room.wait_for(self._has_room)
            self._under_way += 1

    async def __aexit__(self, *_: object) -> None:
        """Make room: one that was not judged, such as a sold-out page, does not count."""
        async with self._room:
            self._under_way -= 1
            self._room.notify_all()

    def completes(self, settlement: Settlement) -> bool:
        """Count the settlement; True once, when it was the last that had to be judged."""
        if self._is_through or not _says_something(settlement):
            return False
        self._judged += 1
        return self._judged == CANARY_SIZE

    async def release_everybody(self) -> None:
        """Let all others pass: the gates know by now whether they may."""
        async with self._room:
            self._is_through = True
            self._room.notify_all()

    def _has_room(self) -> bool:
        return self._is_through or self._judged + self._under_way < CANARY_SIZE


def _says_something(settlement: Settlement) -> bool:
    if settlement.outcome is Outcome.DROPPED:
        return settlement.reason not in REASONS_EXEMPT_FROM_DRIFT
    return settlement.outcome is not Outcome.SKIPPED
