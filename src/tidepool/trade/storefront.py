"""A shop as a site: which address shows what, under which tag, and what is true there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar
from urllib.parse import parse_qs

from tidepool.site import Headers, Request, Response, Setup, html, plain, redirect
from tidepool.trade.catalogue import CATEGORIES, Catalogue, Category, Kind, Product
from tidepool.trade.offer import Offer, Variant, offer_of
from tidepool.trade.shelf import Shelf
from tidepool.trade.sitemap import sitemap

TICK_ZERO = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
TICK_LENGTH = timedelta(hours=1)
LISTED_PRODUCTS = 48


class Storefront(ABC):
    """A shop. Each brings its habits and its pages; prices, stock, addresses and tags work alike in all."""

    title: str
    shelf: ClassVar[Shelf]
    robots: ClassVar[str]
    choice: ClassVar[str]  # the parameter that picks one item
    choice_binds: ClassVar[bool] = False  # whether an item the product does not have means: nothing here
    content_type: ClassVar[str] = "text/html; charset=UTF-8"

    def __init__(self, setup: Setup) -> None:
        self.seed = setup.seed
        self.catalogue = Catalogue(setup.seed, setup.products, shelf=self.shelf, plain=setup.plain)
        self._rendered: Callable[[int, int, str, int | None], bytes] = lru_cache(maxsize=setup.page_cache)(
            self._render
        )

    @abstractmethod
    def product_page(self, offer: Offer, *, base: str, chosen: Variant | None) -> str:
        """Return the page of one product."""

    @abstractmethod
    def listing_page(self, title: str, products: list[Product], *, base: str, address: str) -> str:
        """Return a page of links to products."""

    @abstractmethod
    def missing_page(self, title: str, *, base: str) -> str:
        """Return the page shown where there is nothing (any more)."""

    @abstractmethod
    def identity(self, product: Product, chosen: Variant | None) -> dict[str, Any]:
        """Say by which name and numbers this shop knows what it sells, `sku` and `name` at least."""

    def extra_headers(self, base: str) -> Headers:
        """Return what this shop sends with a product page besides the usual."""
        return ()

    def offer(self, product: Product, *, tick: int) -> Offer:
        """Return what the shop asks for this product at that tick."""
        return offer_of(product, seed=self.seed, tick=tick)

    def product_at(self, path: str, _parameters: dict[str, str]) -> Product | None:
        """Return the product an address speaks of, or None."""
        return self.catalogue.at(path)

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say what a perfect reader would find there; the path may carry its query. None: no product."""
        path, _, query = path.partition("?")
        parameters = {name: values[-1] for name, values in parse_qs(query).items()}
        product = self.product_at(path, parameters)
        if product is None:
            return None
        offer = self.offer(product, tick=tick)
        asked = parameters.get(self.choice)
        if self.choice_binds and asked is not None and asked not in {str(item.id) for item in offer.items}:
            return None
        chosen = offer.chosen(asked)
        return {
            "kind": str(product.kind),
            **self.identity(product, chosen),
            "price_cents": chosen.price_cents if chosen else offer.price_cents,
            "currency": "USD",
            "availability": chosen.availability if chosen else offer.availability,
            "since_tick": offer.since_tick,
            "variants": {variant.id: variant.price_cents for variant in offer.variants},
            "tiers": dict(offer.tiers),
            "chosen": chosen.id if chosen else None,
        }

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Answer as the healthy shop does."""
        if request.method not in ("GET", "HEAD"):
            return plain("method not allowed", status=405, headers=(("Allow", "GET, HEAD"),))
        if request.path == "/robots.txt":
            return plain(self.robots.format(base=request.base))
        if request.path.startswith("/sitemap"):
            return self._sitemap(request)
        return self.respond(request, tick=tick)

    def respond(self, request: Request, *, tick: int) -> Response:
        """Answer with the page of a product or a list of them."""
        product = self.product_at(request.path, request.parameters)
        if product is not None:
            return self.product(product, request, tick=tick)
        if self.product_at(request.path + "/", request.parameters):
            query = f"?{request.query}" if request.query else ""
            return redirect(f"{request.base}{request.path}/{query}", status=301)
        return self._listing(request)

    def product(self, product: Product, request: Request, *, tick: int) -> Response:
        """Answer at the address of a product, whatever has become of it."""
        if product.kind is Kind.WITHDRAWN:
            page = self.missing_page("This product has been withdrawn", base=request.base)
            return html(page, status=410)
        if product.kind is Kind.DELISTED:
            return self.delisted(product, request)
        return self.page(product, request, tick=tick)

    def delisted(self, product: Product, request: Request) -> Response:
        """Answer where a product was taken off the list: with status 200 and the list."""
        return self.category(product.category, request)

    def page(self, product: Product, request: Request, *, tick: int) -> Response:
        """Return the page of a product under a tag that changes only when the page does."""
        offer = self.offer(product, tick=tick)
        chosen = offer.chosen(request.parameters.get(self.choice)) if request.query else None
        version = (product.index, offer.since_tick, request.base, chosen.id if chosen else None)
        tag = blake2b(f"{self.seed}{self.shelf.chance}/{version}".encode(), digest_size=8).hexdigest()
        modified = format_datetime(TICK_ZERO + offer.since_tick * TICK_LENGTH, usegmt=True)
        headers: Headers = (
            ("Content-Type", self.content_type),
            ("ETag", f'"{tag}"'),
            ("Last-Modified", modified),
            ("Cache-Control", "public, max-age=0"),
            *self.extra_headers(request.base),
        )
        return Response(200, self._rendered(*version), headers)

    def category(self, category: Category, request: Request) -> Response:
        """Return the list of what is in a category, as the site does where a product used to be."""
        products = self.catalogue.in_category(category, limit=LISTED_PRODUCTS)
        return self.list_of(category.name, products, request, self.shelf.category_path(category))

    def _render(self, index: int, since_tick: int, base: str, item_id: int | None) -> bytes:
        offer = self.offer(self.catalogue.product(index), tick=since_tick)
        return self.product_page(offer, base=base, chosen=offer.chosen(str(item_id))).encode()

    def _listing(self, request: Request) -> Response:
        if request.path == "/":
            listed = range(min(self.catalogue.size, LISTED_PRODUCTS))
            return self.list_of(
                "Ammo For Sale", [self.catalogue.product(index) for index in listed], request, "/"
            )
        for category in CATEGORIES:
            if request.path == self.shelf.category_path(category).partition("?")[0]:
                return self.category(category, request)
        return self.missing(request)

    def list_of(self, title: str, products: list[Product], request: Request, path: str) -> Response:
        """Return a list of products under its own address."""
        return html(
            self.listing_page(title, products, base=request.base, address=request.base + path),
        )

    def missing(self, request: Request) -> Response:
        """Answer where there never was a page."""
        return html(self.missing_page("Page not found", base=request.base), status=404)

    def _sitemap(self, request: Request) -> Response:
        # Withdrawn products stay listed: sitemaps lag behind their shops.
        found = sitemap(
            request.path,
            self.catalogue.size,
            base=request.base,
            path_of=lambda index: self.catalogue.product(index).path,
        )
        return found or self.missing(request)
