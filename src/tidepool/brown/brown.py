"""The shop with heavy pages, as a site."""

from __future__ import annotations

import re
from typing import Any

from tidepool.brown.naming import category_path, full_title, path_of
from tidepool.brown.page import listing_page, missing_page, product_page
from tidepool.site import Request, Response, Setup
from tidepool.trade import Category, Offer, Product, Shelf, Storefront, Variant
from tidepool.trade.catalogue import CATEGORIES

BESIDE = 4
BRIEF_LIST = 16


class Brown(Storefront):
    """An ammunition shop with pages of a megabyte (less here), an offer per variant and prices it hides."""

    title = "an ammunition shop with heavy pages: an offer per ?sku=, hidden prices, soft 404"
    shelf = Shelf(
        first_id=10_013_000,
        first_item_id=105_000_000,
        path_of=path_of,
        category_path=category_path,
        number_in_path=re.compile(r"-tp(?P<index>\d{1,7})/$"),
        chance="/brown",
        kinds_from=17,
        ends_in_99=True,
    )
    choice = "sku"
    choice_binds = True
    robots = """\
User-agent: *
Disallow: /cart/
Disallow: /checkout/
Disallow: /search/
Disallow: /*?*sort=

Sitemap: {base}/sitemap.xml
"""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._page_size = setup.heavy_kilobytes * 1_000

    def product_page(self, offer: Offer, *, base: str, chosen: Variant | None) -> str:
        """Return the page of one product."""
        others = self.catalogue.related(offer.product, BESIDE)
        beside = [self.offer(other, tick=offer.since_tick) for other in others]
        return product_page(offer, beside, base=base, chosen=chosen, size=self._page_size)

    def listing_page(self, title: str, products: list[Product], *, base: str, address: str) -> str:
        """Return a page of links to products."""
        return listing_page(title, products, base=base, address=address, size=self._page_size)

    def missing_page(self, title: str, *, base: str) -> str:
        """Return the page shown where there is nothing (any more)."""
        return missing_page(title, base=base, size=self._page_size)

    def category(self, category: Category, request: Request) -> Response:
        """Return the list of all ammunition of one type, which is where removed products lead."""
        alike = [other for other in CATEGORIES if other.parent_slug == category.parent_slug]
        products = [one for other in alike for one in self.catalogue.in_category(other, limit=BRIEF_LIST)]
        return self.list_of(category.parent_name, products, request, category_path(category))

    def identity(self, product: Product, chosen: Variant | None) -> dict[str, Any]:
        """Say by which name and numbers the shop knows it."""
        return {
            "product_id": product.id,
            "sku": str(chosen.id if chosen else product.item_id()),
            "upc": chosen.upc if chosen else product.upc,
            "brand": product.maker.upper(),
            "name": full_title(product),
        }
