"""The info page: toss, ground and series. Toss and ground may come late."""

from __future__ import annotations

import re
from dataclasses import dataclass

from limpet.apps.matches.record import Toss
from limpet.extract.document import open_document
from limpet.extract.select import maybe, text_of
from limpet.fetch.page import Page

_TOSS = re.compile(
    r"(?P<winner>.+?)\s+(?:won the toss\s+(?:and|&)\s+)?(?:chose|opt(?:ed)?|elected)\s+to\s+(?P<choice>bat|bowl|field)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """What the info page tells; its date has neither year nor zone and is left out."""

    toss: Toss | None = None
    venue: str = ""
    series: str = ""

    @property
    def is_complete(self) -> bool:
        return self.toss is not None and bool(self.venue)


def read_info(page: Page) -> MatchInfo:
    """Return what the page says so far."""
    tree = open_document(page)
    return MatchInfo(
        toss=toss_in(text_of(maybe(tree, ".toss-wrap p"))),
        venue=text_of(maybe(tree, ".match-venue")),
        series=text_of(maybe(tree, ".s-name")),
    )


def toss_in(text: str) -> Toss | None:
    """Read `IND opt to Bowl` or `IND won the toss and chose to bat`."""
    found = _TOSS.search(text)
    if found is None:
        return None
    return Toss(found["winner"].strip(), "bat" if found["choice"].lower() == "bat" else "bowl")
