"""The three JSON-LD scripts of a product page."""

from __future__ import annotations

from markupsafe import Markup

from tidepool.brown.naming import category_path, full_title, title_of
from tidepool.trade import Item, Offer, Product
from tidepool.trade.json_ld import SCHEMA, Facts, script, step

SHOP_NAME = "Tidepool Brown"
CONTEXT = "https://schema.org"
SHIPPING_DOLLARS = 6.99


def product(offer: Offer, *, base: str, image: str) -> Markup:
    """Return the product: neither sku nor brand, and an offer for every variant whichever was asked for."""
    goods = offer.product
    return script(
        {
            "@context": CONTEXT,
            "@type": "Product",
            "name": full_title(goods),
            "description": f"{goods.rounds} rounds of {goods.category.calibre}, made to be shot at paper...",
            "image": image,
            "url": base + goods.path,
            "offers": [_offer(item, base=base) for item in offer.items],
        }
    )


def breadcrumbs(goods: Product, *, base: str) -> Markup:
    """Return where the page hangs in the menu."""
    steps = (
        ("Home", f"{base}/"),
        ("Ammunition", f"{base}/ammunition/"),
        (goods.category.parent_name, base + category_path(goods.category)),
        (title_of(goods), base + goods.path),
    )
    trail = [step(number, name, address) for number, (name, address) in enumerate(steps, 1)]
    return script(
        {
            "@context": CONTEXT,
            "@type": "BreadcrumbList",
            "numberOfItems": len(trail),
            "itemListElement": trail,
        }
    )


def organization(base: str) -> Markup:
    """Return who runs the shop, which every page says."""
    return script({"@context": CONTEXT, "@type": "Organization", "name": SHOP_NAME, "url": base})


def _offer(item: Item, *, base: str) -> Facts:
    price: Facts = {} if item.price_cents is None else {"price": item.price_cents / 100}
    return {
        "hasMerchantReturnPolicy": {
            "@type": "MerchantReturnPolicy",
            "merchantReturnLink": f"{base}/help/returns/",
            "returnPolicyCategory": SCHEMA + "MerchantReturnNotPermitted",
        },
        "shippingDetails": _shipping(),
        "@type": "Offer",
        "availability": SCHEMA + item.availability,
        "itemCondition": SCHEMA + "NewCondition",
        **price,
        "priceCurrency": "USD",
        "priceValidUntil": "9999-12-31",
        "sku": str(item.id),
    }


def _shipping() -> Facts:
    return {
        "@type": "OfferShippingDetails",
        "deliveryTime": {
            "@type": "ShippingDeliveryTime",
            "handlingTime": _days(1, 2),
            "transitTime": _days(1, 5),
        },
        "shippingRate": {"@type": "MonetaryAmount", "currency": "USD", "value": SHIPPING_DOLLARS},
    }


def _days(least: int, most: int) -> Facts:
    return {"@type": "QuantitativeValue", "maxValue": most, "minValue": least, "unitCode": "DAY"}
