"""How a page of an unknown shop is read."""

from __future__ import annotations

from dataclasses import dataclass

from limpet.apps.prices.offer import Offer
from limpet.extract import Extraction, Unreadable
from limpet.fetch.page import Page
from limpet.target import Target

VERSION = "1.4.1"


@dataclass(frozen=True, slots=True)
class AnyShop:
    """Brings the general rules with the first page that needs them: a tenth of a second, which most runs save."""

    def read(self, page: Page, target: Target) -> Extraction[Offer] | Unreadable:
        """Return the offer the page makes, or why there is none we may believe."""
        from limpet.apps.prices.models.auto import AutoPage  # noqa: PLC0415

        return AutoPage(version=VERSION).read(page, target)


PAGE = AnyShop()
