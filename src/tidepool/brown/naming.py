"""How this shop names what it sells."""

from __future__ import annotations

from tidepool.trade import Category, Product
from tidepool.trade.catalogue import slug_of


def title_of(product: Product) -> str:
    """Return the title, shouted as this shop does."""
    words = f"{product.category.calibre} {product.grains} GRAIN {product.bullet} AMMO {product.code}"
    return words.upper()


def full_title(product: Product) -> str:
    """Return the title with the maker before it, as JSON-LD has it."""
    return f"{product.maker.upper()} - {title_of(product)}"


def type_of(category: Category) -> str:
    """Return the part of an address that says what kind of ammunition it is."""
    return f"{category.parent_slug.removesuffix('-ammo')}-ammunition"


def path_of(product: Product) -> str:
    """Return the address of a product."""
    return f"/ammunition/{type_of(product.category)}/{slug_of(title_of(product))}/"


def category_path(category: Category) -> str:
    """Return the address of the list a product stands in."""
    return f"/ammunition/{type_of(category)}/"
