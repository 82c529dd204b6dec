"""The shop as a site: which address shows what."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from markupsafe import Markup

from tidepool.shop.catalogue import CATEGORIES, Catalogue, Category, Kind, Product
from tidepool.shop.offer import Offer, Variant, offer_of
from tidepool.shop.page import card, category_path, listing_page, missing_page, product_page
from tidepool.site import Headers, Request, Response, Setup, html, plain, redirect

TICK_ZERO = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
TICK_LENGTH = timedelta(hours=1)
RELATED_CARDS = 4
LISTED_PRODUCTS = 48
PRODUCTS_PER_SITEMAP = 1_000

ROBOTS = """\
User-agent: *
Disallow: /cart/
Disallow: /checkout/
Disallow: /my-account/
Disallow: /*?add-to-cart=
Allow: /wp-admin/admin-ajax.php

Sitemap: {base}/sitemap.xml
"""


class Shop:
    """A WooCommerce-like ammunition shop with a home-made theme, rendered on the server."""

    title = "an ammunition shop: prices, stock and tiers that move with the tick"

    def __init__(self, setup: Setup) -> None:
        self.seed = setup.seed
        self.catalogue = Catalogue(setup.seed, setup.products, plain=setup.plain)
        self._rendered: Callable[[int, int, str, int | None], bytes] = lru_cache(maxsize=setup.page_cache)(
            self._render
        )
        self._card: Callable[[int, int, str], Markup] = lru_cache(maxsize=512)(self._render_card)

    def offer(self, product: Product, *, tick: int) -> Offer:
        """Return what the shop asks for this product at that tick."""
        return offer_of(product, seed=self.seed, tick=tick)

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say what a perfect reader would find at that path; None for pages that are no product."""
        product = self.catalogue.at(path)
        return self.offer(product, tick=tick).truth() if product else None

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Answer as the healthy shop does."""
        if request.method not in ("GET", "HEAD"):
            return plain("method not allowed", status=405, headers=(("Allow", "GET, HEAD"),))
        path = request.path
        if path == "/robots.txt":
            return plain(ROBOTS.format(base=request.base))
        if path.startswith("/sitemap"):
            return self._sitemap(request)
        if path.startswith("/product/"):
            return self._product(request, tick=tick)
        return self._listing(request)

    def _product(self, request: Request, *, tick: int) -> Response:
        if not request.path.endswith("/") and self.catalogue.at(request.path + "/"):
            return redirect(f"{request.base}{request.path}/", status=301)
        product = self.catalogue.at(request.path)
        if product is None:
            return html(missing_page("Page not found", base=request.base), status=404)
        if product.kind is Kind.WITHDRAWN:
            return html(missing_page("This product has been withdrawn", base=request.base), status=410)
        if product.kind is Kind.DELISTED:
            return self._category(product.category, request)
        return self._product_page(product, request, tick=tick)

    def _product_page(self, product: Product, request: Request, *, tick: int) -> Response:
        offer = self.offer(product, tick=tick)
        chosen = _chosen(offer, request)
        version = (product.index, offer.since_tick, request.base, chosen.variation_id if chosen else None)
        body = self._rendered(*version)
        tag = blake2b(f"{self.seed}/{version}".encode(), digest_size=8).hexdigest()
        modified = format_datetime(TICK_ZERO + offer.since_tick * TICK_LENGTH, usegmt=True)
        headers: Headers = (
            ("Content-Type", "text/html; charset=UTF-8"),
            ("ETag", f'"{tag}"'),
            ("Last-Modified", modified),
            ("Cache-Control", "public, max-age=0"),
            ("Link", f'<{request.base}/wp-json/>; rel="https://api.w.org/"'),
        )
        return Response(200, body, headers)

    def _render(self, index: int, since_tick: int, base: str, variation_id: int | None) -> bytes:
        product = self.catalogue.product(index)
        offer = self.offer(product, tick=since_tick)
        # The cards show what their products cost when this page was last made, so that a page whose own
        # product stands still is unchanged to the byte and may be answered with 304.
        related = [
            self.offer(other, tick=since_tick) for other in self.catalogue.related(product, RELATED_CARDS)
        ]
        cards = [self._card(other.product.index, other.since_tick, base) for other in related]
        chosen = next((variant for variant in offer.variants if variant.variation_id == variation_id), None)
        return product_page(offer, cards, base=base, chosen=chosen).encode()

    def _render_card(self, index: int, since_tick: int, base: str) -> Markup:
        return card(self.offer(self.catalogue.product(index), tick=since_tick), base=base)

    def _listing(self, request: Request) -> Response:
        if request.path == "/":
            products = [
                self.catalogue.product(index) for index in range(min(self.catalogue.size, LISTED_PRODUCTS))
            ]
            return html(
                listing_page("Ammo For Sale", products, base=request.base, address=f"{request.base}/")
            )
        for category in CATEGORIES:
            if request.path == category_path(category):
                return self._category(category, request)
        return html(missing_page("Page not found", base=request.base), status=404)

    def _category(self, category: Category, request: Request) -> Response:
        products = self.catalogue.in_category(category, limit=LISTED_PRODUCTS)
        address = request.base + category_path(category)
        return html(listing_page(category.name, products, base=request.base, address=address))

    def _sitemap(self, request: Request) -> Response:
        pages = -(-self.catalogue.size // PRODUCTS_PER_SITEMAP)
        if request.path == "/sitemap.xml":
            places = [f"{request.base}/sitemap-{page}.xml" for page in range(1, pages + 1)]
            return _xml("sitemapindex", "sitemap", places)
        number = request.path.removeprefix("/sitemap-").removesuffix(".xml")
        if not number.isdecimal() or not 1 <= int(number) <= pages:
            return html(missing_page("Page not found", base=request.base), status=404)
        first = (int(number) - 1) * PRODUCTS_PER_SITEMAP
        # Withdrawn products stay listed: sitemaps lag behind their shops.
        indexes = range(first, min(first + PRODUCTS_PER_SITEMAP, self.catalogue.size))
        return _xml("urlset", "url", [request.base + self.catalogue.product(index).path for index in indexes])


def _chosen(offer: Offer, request: Request) -> Variant | None:
    wanted = request.parameters.get("variation_id") if request.query else None
    return next((variant for variant in offer.variants if str(variant.variation_id) == wanted), None)


def _xml(root: str, item: str, places: list[str]) -> Response:
    rows = "".join(f"<{item}><loc>{place}</loc></{item}>" for place in places)
    text = f'<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</{root}>'
    return Response(200, text.encode(), (("Content-Type", "application/xml; charset=UTF-8"),))
