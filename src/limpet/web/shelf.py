"""What the pages about judgments remember for a moment: figures of the archive and its gaps, dear to count."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from limpet.apps.judgments.browsing import Figures, figures_by_source
from limpet.apps.judgments.gaps import JudgmentGaps, find_gaps, sources_with_cases
from limpet.assembly import House
from limpet.web.lookout import Recently

_FIGURES_SECONDS = 20.0
_GAPS_SECONDS = 120.0


class Shelf:
    """Looks at the whole archive for everybody who asks within the same moment."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._figures = Recently(self._count, seconds=_FIGURES_SECONDS, clock=house.clock)
        self._gaps = Recently(self._find, seconds=_GAPS_SECONDS, clock=house.clock)

    async def figures(self) -> Mapping[str, Figures]:
        """Return the figures of every source that has a case."""
        return await self._figures.get()

    async def gaps(self) -> list[JudgmentGaps]:
        """Return what each source seems to lack."""
        return await self._gaps.get()

    def forget(self) -> None:
        """Look again: somebody has just changed something, and should see it."""
        self._figures.forget()
        self._gaps.forget()

    async def _count(self) -> Mapping[str, Figures]:
        return await self._house.ledger.read(figures_by_source)

    async def _find(self) -> list[JudgmentGaps]:
        ledger, now = self._house.ledger, self._house.clock.now()
        known = await ledger.read(sources_with_cases)
        return [await ledger.read(partial(find_gaps, source_id=each, now=now)) for each in known]


async def _shelf_of(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


TheShelf = Annotated[Shelf, Depends(_shelf_of)]
