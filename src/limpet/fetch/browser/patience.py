"""How long a visit may take: the source's patience, not counting the rests we ourselves insist on."""

from __future__ import annotations

import asyncio
from types import TracebackType

from limpet.fetch.browser.visit import Visit
from limpet.source import Source

# A page that asks without end is given up in the end: our rests add at most this many times the patience.
_MOST_RESTS = 9


class Patience:
    """A deadline that moves by one spacing for each request of the page's, which had to wait at our gates.

    A script-heavy page makes dozens of requests; at one every two seconds our own politeness alone would
    outlast the patience meant for the site. Without spacing, the deadline is exactly `patience_seconds`.
    """

    def __init__(self, source: Source, visit: Visit) -> None:
        self._source = source
        self._visit = visit
        self._timeout = asyncio.timeout(source.patience_seconds)
        self.waiting_for = ""

    async def __aenter__(self) -> Patience:
        await self._timeout.__aenter__()
        self._started_with = self._timeout.when() or 0.0
        self._visit.on_forward = self._one_more_rest
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._visit.on_forward = None
        await self._timeout.__aexit__(kind, fault, trace)

    def _one_more_rest(self) -> None:
        pace = self._source.pace
        rests = self._visit.forwarded * pace.spacing_seconds * (1 + pace.jitter)
        most = _MOST_RESTS * self._source.patience_seconds
        if rests > 0 and not self._timeout.expired():
            self._timeout.reschedule(self._started_with + min(rests, most))
