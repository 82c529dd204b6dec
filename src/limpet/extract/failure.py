"""How a reading breaks off: raised inside a page model, handed on as `Unreadable`."""

from __future__ import annotations

from limpet.extract.extraction import Missing, Unreadable
from limpet.fetch.page import Page


class CannotRead(Exception):
    """The reading cannot go on; `about` turns it into the value the next room expects."""

    def __init__(self, reason: Missing, details: str = "") -> None:
        super().__init__(f"{reason}: {details}" if details else str(reason))
        self.reason = reason
        self.details = details

    def about(self, page: Page) -> Unreadable:
        """Return this failure as the outcome of reading `page`."""
        return Unreadable(page, self.reason, self.details)


class SelectorMissed(CannotRead):
    """A selector found nothing; it names itself and the field it was meant to fill."""

    def __init__(self, selector: str, field: str, *, reason: Missing = Missing.SELECTOR_NOT_FOUND) -> None:
        super().__init__(reason, f"{field}: nothing matches {selector!r}")
        self.selector = selector
        self.field = field
