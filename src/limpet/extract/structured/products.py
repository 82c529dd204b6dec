"""Products and offers in structured data, in every nesting shops use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from limpet.extract.structured.jsonld import has_type

_DEEPEST = 6
_SOLD = ("Product", "ProductGroup")
_NOTHING: dict[str, Any] = {}
_PIECES = frozenset(("C62", "H87", "EA", "PCE", "None"))  # UN/CEFACT codes of one piece, or no measure at all
_NOT_PAID = re.compile(r"ListPrice|Strikethrough|MSRP|SRP|MinimumAdvertised")


class StatedOffer(Struct, frozen=True):
    """An offer as stated: nothing parsed yet, so that the caller decides what an odd value means."""

    price: Any
    currency: str | None
    availability: str | None
    sku: str | None = None
    url: str | None = None
    condition: str | None = None  # new, used, refurbished, as stated
    low_price: Any = None  # of an AggregateOffer, which states a range instead of a price
    high_price: Any = None
    shipping: Any = None  # the flat rate, where there is exactly one
    shipping_currency: str | None = None


def products_in(items: Iterable[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return products and product groups, also those that are the main entity of a page object."""
    found: list[dict[str, Any]] = []
    for item in items:
        if has_type(item, *_SOLD):
            found.append(item)
        main = item.get("mainEntity")
        if isinstance(main, dict) and has_type(main, *_SOLD):
            found.append(main)
    return tuple(found)


def variants_of(product: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the variants of a product group; empty for a plain product."""
    return tuple(variant for variant in _listed(product.get("hasVariant")) if isinstance(variant, dict))


def offers_of(product: dict[str, Any]) -> tuple[StatedOffer, ...]:
    """Return every offer of the product: one object, a list, or nested in an aggregate."""
    return tuple(_offers(product.get("offers"), _DEEPEST))


def text(value: Any) -> str | None:
    """Return a stated name or identifier as text: plain, numeric, or the name of an object."""
    if value is None:
        return None
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, list):
        return text(value[0]) if value and not isinstance(value[0], list) else None
    if isinstance(value, dict):
        named = value.get("name") or value.get("@id")
        return text(named) if not isinstance(named, list | dict) else None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _offers(value: Any, levels: int) -> Iterator[StatedOffer]:
    for offer in _listed(value):
        if not isinstance(offer, dict):
            continue
        inner = offer.get("offers")
        if inner is not None and levels:
            yield from _offers(inner, levels - 1)
        else:
            yield _offer(offer)


def _offer(offer: dict[str, Any]) -> StatedOffer:
    specification = _unit_price(offer.get("priceSpecification"))
    price = offer.get("price")
    shipping = _shipping_rate(offer.get("shippingDetails"))
    return StatedOffer(
        price=specification.get("price") if price is None else price,
        currency=text(offer.get("priceCurrency")) or text(specification.get("priceCurrency")),
        availability=text(offer.get("availability")),
        sku=text(offer.get("sku")),
        url=text(offer.get("url")),
        condition=text(offer.get("itemCondition")),
        low_price=offer.get("lowPrice"),
        high_price=offer.get("highPrice"),
        shipping=shipping.get("value"),
        shipping_currency=text(shipping.get("currency")),
    )


def _shipping_rate(value: Any) -> dict[str, Any]:
    """Return the one rate; several depend on where the parcel goes."""
    if value is None:
        return _NOTHING
    rates = [one.get("shippingRate") for one in _listed(value) if isinstance(one, dict)]
    return rates[0] if len(rates) == 1 and isinstance(rates[0], dict) else {}


def _unit_price(value: Any) -> dict[str, Any]:
    """Return the specification of what one costs now, not of a list price, a litre, a dozen or a member."""
    if value is None:
        return _NOTHING
    specifications = [one for one in _listed(value) if isinstance(one, dict)]
    current = [one for one in specifications if not _NOT_PAID.search(str(one.get("priceType", "")))]
    plain = [one for one in current if not _is_for_some(one)]
    on_sale = [one for one in plain if "SalePrice" in str(one.get("priceType", ""))]
    return next(iter((*on_sale, *plain)), {})


def _is_for_some(specification: dict[str, Any]) -> bool:
    """Whether the price is that of a measure, of several at once, or of members only."""
    measure, several = specification.get("referenceQuantity"), specification.get("eligibleQuantity")
    # With a `valueReference` the quantity is that of the whole pack, and so is the price.
    by_measure = isinstance(measure, dict) and not (
        measure.get("valueReference") or str(measure.get("unitCode")) in _PIECES
    )
    least = several.get("minValue") if isinstance(several, dict) else None
    return by_measure or str(least or 1) not in ("1", "1.0") or bool(specification.get("validForMemberTier"))
