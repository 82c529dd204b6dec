"""How this shop names what it sells."""

from __future__ import annotations

from tidepool.trade import Product

SOLD_OUT_WORDS = ("Out of Stock", "Unavailable - Limited Production", "Temporarily Unavailable")
STATUS = {
    "InStock": "Available",
    "BackOrder": "Backorder OK",
    "PreOrder": "Coming Soon",
    "Discontinued": "Discontinued",
}


def family_name(product: Product) -> str:
    """Return the name all pack sizes share."""
    return f"{product.maker} {product.category.calibre} Ammo {product.grains} Grain {product.bullet} {product.code}"


def item_name(product: Product, rounds: int) -> str:
    """Return the name with its pack size."""
    if rounds == product.rounds:
        return f"{family_name(product)} {product.pack} of {rounds}"
    packs = rounds // product.rounds
    return f"{family_name(product)} Case of {rounds} ({packs} Boxes of {product.rounds})"


def status_of(product: Product, availability: str) -> str:
    """Return the availability in the shop's own words; for sold out it has several."""
    return STATUS.get(availability, SOLD_OUT_WORDS[product.index % len(SOLD_OUT_WORDS)])
