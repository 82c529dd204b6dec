"""What the page hands to its own script: price as text, flags for stock and for hiding the price."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from tidepool.brown.naming import full_title, title_of
from tidepool.trade import Item, Kind, Offer, Variant
from tidepool.trade.money import dollars

IN_STOCK, OUT_OF_STOCK = 1, 4


def current_product(offer: Offer, *, chosen: Variant | None) -> Markup:
    """Return the model as the JavaScript string it stands in: every quote is \\u0022."""
    model = {"viewModel": _view(offer, chosen), "specificationSelectionModel": _attributes(offer)}
    text = json.dumps(model, separators=(",", ":")).replace("\\", "\\\\")
    for sign in "\"'<>&+":
        text = text.replace(sign, f"\\u{ord(sign):04X}")
    return Markup(text)


def _view(offer: Offer, chosen: Variant | None) -> dict[str, Any]:
    items = [item for item in offer.items if chosen is None or item.id == chosen.id]
    only = items[0] if len(items) == 1 else None
    return {
        "upc": only.upc if only else "",
        "sku": str(only.id) if only else "",
        "displayName": title_of(offer.product) if chosen else "",
        "title": full_title(offer.product),
        "formattedProductCurrentPrice": _span([item.price_cents for item in items]),
        "formattedProductCrossedOutPrice": dollars(offer.was_cents) if offer.was_cents else "",
        "isTempPrice": offer.was_cents is not None,
        "listingPrice": 0.0,
        "formattedPricePerRound": _per_round(items),
        "hasOneVariant": len(offer.items) == 1,
        "inStockQuantity": float(offer.quantity) if only else -1.0,
        **_stock_flags(offer, items),
        **_hiding_modes(offer),
        "volumeDiscount": [
            {"minQuantity": least, "formattedPrice": dollars(cents)} for least, cents in offer.tiers
        ]
        or None,
    }


def _stock_flags(offer: Offer, items: list[Item]) -> dict[str, bool]:
    words = {item.availability for item in items}
    return {
        "isInStock": "InStock" in words,
        "isOutOfStock": words == {"OutOfStock"},
        "isBackOrder": "BackOrder" in words,
        "isPreOrder": "PreOrder" in words,
        "isDiscontinued": "Discontinued" in words,
        "isLeastOneInStock": any(item.availability == "InStock" for item in offer.items),
        "isLeastOneOutOfStock": any(item.availability == "OutOfStock" for item in offer.items),
        "isLeastOneBackOrder": "BackOrder" in words,
        "isLeastOnePreOrder": "PreOrder" in words,
        "isLeastOneDiscontinued": "Discontinued" in words,
        "isShowNotifyMeLink": words == {"OutOfStock"},
    }


def _hiding_modes(offer: Offer) -> dict[str, Any]:
    kind = offer.product.kind
    return {
        "clickToSeePriceEnable": kind is Kind.SOLD_OUT_UNPRICED,
        "clickToSeePriceText": "Click to see the pricing",
        "addToCartToSeePriceEnable": kind is Kind.CALL_FOR_PRICE,
        "addToCartToSeePriceText": "Add to cart to see price",
    }


def _span(prices: list[int | None]) -> str:
    known = sorted({price for price in prices if price is not None})
    if not known:
        return ""
    return dollars(known[0]) if len(known) == 1 else f"{dollars(known[0])} - {dollars(known[-1])}"


def _per_round(items: list[Item]) -> str:
    each = [item.price_cents // item.rounds for item in items if item.price_cents]
    return f"({_span(list(each))}/Round)" if each else ""


def _attributes(offer: Offer) -> list[dict[str, Any]]:
    items = offer.items
    # Each value names the number of its neighbour: the shop's own mistake, and not to be relied upon.
    rounds = [
        {
            "attributeName": "Rounds",
            "attributeValue": str(item.rounds),
            "attributeStatus": IN_STOCK if item.can_be_bought else OUT_OF_STOCK,
            "sku": str(items[number - 1].id),
        }
        for number, item in enumerate(items)
    ]
    return [{"groupDisplayName": "Rounds", "attributes": rounds}]
