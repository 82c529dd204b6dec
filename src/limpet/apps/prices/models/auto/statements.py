"""What the page states for machines about its product: JSON-LD, microdata, RDFa and meta tags, as one list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.prices.models.auto.amounts import MOST_CENTS
from limpet.apps.prices.models.auto.title import likeness
from limpet.extract.parse.currency import minor_digits
from limpet.extract.parse.price import Price, price_from_json
from limpet.extract.structured.jsonld import has_type
from limpet.extract.structured.microdata import microdata_in_tree
from limpet.extract.structured.products import StatedOffer, offers_of, products_in, text, variants_of

_ALIKE = 0.45
_GTINS = ("gtin13", "gtin12", "gtin", "gtin14", "gtin8")
# Three decimals may as well be thousands.
_LONG_DECIMALS = re.compile(r"\d{1,9}\.\d{4,18}", re.ASCII)
_DUST = Decimal("0.000001")  # what binary fractions leave behind a computed price
_SECOND_HAND = re.compile(r"used|refurbished|damaged|open.?box", re.I)


@dataclass(frozen=True, slots=True)
class Statement:
    """One offer as one kind of markup states it."""

    kind: str  # json_ld, microdata, rdfa, meta
    price: Price | None
    availability: str | None = None
    sku: str | None = None
    name: str | None = None
    url: str | None = None
    image_url: str | None = None
    brand: str | None = None
    gtin: str | None = None
    variant_sku: str | None = None  # the offer's own, where the product has another
    is_bound: bool = False  # the low or high end of a range
    is_rounded: bool = False  # stated with fractions of a cent, as before tax


def chosen_by_address(statements: list[Statement], url: str) -> list[Statement]:
    """Return what is said about the variant the address asks for; everything when it asks for none."""
    asked = {value for _, value in parse_qsl(urlsplit(url).query) if len(value) > 1}
    if not asked:
        return statements
    variants = [each for each in statements if each.kind in ("json_ld", "microdata")]
    chosen = [
        each
        for each in variants
        if {each.sku, each.variant_sku} & asked
        or asked & {value for _, value in parse_qsl(urlsplit(each.url or "").query)}
    ]
    if not 0 < len(chosen) < len(variants):
        return statements
    return [replace(each, sku=each.variant_sku or each.sku) for each in chosen]


def statements_of(
    kind: str, products: Iterable[dict[str, Any]], *, not_prices: frozenset[str] = frozenset()
) -> list[Statement]:
    """Return a statement for each offer of each of these products and their variants."""
    found: list[Statement] = []
    for product in products:
        family = variants_of(product)
        for each in family or (product,):
            found.extend(_of_product(kind, each, parent=product, not_prices=not_prices))
    return found


def in_currency(statements: list[Statement], currency: str | None) -> list[Statement]:
    """Return the statements with this currency wherever none is named; yen have no cents."""
    if currency is None:
        return statements
    return [
        replace(each, price=_priced_anew(each.price, currency))
        if each.price is not None and each.price.currency is None
        else each
        for each in statements
    ]


def _priced_anew(price: Price, currency: str) -> Price:
    return Price(price.cents * 10 ** minor_digits(currency) // 100, currency)


def main_products(
    products: tuple[dict[str, Any], ...], title: str, path: str = ""
) -> tuple[dict[str, Any], ...]:
    """Return the products that bear the page's address or its title; one product needs no comparison."""
    with_offers = tuple(each for each in products if offers_of(each) or variants_of(each)) or products
    if len(with_offers) <= 1 or not title:
        return with_offers
    scored = [(likeness(text(each.get("name")) or "", title), each) for each in with_offers]
    best = max(score for score, _ in scored)
    if best < _ALIKE:
        here = tuple(each for each in with_offers if path and path == _path_of(each))
        return here if len(here) == 1 else ()
    return tuple(each for score, each in scored if score >= best - 0.001)


def _path_of(product: dict[str, Any]) -> str:
    stated = text(product.get("url")) or text(product.get("@id")) or ""
    return urlsplit(stated).path.rstrip("/")


def microdata_products(tree: LexborHTMLParser) -> tuple[dict[str, Any], ...]:
    """Return the products of microdata."""
    return products_in(_inner_items(microdata_in_tree(tree)))


def unjoined_texts(tree: LexborHTMLParser) -> frozenset[str]:
    """Return the texts microdata takes for prices although templates cut them into pieces: `19` `99` is not 1999."""
    found = set()
    for node in tree.css('[itemprop~="price"]:not([content])'):
        if node.css_first("*") is not None and node.tag not in ("meta", "link", "data"):
            found.add(" ".join(node.text().split()))
    return frozenset(found)


def loose_statements(tree: LexborHTMLParser) -> list[Statement]:
    """Return the price of microdata that stands in no product at all, when there is just one."""
    values = {node.attributes.get("content") or "" for node in tree.css('[itemprop="price"][content]')} - {""}
    codes = {node.attributes.get("content") or "" for node in tree.css('[itemprop="priceCurrency"][content]')}
    if len(values) != 1:
        return []
    price, rounded = read_stated(values.pop(), codes.pop() if len(codes) == 1 else None)
    return [Statement("microdata", price, is_rounded=rounded)]


def rdfa_statements(tree: LexborHTMLParser) -> list[Statement]:
    """Return the offer that RDFa attributes state, when they state just one price."""
    values: dict[str, set[str]] = {}
    for node in tree.css("[property]"):
        if node.tag == "meta" and (node.attributes.get("property") or "").startswith(("og:", "product:")):
            continue
        name = (node.attributes.get("property") or "").rpartition(":")[2]
        value = node.attributes.get("content") or node.attributes.get("href") or " ".join(node.text().split())
        if value and len(value) < 300:
            values.setdefault(name, set()).add(value.strip())
    prices = values.get("price", set()) | values.get("hasCurrencyValue", set())
    currencies = values.get("priceCurrency", set()) | values.get("hasCurrency", set())
    currency = currencies.pop() if len(currencies) == 1 else None
    if len(prices) != 1:
        return []
    price, rounded = read_stated(prices.pop(), currency)
    availability = values.get("availability", set())
    return [
        Statement("rdfa", price, availability.pop() if len(availability) == 1 else None, is_rounded=rounded)
    ]


def meta_statements(meta: dict[str, str]) -> list[Statement]:
    """Return the offer that OpenGraph's product tags state; a sale price stands before the price."""
    currency = _first(
        meta, "product:sale_price:currency", "product:price:currency", "og:price:currency", "pricecurrency"
    )
    availability = _first(meta, "product:availability", "og:availability", "availability")
    sku = _first(meta, "product:retailer_item_id", "product:sku", "sku", "product:retailer_part_no")
    stated = _first(
        meta,
        "product:sale_price:amount",
        "product:price:amount",
        "og:price:amount",
        "og:product:price:amount",
    )
    stated = stated or _card(meta, "price")
    availability = availability or _card(meta, "availability")
    if not (stated or availability or sku):
        return []
    price, rounded = read_stated(stated, currency) if stated else (None, False)
    name = _first(meta, "og:title")
    return [
        Statement("meta", price, availability, sku, name, image_url=meta.get("og:image"), is_rounded=rounded)
    ]


def _card(meta: dict[str, str], label: str) -> str | None:
    """Return what the card of a short message service says under this label."""
    return next(
        (
            meta.get(f"twitter:data{number}")
            for number in "123"
            if meta.get(f"twitter:label{number}", "").lower().rstrip(":") == label
        ),
        None,
    )


def read_stated(value: Any, currency: str | None) -> tuple[Price | None, bool]:
    """Return a stated price, and whether it had to be rounded to whole cents."""
    currency = currency.strip().upper() if currency and len(currency.strip()) == 3 else None
    if isinstance(value, str):
        value = value.strip()
    read = price_from_json(value, currency=currency)
    if isinstance(read, Price):
        return (read, False) if read.cents <= MOST_CENTS else (None, False)
    shown = repr(value) if isinstance(value, float) else str(value)
    if _LONG_DECIMALS.fullmatch(shown):
        try:
            exact = Decimal(shown).scaleb(minor_digits(currency))
        except InvalidOperation:
            return None, False
        cents = round(exact)
        return (Price(cents, currency), abs(exact - cents) > _DUST) if cents <= MOST_CENTS else (None, False)
    return None, False


def _of_product(
    kind: str, product: dict[str, Any], *, parent: dict[str, Any], not_prices: frozenset[str]
) -> Iterator[Statement]:
    own: dict[str, Any] = {
        "name": text(product.get("name")) or text(parent.get("name")),
        "brand": text(product.get("brand")) or text(parent.get("brand")),
        "image_url": _image(product) or _image(parent),
        "gtin": next((found for name in _GTINS if (found := text(product.get(name)))), None),
    }
    sku = text(product.get("sku")) or text(product.get("productID"))
    offers = _new_ones(offers_of(product))
    if not offers:
        yield Statement(kind, None, sku=sku, **own)
    for offer in offers:
        yield from _of_offer(kind, offer, sku, own, not_prices=not_prices)


def _new_ones(offers: tuple[StatedOffer, ...]) -> tuple[StatedOffer, ...]:
    """Return the offers without those of used, opened and mended pieces, where there are others."""
    fresh = tuple(each for each in offers if not _SECOND_HAND.search(each.condition or ""))
    return fresh or offers


def _of_offer(
    kind: str, offer: StatedOffer, sku: str | None, own: dict[str, Any], *, not_prices: frozenset[str]
) -> Iterator[Statement]:
    shared: dict[str, Any] = {
        "availability": offer.availability,
        "sku": sku or offer.sku,
        "variant_sku": offer.sku,
        "url": offer.url,
        **own,
    }
    values = offer.price if isinstance(offer.price, list) else [offer.price]
    stated = [value for value in values if value not in (None, "") and value not in not_prices]
    prices = [read_stated(value, offer.currency) for value in stated]
    if prices:
        for price, rounded in prices:
            yield Statement(kind, price, is_rounded=rounded, **shared)
        return
    bounds = [value for value in (offer.low_price, offer.high_price) if value not in (None, "")]
    read = [read_stated(value, offer.currency) for value in bounds]
    same = len({price for price, _ in read}) == 1 and len(read) == 2
    for price, rounded in read[:1] if same else read:
        yield Statement(kind, price, is_bound=not same, is_rounded=rounded, **shared)
    if not read:
        yield Statement(kind, None, **shared)


def _inner_items(items: Iterable[Any], levels: int = 4) -> Iterator[dict[str, Any]]:
    for item in items:
        if isinstance(item, dict):
            yield item
            if levels and not has_type(item, "Product", "ProductGroup"):
                for value in item.values():
                    yield from _inner_items(value if isinstance(value, list) else [value], levels - 1)


def _image(product: dict[str, Any]) -> str | None:
    image = product.get("image")
    image = image[0] if isinstance(image, list) and image else image
    image = image.get("url") if isinstance(image, dict) else image
    return image if isinstance(image, str) else None


def _first(meta: dict[str, str], *names: str) -> str | None:
    return next((meta[name] for name in names if meta.get(name)), None)
