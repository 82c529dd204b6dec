"""The shop filled in by script, as a site."""

from __future__ import annotations

import re
from typing import Any

from tidepool.midway.naming import item_name, status_of
from tidepool.midway.page import listing_page, missing_page, product_page
from tidepool.site import Request, Response, json_answer, redirect
from tidepool.trade import Category, Kind, Offer, Product, Shelf, Storefront, Variant
from tidepool.trade.catalogue import CATEGORIES


def _path_of(product: Product) -> str:
    family = f"/product/{product.id}"
    return family if product.kind is Kind.VARIANTS else f"{family}?pid={product.item_id()}"


def _category_path(category: Category) -> str:
    return f"/{category.slug.removesuffix('-ammo')}/c?cid={21_650 + CATEGORIES.index(category)}"


class Midway(Storefront):
    """An ammunition shop whose prices come by script; its pages state them in JSON-LD alone."""

    title = "an ammunition shop filled in by script: JSON-LD, pack sizes by ?pid="
    shelf = Shelf(
        first_id=1_020_000_000,
        first_item_id=500_000,
        path_of=_path_of,
        category_path=_category_path,
        number_in_path=re.compile(r"^/product/(?P<id>\d{9,12})$"),
        chance="/midway",
        kinds_from=11,
        ends_in_99=True,
    )
    choice = "pid"
    choice_binds = True
    robots = """\
User-agent: *
Disallow: /cart
Disallow: /checkout
Disallow: /api/
Disallow: /search

Sitemap: {base}/sitemap.xml
"""
    product_page = staticmethod(product_page)
    listing_page = staticmethod(listing_page)
    missing_page = staticmethod(missing_page)

    def identity(self, product: Product, chosen: Variant | None) -> dict[str, Any]:
        """Say by which name and numbers the shop knows it: its pid is its SKU."""
        return {
            "family_id": product.id,
            "sku": str(chosen.id if chosen else product.item_id()),
            "upc": chosen.upc if chosen else product.upc,
            "brand": product.maker,
            "name": item_name(product, chosen.rounds if chosen else product.rounds),
        }

    def delisted(self, product: Product, request: Request) -> Response:
        """Send the visitor on to the category, whose own address then says what it is."""
        return redirect(request.base + _category_path(product.category))

    def respond(self, request: Request, *, tick: int) -> Response:
        """Answer with a page, or with the data its script would ask for."""
        if request.path == "/api/product/data":
            return self._data(request, tick=tick)
        return super().respond(request, tick=tick)

    def _data(self, request: Request, *, tick: int) -> Response:
        product = self.catalogue.at(f"/product/{request.parameters.get('id', '')}")
        if product is None or product.kind in (Kind.WITHDRAWN, Kind.DELISTED):
            return json_answer({"error": "unknown product family"}, status=404)
        offer = self.offer(product, tick=tick)
        return json_answer({"productFamilyId": product.id, "saleItems": _items(offer)})


def _items(offer: Offer) -> list[dict[str, Any]]:
    steps = [{"quantity": least, "price": cents / 100} for least, cents in offer.tiers]
    return [
        {
            "id": item.id,
            "upc": item.upc,
            "price": None if item.price_cents is None else item.price_cents / 100,
            "retailPrice": None if offer.was_cents is None else offer.was_cents / 100,
            "status": status_of(offer.product, item.availability),
            "quantityPricing": steps,
        }
        for item in offer.items
    ]
