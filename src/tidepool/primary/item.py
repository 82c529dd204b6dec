"""An item as the API tells it."""

from __future__ import annotations

import json
from typing import Any

from tidepool.primary.naming import item_id, page_title, url_component
from tidepool.trade import Offer, Product, Variant
from tidepool.trade.money import dollars

Facts = dict[str, Any]
IMAGE_FOLDER = "SSP Applications/NetSuite Inc. - SCA Mont Blanc/Development/img"
EMPTY = "&nbsp;"
MOST = 1_000_000


def item_of(offer: Offer, *, base: str, chosen: Variant | None) -> Facts:
    """Return everything the API says about one item."""
    product = offer.product
    sku, title = item_id(product, chosen), page_title(product, chosen)
    return {
        "internalid": chosen.id if chosen else product.id,
        "itemid": sku,
        "mpn": sku,
        "displayname": sku,
        "storedisplayname2": sku,
        "pagetitle": title,
        "urlcomponent": url_component(product),
        "upccode": chosen.upc if chosen else product.upc,
        "custitem_brand": product.maker,
        "manufacturer": product.maker,
        "class": "Ammunition",
        "itemtype": "InvtPart",
        "storedetaileddescription": f"{title}, made to be shot at paper.",
        "custitem_cc_2": EMPTY,
        "custitem_ef_badges": EMPTY,
        **_price(offer, chosen),
        **_stock(offer, chosen),
        "custitem_test_for_website": _attributes(product),
        "itemimages_detail": {
            "urls": [{"altimagetext": title, "url": f"{base}/{IMAGE_FOLDER}/{product.code}_00.jpg"}]
        },
        "itemoptions_detail": {"matrixtype": "parent"} if offer.variants and not chosen else {},
        **_children(offer, chosen),
    }


def _price(offer: Offer, chosen: Variant | None) -> Facts:
    cents = asked_cents(offer, chosen)
    if cents is None:
        hidden = "Call for price" if offer.availability == "InStock" else ""
        return {"dontshowprice": True, "nopricemessage": hidden, "onlinecustomerprice_detail": {}}
    detail: Facts = {"onlinecustomerprice_formatted": dollars(cents), "onlinecustomerprice": cents / 100}
    if offer.tiers:
        detail["priceschedule"] = _steps([(1, cents), *offer.tiers])
    list_price = {"pricelevel1": offer.was_cents / 100} if offer.was_cents else {}
    return {
        "onlinecustomerprice": cents / 100,
        "onlinecustomerprice_formatted": dollars(cents),
        "onlinecustomerprice_detail": detail,
        **list_price,
    }


def asked_cents(offer: Offer, chosen: Variant | None) -> int | None:
    """Return the price in front: of the chosen child, else of the cheapest, else of the item itself."""
    if chosen:
        return chosen.price_cents
    return min((variant.price_cents for variant in offer.variants), default=offer.price_cents)


def _steps(tiers: list[tuple[int, int]]) -> list[Facts]:
    ends = [least for least, _ in tiers[1:]] + [MOST]
    return [
        {
            "minimumquantity": least,
            "maximumquantity": end,
            "price": cents / 100,
            "price_formatted": dollars(cents),
        }
        for (least, cents), end in zip(tiers, ends, strict=True)
    ]


def _stock(offer: Offer, chosen: Variant | None) -> Facts:
    word = chosen.availability if chosen else offer.availability
    here = word == "InStock"
    quantity = float(offer.quantity) if here else 0.0
    later = word in ("BackOrder", "PreOrder")
    gone = word == "Discontinued"
    return {
        "isinstock": here,
        "isbackorderable": later,
        "ispurchasable": here or later,
        "quantityavailable": quantity,
        "quantityonhand": quantity,
        "quantityonhand_detail": {
            "quantityonhand": quantity,
            "locations": [{"internalid": 1, "quantityonhand": quantity}],
        },
        "custitem_sc_ns_enable_pre_order": word == "PreOrder",
        "custitem_in_stock": not here,  # upside down, as in the wild
        "showoutofstockmessage": not here,
        "outofstockmessage": "This item has been discontinued" if gone else "",
        "outofstockbehavior": f"{'Allow' if later else 'Disallow'} back orders but display out-of-stock message",
    }


def _attributes(product: Product) -> str:
    told = {
        "Ammo Type": product.category.parent_name,
        "Brand": product.maker,
        "Bullet Weight": f"{product.grains} gr",
        "Caliber Gauge": product.category.calibre,
        "Bullet Type": product.bullet,
        "Case": "Brass",
        "Shot Size": EMPTY,
    }
    return json.dumps({"attributes": [{"attribute": name, "value": value} for name, value in told.items()]})


def _children(offer: Offer, chosen: Variant | None) -> Facts:
    if chosen or not offer.variants:
        return {}
    children = [
        {
            "internalid": variant.id,
            "itemid": item_id(offer.product, variant),
            **_price(offer, variant),
            **_stock(offer, variant),
        }
        for variant in offer.variants
    ]
    return {"matrixchilditems_detail": children}
