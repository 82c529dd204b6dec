"""An errand: what a site does inside a page that stays open, from one errand to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from limpet.fetch.browser.visit import Captured, Visit
from limpet.fetch.page import Page as FetchedPage

if TYPE_CHECKING:
    from playwright.async_api import Page


@dataclass(slots=True)
class Desk:
    """Where an errand is run: the open page, and what its scripts were told during this errand."""

    page: Page
    visit: Visit
    waiting_for: str = ""  # said when patience ends first
    is_new: bool = False  # whether the page was opened for this errand

    async def answer_to(self, glob: str) -> Captured:
        """Return the first answer the page's scripts got from an address like this, as soon as they have it."""
        self.waiting_for = f"answer to {glob}"
        while not (answers := self.answers_to(glob)):
            self.visit.on_capture.clear()
            await self.visit.on_capture.wait()
        return answers[0]

    def answers_to(self, glob: str) -> list[Captured]:
        """Return every such answer so far."""
        return [kept for kept in self.visit.captured if fnmatchcase(kept.url, glob)]


@runtime_checkable
class RunsErrands(Protocol):
    """A way to the network that can do things inside pages."""

    async def run_errand(self, errand: Errand) -> FetchedPage:
        """Return the page as the errand left it, or raise a FetchError with its code and evidence."""
        ...


class Errand(Protocol):
    """One thing to be done in a page of a site; its result is the page as it stands afterwards."""

    @property
    def name(self) -> str:
        """What it is about, in letters a file can be named by."""
        ...

    @property
    def address(self) -> str:
        """The page it is run in."""
        ...

    @property
    def capture(self) -> Sequence[str]:
        """Globs over addresses whose answers it must see."""
        ...

    @property
    def renew_after(self) -> int:
        """After how many errands the page is opened anew: long-lived pages decay."""
        ...

    async def settle_in(self, desk: Desk) -> None:
        """Make a page that was just opened ready for errands."""
        ...

    async def run(self, desk: Desk) -> None:
        """Do it; whatever FetchError it raises is what became of it."""
        ...
