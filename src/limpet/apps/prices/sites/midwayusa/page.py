"""How a product page is read: its JSON-LD, and the variables meant for analytics as a second witness of stock."""

from __future__ import annotations

import re
from typing import Any

from limpet.apps.prices.models.json_ld import GTIN_FIELDS, JsonLdPage
from limpet.apps.prices.models.stated import Witness
from limpet.apps.prices.models.variants import Variant
from limpet.extract.parse.stock import Availability, parse_stock
from limpet.extract.structured.loose_json import BadJson
from limpet.extract.structured.products import text
from limpet.extract.structured.state import state_after

VERSION = "1.0.0"

# A pattern that opens with plain letters is found by searching, not by trying at every character.
_SELLABLE = re.compile(r"""hasSellableProducts['"]?\s*:\s*(true|false)\b""")
_CATEGORY = re.compile(r"\Ahttps?://[^/]+/(?:[^?#]*/)?[cs](?:\?|\Z)")


class MidwayPage(JsonLdPage):
    """A family of pack sizes at one address; `?pid=` names the one that is meant."""

    __slots__ = ()

    def second_witness(self, markup: bytes, variant: Variant) -> Witness:
        """Return what the analytics variables say. Their `unit_price` is always 0.00 and is not a price."""
        script = markup.decode("utf-8", "replace")
        packs = {text(each.get("sale_item_id")): each for each in _objects(script, "products")}
        signals = {parse_stock(text(each.get("status")) or "") for each in _about(variant, script, packs)}
        sellable = _SELLABLE.search(script)
        # "true" is no witness: it speaks of the whole family, and what can be ordered can be sold.
        if sellable is not None and sellable[1] == "false":
            signals.add(Availability.OUT_OF_STOCK)
        return Witness(
            name="analytics",
            availabilities=frozenset(signals),
            sells=frozenset(number for number in packs if number),
        )


PAGE = MidwayPage(
    version=VERSION,
    variant_parameter="pid",
    sku_is_product_id=True,
    # The shop keeps the UPC where makers' part numbers belong; only twelve digits that check are taken for one.
    upc_fields=(*GTIN_FIELDS, "mpn"),
    listing_address=_CATEGORY,
)


def _about(variant: Variant, script: str, packs: dict[str | None, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what speaks of this pack size; the family's own entry only where it names it."""
    if variant.sku in packs:
        return [packs[variant.sku]]
    return [each for each in _objects(script, "product") if text(each.get("sale_item_id")) == variant.sku]


def _objects(script: str, name: str) -> list[dict[str, Any]]:
    """Return the objects assigned to a member of `universal_variable`; none when they cannot be read."""
    assigned = re.search(rf"universal_variable\.{name}\s*=", script)
    if assigned is None:
        return []
    try:
        value = state_after(script[assigned.start() :], assigned[0].rstrip("="))
    except BadJson:
        return []
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
