"""How a product page is read: the offer of the chosen SKU, checked against the page's own view model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.apps.prices.models.json_ld import JsonLdPage
from limpet.apps.prices.models.plain_words import plain, upc_among
from limpet.apps.prices.models.stated import Witness, testimony_of
from limpet.apps.prices.models.variants import Variant
from limpet.extract.parse.price import Price, parse_price
from limpet.extract.parse.stock import Availability
from limpet.extract.structured.loose_json import BadJson
from limpet.extract.structured.paths import value_at
from limpet.extract.structured.state import state_after

VERSION = "1.0.0"

# Asked in this order: a discontinued article is also out of stock, and one on backorder too.
_FLAGS = (
    ("Discontinued", Availability.OUT_OF_STOCK),
    ("PreOrder", Availability.BACKORDER),
    ("BackOrder", Availability.BACKORDER),
    ("OutOfStock", Availability.OUT_OF_STOCK),
    ("InStock", Availability.IN_STOCK),
)
_HIDING = ("clickToSeePriceEnable", "addToCartToSeePriceEnable")


class BrownellsPage(JsonLdPage):
    """A family at one address; `?sku=` names the variant that is meant."""

    __slots__ = ()

    def second_witness(self, markup: bytes, variant: Variant) -> Witness:
        """Return what the view model says: hidden prices, stock flags, and from where to where prices go."""
        script = markup.decode("utf-8", "replace")
        view = value_at(_state(script, "var currentProduct"), "viewModel")
        view = view if isinstance(view, dict) else {}
        speaks_of_it = variant.is_alone or variant.sku in (view.get("sku"), view.get("code"))
        brand = value_at(_state(script, "var datalayerProduct"), "0.brand")
        return Witness(
            name="view model",
            availabilities=frozenset({_flagged(view, "is") if speaks_of_it else _all_alike(view)}),
            price_span=_span(view, variant),
            hides_price=" and ".join(name for name in _HIDING if view.get(name) is True),
            brand=plain(brand) or _brand_in(plain(variant.product.get("name"))),
            upc=upc_among([view.get("upc")]) if speaks_of_it else None,
        )


PAGE = BrownellsPage(version=VERSION, variant_parameter="sku")


def _state(script: str, marker: str) -> Any:
    try:
        return state_after(script, marker)
    except BadJson:
        return None


def _flagged(view: Mapping[str, Any], prefix: str) -> Availability:
    return next((meant for flag, meant in _FLAGS if view.get(prefix + flag) is True), Availability.UNKNOWN)


def _all_alike(view: Mapping[str, Any]) -> Availability:
    """Return the stock of every variant where all are alike; flags of a mixed family speak of none of them."""
    kinds = {meant for flag, meant in _FLAGS if view.get(f"isLeastOne{flag}") is True}
    return kinds.pop() if len(kinds) == 1 else Availability.UNKNOWN


def _span(view: Mapping[str, Any], variant: Variant) -> tuple[int, int] | None:
    """Return the lowest and highest current price shown; only what is in stock is known to be among them."""
    if testimony_of([], variant.offers).availabilities != {Availability.IN_STOCK}:
        return None
    ends = [parse_price(part) for part in str(view.get("formattedProductCurrentPrice") or "").split(" - ")]
    cents = [end.cents for end in ends if isinstance(end, Price)]
    return (min(cents), max(cents)) if cents and len(cents) == len(ends) else None


def _brand_in(name: str | None) -> str | None:
    """Return the maker a name begins with, as in `FEDERAL - TOP GUN`."""
    brand, dash, _ = (name or "").partition(" - ")
    return brand.strip() or None if dash else None
