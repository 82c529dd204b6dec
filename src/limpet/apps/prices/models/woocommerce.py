"""Product pages of WooCommerce shops: one reading, many themes; a site brings its selectors and its version.

Two witnesses must agree before a price is believed: the element customers see, and the page's JSON-LD. The
quick reading cuts the product out of the bytes and builds a tree of that part only (a twentieth of a real
page); it is believed when it is complete and both witnesses agree. Everything else is read again from the
whole tree, whose answer is final.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.prices.models.not_a_product import not_a_product
from limpet.apps.prices.models.product_box import ProductBox, WooCommerceSelectors
from limpet.apps.prices.models.product_facts import ProductFacts, offer_from
from limpet.apps.prices.models.stated import witness_for
from limpet.apps.prices.offer import Offer
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.document import markup_of, tree_of
from limpet.extract.failure import CannotRead
from limpet.extract.parse.stock import Availability
from limpet.extract.places import ReadFrom
from limpet.extract.structured.jsonld import JsonLd, json_ld_in_bytes, json_ld_in_tree
from limpet.fetch.page import Page
from limpet.target import Target

_LARGEST_CUT = 48_000
_LISTING = re.compile(r"\b(?:archive|tax-product_cat|post-type-archive)\b")


@dataclass(frozen=True, slots=True)
class WooCommercePage:
    """Reads the one offer of a product page."""

    selectors: WooCommerceSelectors
    version: str

    def read(self, page: Page, target: Target) -> Extraction[Offer] | Unreadable:
        """Return the offer the page makes, or why there is none we may believe."""
        try:
            markup = markup_of(page)
            offer = self._quickly(markup, page, target) or self._thoroughly(markup, page, target)
        except CannotRead as failure:
            return failure.about(page)
        return Extraction(page, offer)

    def places(self) -> tuple[ReadFrom, ...]:
        """Return where this theme's pages are read."""
        at = self.selectors
        return (
            ReadFrom("product", at.product),
            ReadFrom("title", at.title, field="title", within="product"),
            ReadFrom("price", at.price, within="product"),
            ReadFrom("amount", at.amount, field="price_cents", within="price"),
            ReadFrom("stock", at.stock, field="availability", within="product"),
            ReadFrom("sku", at.sku, field="retailer_sku", within="product", is_needed=False),
            ReadFrom("tier_rows", at.tier_rows, within="product", is_needed=False),
            ReadFrom("maker", at.maker, field="brand", within="product", is_needed=False),
        )

    def moved(self, where: Mapping[str, str]) -> WooCommercePage:
        """Return the same reading with some selectors changed."""
        changed: Any = dict(where)
        return replace(self, selectors=replace(self.selectors, **changed))

    def _quickly(self, markup: bytes, page: Page, target: Target) -> Offer | None:
        """Return the offer when the cut-out product and JSON-LD tell one complete story, else None."""
        cut = self._cut(markup)
        if cut is None:
            return None
        # One commented out can only make this reading object, and then the thorough one decides.
        json_ld = json_ld_in_bytes(markup, about=b"Product", even_in_comments=True)
        if json_ld.broken_blocks or not json_ld.items:
            return None
        try:
            box = self._box_in(tree_of(cut))
            offer = self._offer(box, json_ld, page, target) if box is not None else None
        except CannotRead:
            return None
        return offer if offer is not None and offer.availability is not Availability.UNKNOWN else None

    def _cut(self, markup: bytes) -> bytes | None:
        """Return the bytes from the product's opening to its description, when there is just one product."""
        start = markup.find(self.selectors.product_opens)
        end = markup.find(self.selectors.description_opens, start + 1)
        if start < 0 or not start < end <= start + _LARGEST_CUT:
            return None
        return markup[start:end] if markup.find(self.selectors.product_opens, end) < 0 else None

    def _thoroughly(self, markup: bytes, page: Page, target: Target) -> Offer:
        tree = tree_of(markup)
        box = self._box_in(tree)
        if box is None:
            raise self._no_product(tree, page)
        return self._offer(box, json_ld_in_tree(tree), page, target)

    def _box_in(self, tree: LexborHTMLParser) -> ProductBox | None:
        roots = tree.css(self.selectors.product)
        if len(roots) > 1:
            raise CannotRead(Missing.AMBIGUOUS_VARIANTS, f"{len(roots)} products on one page")
        return ProductBox(roots[0], self.selectors) if roots else None

    def _no_product(self, tree: LexborHTMLParser, page: Page) -> CannotRead:
        classes = (tree.body.attributes.get("class") or "") if tree.body is not None else ""
        return not_a_product(
            page,
            tree,
            is_listing=_LISTING.search(classes) is not None,
            expected=f"product: nothing matches {self.selectors.product!r}",
        )

    def _offer(self, box: ProductBox, json_ld: JsonLd, page: Page, target: Target) -> Offer:
        sku = box.sku()
        witness = witness_for(json_ld, sku)
        availability = box.availability(witness.availabilities)
        title = box.title()
        price = box.price(availability, currency_hint=witness.currency)
        witness.confirm(price)
        facts = ProductFacts(
            title=title,
            price=price,
            availability=availability,
            sku=sku,
            product_id=box.product_id(),
            brand=box.maker(),
            image=witness.image_url,
            tiers=box.tiers(),
        )
        return offer_from(facts, page, target=target, version=self.version)
