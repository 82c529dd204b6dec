"""A leased page: one visitor's, for one block, and interrupted the moment its browser dies."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING

from limpet.errors import BrowserCrashed
from limpet.fetch.browser.visit import Visit

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

_SIGNS_OF_DEATH = ("has been closed", "crashed", "Connection closed", "Connection.init")


class Lease:
    """What a visitor holds: the page, and the visit on whose account it loads.

    As a context manager it turns the death of browser or page into BrowserCrashed, also for a visitor who
    waits for what a dead browser will never say. As asyncio.timeout does: cancelling, and taking it back.
    """

    def __init__(self, page: Page, session: CDPSession, visit: Visit, *, register: set[Lease]) -> None:
        self.page = page
        self.session = session
        self.visit = visit
        self.errands = 0  # how many the page that stands open has served before this lease
        self._register = register
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._cause_of_death: str | None = None

    def die(self, cause: str) -> None:
        """Interrupt the visitor, once."""
        if self._cause_of_death is None and self._task is not None:
            self._cause_of_death = cause
            self._task.cancel()

    def __enter__(self) -> Lease:
        self._task = asyncio.current_task()
        assert self._task is not None
        self._cancelling = self._task.cancelling()
        self._register.add(self)
        self.page.on("crash", self._page_crashed)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._task = self._task, None
        assert task is not None
        self._register.discard(self)
        self.page.remove_listener("crash", self._page_crashed)
        if self._cause_of_death is not None:
            # Somebody else may have cancelled the task too: then that is what it must see.
            if task.uncancel() <= self._cancelling and isinstance(fault, asyncio.CancelledError):
                raise BrowserCrashed(self._cause_of_death) from fault
        elif fault is not None and tells_of_death(fault):
            raise BrowserCrashed(str(fault).partition("\n")[0]) from fault

    def _page_crashed(self, _: Page) -> None:
        self.die("the page's renderer died")


def tells_of_death(fault: BaseException) -> bool:
    """Whether an error of Playwright's means that page or browser are gone; it may come before the news."""
    from playwright.async_api import Error  # noqa: PLC0415 - slow to import

    return isinstance(fault, Error) and any(sign in str(fault) for sign in _SIGNS_OF_DEATH)
