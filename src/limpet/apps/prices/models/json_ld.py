"""Product pages that state their offer in JSON-LD: one reading, many shops.

A shop is a version and, where it sells variants, the parameter that names one in the address. A shop whose
pages say more than their JSON-LD does overrides `second_witness`; whatever it hears there must not contradict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from limpet.apps.prices.models.asking_price import asking_price
from limpet.apps.prices.models.not_a_product import not_a_product, shows_a_list
from limpet.apps.prices.models.plain_words import plain, upc_among
from limpet.apps.prices.models.product_facts import ProductFacts, offer_from
from limpet.apps.prices.models.stated import Witness, agreed, price_stated_by, testimony_of
from limpet.apps.prices.models.variants import Variant, asked_for, choose, several, variants_in
from limpet.apps.prices.offer import Offer
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.document import markup_of, tree_of
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price, price_from_json
from limpet.extract.parse.stock import parse_schema_availability
from limpet.extract.places import ReadFrom
from limpet.extract.structured.jsonld import json_ld_in_bytes
from limpet.extract.structured.meta import meta_in_tree
from limpet.fetch.page import Page
from limpet.target import Target

GTIN_FIELDS = ("gtin12", "gtin", "gtin13", "gtin14", "upc")
_LONGEST_HEAD = 64_000


@dataclass(frozen=True, slots=True)
class JsonLdPage:
    """Reads the one offer of a product page; of several variants only the one its address names."""

    version: str
    variant_parameter: str | None = None
    sku_is_product_id: bool = False  # the shop numbers its articles: the number is the steadiest name
    upc_fields: tuple[str, ...] = GTIN_FIELDS
    listing_address: re.Pattern[str] | None = None  # how the shop's category addresses look

    def read(self, page: Page, target: Target) -> Extraction[Offer] | Unreadable:
        """Return the offer the page makes, or why there is none we may believe."""
        try:
            facts = self._facts(markup_of(page), page, target)
            return Extraction(page, offer_from(facts, page, target=target, version=self.version))
        except CannotRead as failure:
            return failure.about(page)

    def places(self) -> tuple[ReadFrom, ...]:
        """Return where the page's product states its fields."""
        return (
            ReadFrom("title", "name", "json_ld", field="title"),
            ReadFrom("price", "offers.price", "json_ld", field="price_cents"),
            ReadFrom("currency", "offers.priceCurrency", "json_ld", field="currency"),
            ReadFrom("availability", "offers.availability", "json_ld", field="availability"),
            ReadFrom("sku", "sku", "json_ld", field="retailer_sku", is_needed=False),
            ReadFrom("offer_sku", "offers.sku", "json_ld", field="retailer_sku", is_needed=False),
        )

    def second_witness(self, markup: bytes, variant: Variant) -> Witness:
        """Return what else the page says about the variant: here, the meta tags of a page with one product."""
        return meta_witness(markup) if variant.is_alone else Witness()

    def _facts(self, markup: bytes, page: Page, target: Target) -> ProductFacts:
        variant = self._variant(markup, page, target)
        stated = testimony_of([variant.product], variant.offers)
        other = self.second_witness(markup, variant)
        if len(other.sells) > 1 and asked_for(target.address, self.variant_parameter) is None:
            raise several(other.sells, self.variant_parameter)
        availability = agreed(other.availabilities, lead=agreed(stated.availabilities))
        title = plain(variant.product.get("name"))
        if title is None:
            raise CannotRead(Missing.TITLE_NOT_FOUND, "title: the JSON-LD product has no name")
        offered = ((price_stated_by(offer), offer.currency) for offer in variant.offers)
        price = asking_price(offered, availability, hidden=other.hides_price)
        other.confirm(price)
        return ProductFacts(
            title=title,
            price=price,
            availability=availability,
            sku=variant.sku,
            product_id=variant.sku if self.sku_is_product_id else variant.product_id,
            upc=upc_among(variant.product.get(name) for name in self.upc_fields) or other.upc,
            brand=plain(variant.product.get("brand")) or other.brand,
            image=stated.image_url,
            shipping_cents=_shipping(variant, price),
        )

    def _variant(self, markup: bytes, page: Page, target: Target) -> Variant:
        found = json_ld_in_bytes(markup, about=b"Product")
        parameter = self.variant_parameter
        variants = variants_in(found.items, parameter=parameter, address=target.address)
        asked = asked_for(target.address, parameter)
        if len(variants) != 1 and (asked is None or not variants):
            tree = tree_of(markup)
            is_listing = shows_a_list(tree, page, address=target.address) or self._is_category(page)
            if is_listing or not variants:
                expected = f"no Product in the page's JSON-LD ({found.broken_blocks} blocks are broken)"
                raise not_a_product(page, tree, is_listing=is_listing, expected=expected)
        return choose(variants, asked, parameter=parameter)

    def _is_category(self, page: Page) -> bool:
        return self.listing_address is not None and self.listing_address.search(page.final_url) is not None


def meta_witness(markup: bytes) -> Witness:
    """Return what the page's meta tags say about price and stock."""
    end = markup.find(b"</head")
    tags = meta_in_tree(tree_of(markup[: end if 0 <= end <= _LONGEST_HEAD else _LONGEST_HEAD]))
    if "product:sale_price:amount" in tags:  # then the other amount is the crossed-out one
        return Witness()
    amount = tags.get("product:price:amount") or tags.get("og:price:amount")
    currency = tags.get("product:price:currency") or tags.get("og:price:currency")
    price = price_from_json(amount, currency=currency or None)
    stock = tags.get("product:availability") or tags.get("og:availability")
    return Witness(
        name="meta tags",
        prices=frozenset({price}) if isinstance(price, Price) else frozenset(),
        availabilities=frozenset({parse_schema_availability(stock)}),
    )


def _shipping(variant: Variant, price: Price) -> int | None:
    """Return what sending one costs, when all offers state the same rate in the price's own currency."""
    rates = {price_from_json(each.shipping, currency=each.shipping_currency) for each in variant.offers}
    rate = rates.pop() if len(rates) == 1 else None
    return rate.cents if isinstance(rate, Price) and rate.currency == price.currency else None
