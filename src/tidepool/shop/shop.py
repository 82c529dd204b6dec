"""The WooCommerce-like shop as a site."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from tidepool.shop.page import card, listing_page, missing_page, product_page, variant_sku
from tidepool.site import Headers, Setup
from tidepool.trade import Offer, Product, Shelf, Storefront, Variant

RELATED_CARDS = 4

SHELF = Shelf(
    first_id=10_000,
    first_item_id=1_100_000,
    path_of=lambda product: f"/product/{product.category.slug}/{product.slug}/",
    category_path=lambda category: f"/catalog/{category.parent_slug}/{category.slug}/",
    number_in_path=re.compile(r"-tp(?P<index>\d{1,7})/$"),
)


class Shop(Storefront):
    """A WooCommerce-like ammunition shop with a home-made theme, rendered on the server."""

    title = "an ammunition shop: prices, stock and tiers that move with the tick"
    shelf = SHELF
    choice = "variation_id"
    robots = """\
User-agent: *
Disallow: /cart/
Disallow: /checkout/
Disallow: /my-account/
Disallow: /*?add-to-cart=
Allow: /wp-admin/admin-ajax.php

Sitemap: {base}/sitemap.xml
"""
    listing_page = staticmethod(listing_page)
    missing_page = staticmethod(missing_page)

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._card: Callable[[int, int, str], Markup] = lru_cache(maxsize=512)(self._render_card)

    def identity(self, product: Product, chosen: Variant | None) -> dict[str, Any]:
        """Say by which name and numbers the shop knows it."""
        return {"post_id": product.id, "sku": variant_sku(product, chosen), "name": product.name}

    def extra_headers(self, base: str) -> Headers:
        """Return the header by which the shop software advertises its API."""
        return (("Link", f'<{base}/wp-json/>; rel="https://api.w.org/"'),)

    def product_page(self, offer: Offer, *, base: str, chosen: Variant | None) -> str:
        """Return the page of one product."""
        # The cards show what their products cost when this page was last made, so that a page whose own
        # product stands still is unchanged to the byte and may be answered with 304.
        related = [
            self.offer(other, tick=offer.since_tick)
            for other in self.catalogue.related(offer.product, RELATED_CARDS)
        ]
        cards = [self._card(other.product.index, other.since_tick, base) for other in related]
        return product_page(offer, cards, base=base, chosen=chosen)

    def _render_card(self, index: int, since_tick: int, base: str) -> Markup:
        return card(self.offer(self.catalogue.product(index), tick=since_tick), base=base)
