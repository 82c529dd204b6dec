"""How this shop names what it sells."""

from __future__ import annotations

from tidepool.trade import Product, Variant
from tidepool.trade.catalogue import slug_of


def page_title(product: Product, chosen: Variant | None = None) -> str:
    """Return the title shown on the page."""
    rounds = chosen.rounds if chosen else product.rounds
    load = f"{product.category.calibre} {product.grains} gr {product.bullet}"
    return f"{product.maker} {load} - {product.pack} of {rounds}"


def url_component(product: Product) -> str:
    """Return what stands after the slash in the address of its page."""
    return f"{slug_of(page_title(product))}-{product.code.lower()}"


def item_id(product: Product, chosen: Variant | None) -> str:
    """Return the SKU, which doubles as the maker's number and as the display name."""
    return f"{product.code}-{chosen.choice.upper()}" if chosen else product.code
