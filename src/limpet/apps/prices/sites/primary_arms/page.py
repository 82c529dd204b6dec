"""How an answer of the item API is read: NetSuite's stock flags, price schedule and the attributes in a string."""

from __future__ import annotations

from typing import Any

from limpet.apps.prices.models.json_api import Item, JsonApiPage, JsonFields, availability_of
from limpet.apps.prices.models.plain_words import plain
from limpet.apps.prices.models.stated import Witness
from limpet.apps.prices.models.title_facts import (
    AmmoFacts,
    bullet_type_in,
    grain_weight_in,
    load_type_in,
    shell_length_in,
)
from limpet.apps.prices.offer import Tier
from limpet.errors import BadAddress
from limpet.extract.parse.price import Price, price_from_json
from limpet.extract.parse.stock import Availability
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.extract.structured.paths import value_at
from limpet.target import Target
from limpet.target.address import canonicalize, join

VERSION = "1.0.0"

_FIELDS = JsonFields(
    title=("pagetitle", "storedisplayname2", "displayname"),
    prices=(
        "onlinecustomerprice",
        "onlinecustomerprice_detail.onlinecustomerprice",
        "onlinecustomerprice_formatted",
    ),
    sku=("itemid",),
    product_id=("internalid",),
    upc=("upccode",),
    brand=("custitem_brand", "manufacturer"),
    image=("itemimages_detail.urls.0.url", "itemimages_detail.url"),
    currency=("locale.currency",),
)


class ItemsApi(JsonApiPage):
    """The answer of `/api/items`. `custitem_in_stock` is never asked: it says the opposite of the truth."""

    __slots__ = ()

    def witness(self, item: Item) -> Witness:
        """Return what flags and quantity say; children of a matrix item are variants nobody has chosen from."""
        children = value_at(item, "matrixchilditems_detail")
        return Witness(
            name="flags",
            availabilities=frozenset(_stock_signals(item)),
            sells=frozenset(str(value_at(child, "internalid")) for child in _listed(children)),
            hides_price="dontshowprice is set" if item.get("dontshowprice") is True else "",
        )

    def ammo(self, item: Item) -> AmmoFacts:
        """Return the attributes the page shows as a table."""
        stated = _attributes(item.get("custitem_test_for_website"))
        bullet, shot, shell = (stated.get(name, "") for name in ("bullet type", "shot size", "shell length"))
        return AmmoFacts(
            caliber=stated.get("caliber gauge") or stated.get("caliber"),
            grain_weight=grain_weight_in(stated.get("bullet weight", "")),
            case_material=stated.get("case", "").casefold() or None,
            bullet_type=bullet_type_in(bullet) or bullet or None,
            load_type=load_type_in(shot) or shot or None,
            shell_length=shell_length_in(shell) or shell or None,
        )

    def tiers(self, item: Item, currency: str | None) -> tuple[Tier, ...]:
        """Return the steps of the price schedule that begin above one."""
        steps = _listed(value_at(item, "onlinecustomerprice_detail.priceschedule"))
        tiers = (_tier(step, currency) for step in steps)
        return tuple(tier for tier in tiers if tier is not None and tier.min_quantity > 1)

    def public_address(self, item: Item, target: Target) -> str | None:
        """Return the page people see, at the API's own origin: the address that was asked is no link to give."""
        component = plain(item.get("urlcomponent"))
        if component is None:
            return None
        try:
            url = join(target.address, "/" + component.lstrip("/"))
            return canonicalize(url, http_only=url.startswith("http:"))
        except BadAddress:
            return None


PAGE = ItemsApi(
    version=VERSION,
    fields=_FIELDS,
    items="items",
    named_by={"id": "internalid", "url": "urlcomponent"},
)


def _stock_signals(item: Item) -> set[Availability]:
    """Return what every trustworthy stock field says; a shortage that may be ordered all the same is a backorder."""
    signals = {availability_of(item["isinstock"])} if isinstance(item.get("isinstock"), bool) else set()
    quantity = item.get("quantityavailable")
    made_elsewhere = item.get("isdropshipitem") is True or item.get("isspecialorderitem") is True
    if isinstance(quantity, (int, float)) and not made_elsewhere:
        signals.add(availability_of(quantity))
    if item.get("ispurchasable") is False:
        signals.add(Availability.OUT_OF_STOCK)
    may_order = item.get("isbackorderable") is True or item.get("custitem_sc_ns_enable_pre_order") is True
    if signals == {Availability.OUT_OF_STOCK} and may_order and item.get("ispurchasable") is not False:
        return {Availability.BACKORDER}
    return signals


def _attributes(value: Any) -> dict[str, str]:
    """Return the attributes by lower-case name; the shop keeps them as JSON inside a JSON string."""
    try:
        table = loads(value.encode("utf-8", "replace")) if isinstance(value, str) and value.strip() else {}
    except BadJson:
        return {}
    rows = [row for row in _listed(value_at(table, "attributes")) if isinstance(row, dict)]
    named = ((plain(row.get("attribute")), plain(row.get("value"))) for row in rows)
    return {name.casefold(): words for name, words in named if name and words}


def _tier(step: Any, currency: str | None) -> Tier | None:
    quantity = value_at(step, "minimumquantity")
    price = price_from_json(value_at(step, "price"), currency=currency)
    return Tier(quantity, price.cents) if isinstance(quantity, int) and isinstance(price, Price) else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
