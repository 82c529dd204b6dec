"""The shop that is a script, as a site."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

from tidepool.primary.item import Facts, item_of
from tidepool.primary.naming import item_id, page_title, url_component
from tidepool.site import JSON, Request, Response, json_answer
from tidepool.trade import Kind, Offer, Product, Shelf, Storefront, Variant
from tidepool.trade.offer import PACK_CHOICES
from tidepool.trade.templates import templates_of

SHELL = templates_of(__file__).get_template("shell.html")
API = "/api/items"
MOST_LISTED = 96
DETAILS = {
    "c": "3901023",
    "country": "US",
    "currency": "USD",
    "fieldset": "details",
    "include": "facets",
    "language": "en",
    "n": "2",
    "pricelevel": "5",
}


class Primary(Storefront):
    """An ammunition shop whose pages are empty shells; a JSON API says everything."""

    title = "an ammunition shop that is a script: empty pages, a JSON API that refuses HTML readers"
    shelf = Shelf(
        first_id=3_000,
        first_item_id=4_000_000,
        path_of=lambda product: f"/{url_component(product)}",
        category_path=lambda category: f"/ammo/{category.slug}",
        number_in_path=re.compile(r"^/[^/]*-tp(?P<index>\d{1,7})$"),
        chance="/primary",
        kinds_from=29,
        ends_in_99=True,
    )
    choice = "id"
    content_type = JSON
    robots = """\
User-agent: *
Disallow: /cart
Disallow: /checkout
Disallow: /my_account

Sitemap: {base}/sitemap.xml
"""

    @staticmethod
    def api_path(product: Product, variant: Variant | None = None) -> str:
        """Return the address at which the API speaks of a product, or of one of its variants."""
        by = {"id": variant.id} if variant else {"url": url_component(product)}
        return f"{API}?{urlencode(DETAILS | by | {'use_pcv': 'F'})}"

    def identity(self, product: Product, chosen: Variant | None) -> dict[str, Any]:
        """Say by which name and numbers the shop knows it."""
        return {
            "internal_id": chosen.id if chosen else product.id,
            "sku": item_id(product, chosen),
            "upc": chosen.upc if chosen else product.upc,
            "brand": product.maker,
            "name": page_title(product, chosen),
        }

    def product_at(self, path: str, parameters: dict[str, str]) -> Product | None:
        """Return the product a page or a question to the API speaks of."""
        if path != API:
            return self.catalogue.at(path)
        if "url" in parameters:
            return self.catalogue.at(f"/{parameters['url']}")
        return self._numbered(parameters.get("id", ""))

    def respond(self, request: Request, *, tick: int) -> Response:
        """Answer with the shell, or with what the API knows."""
        if request.path != API:
            return super().respond(request, tick=tick)
        if not _takesjson_answer(request.headers.get("accept", "*/*")):
            return json_answer({"code": 406, "message": "Not Acceptable"}, status=406)
        if request.parameters.get("fieldset") == "search":
            return self._search(request, tick=tick)
        product = self.product_at(API, request.parameters)
        if product is None or product.kind is Kind.DELISTED:
            return json_answer(envelope([]))
        if product.kind is Kind.WITHDRAWN:
            return json_answer({"code": 404, "message": "This record no longer exists"}, status=404)
        return super().page(product, request, tick=tick)

    def page(self, product: Product, request: Request, *, tick: int) -> Response:
        """Return the shell, which is the same whatever the product costs."""
        shell = self._shell("", base=request.base)
        return Response(200, shell.encode(), (("Content-Type", "text/html; charset=UTF-8"),))

    def product_page(self, offer: Offer, *, base: str, chosen: Variant | None) -> str:
        """Return what the API says about one product."""
        return json.dumps(envelope([item_of(offer, base=base, chosen=chosen)]), separators=(",", ":"))

    def listing_page(self, title: str, products: list[Product], *, base: str, address: str) -> str:
        """Return the shell: the script would ask the API for the list."""
        return self._shell(title, base=base)

    def missing_page(self, title: str, *, base: str) -> str:
        """Return the shell under a title that says so."""
        return self._shell(title, base=base)

    def _shell(self, title: str, *, base: str) -> str:
        return SHELL.render(title=title, base=base)

    def _numbered(self, text: str) -> Product | None:
        number = _whole(text, 0)
        child, parent = number - self.shelf.first_item_id, number - self.shelf.first_id
        index, place = divmod(child, 10) if child >= 0 else (parent, None)
        if not 0 <= index < self.catalogue.size:
            return None
        product = self.catalogue.product(index)
        has_it = place is None or (product.kind is Kind.VARIANTS and place < len(PACK_CHOICES))
        return product if has_it else None

    def _search(self, request: Request, *, tick: int) -> Response:
        listed = [one for one in self.catalogue if one.kind not in (Kind.DELISTED, Kind.WITHDRAWN)]
        start = _whole(request.parameters.get("offset"), 0)
        count = min(_whole(request.parameters.get("limit"), MOST_LISTED), MOST_LISTED)
        offers = [self.offer(product, tick=tick) for product in listed[start : start + count]]
        found = [item_of(offer, base=request.base, chosen=None) for offer in offers]
        return json_answer(envelope(found, total=len(listed)))


def envelope(items: list[Facts], *, total: int | None = None) -> Facts:
    """Return the items in what the API wraps around every answer."""
    return {
        "total": len(items) if total is None else total,
        "items": items,
        "corrections": [],
        "locale": {"country": "US", "language": "en", "currency": "USD", "region": 1},
        "backendType": "OS",
        "backend": "E",
        "volatility": "unique",
        "code": 200,
        "warnings": {},
    }


def _takesjson_answer(accept: str) -> bool:
    """Whether the API would talk to this visitor; a browser's `*/*` after text/html does not help."""
    return "application/json" in accept or "text/html" not in accept


def _whole(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 9 else otherwise
