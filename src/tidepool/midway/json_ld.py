"""The one JSON-LD script of a product page: an array of three things."""

from __future__ import annotations

from markupsafe import Markup

from tidepool.midway.naming import family_name, item_name
from tidepool.trade import Item, Offer, Product
from tidepool.trade.json_ld import SCHEMA, Facts, script
from tidepool.trade.money import padded

SHOP_NAME = "Tidepool Midway"
CONTEXT = "https://schema.org"


def everything(offer: Offer, shown: tuple[Item, ...], *, base: str, image: str, path: str) -> Markup:
    """Return the script; several items are shown as a group, a single one as a plain product."""
    product = offer.product
    goods = [_product(offer, item, base=base, image=image) for item in shown]
    first = goods[0] if len(goods) == 1 else _group(product, goods)
    return script([first, _breadcrumbs(product, base), _gallery(base + path, image)])


def _group(product: Product, goods: list[Facts]) -> Facts:
    return {
        "productGroupID": str(product.id),
        "name": family_name(product),
        "brand": _brand(product),
        "variesBy": ["https://schema.org/size"],
        "hasVariant": goods,
        "@context": CONTEXT,
        "@type": "ProductGroup",
    }


def _product(offer: Offer, item: Item, *, base: str, image: str) -> Facts:
    product, rating = offer.product, _rating(offer.product)
    name = item_name(product, item.rounds)
    return {
        "inProductGroupWithID": str(product.id),
        "name": name,
        "image": f"{image}?imwidth=680",
        "description": f"{name}, made to be shot at paper. ...",
        # The key is wrong here, as it is in the wild: a group that is none.
        "isVariantOf": {"type": "ProductGroup", "name": family_name(product), "aggregateRating": rating},
        "sku": str(item.id),
        "mpn": item.upc,
        "brand": _brand(product),
        "aggregateRating": rating,
        "offers": _terms(offer, item, base=base),
        "@context": CONTEXT,
        "@type": "Product",
    }


def _terms(offer: Offer, item: Item, *, base: str) -> Facts:
    terms: Facts = {"@type": "Offer"}
    if item.price_cents is not None:
        terms["price"] = padded(item.price_cents)
    if offer.was_cents is not None:
        terms["priceSpecification"] = {
            "@type": "UnitPriceSpecification",
            "priceType": SCHEMA + "StrikethroughPrice",
            "price": padded(offer.was_cents),
            "priceCurrency": "USD",
        }
    return terms | {
        "url": f"{base}/product/{offer.product.id}?pid={item.id}",
        "availability": SCHEMA + item.availability,
        "priceCurrency": "USD",
        "itemCondition": SCHEMA + "NewCondition",
        "seller": {"@type": "Organization", "name": SHOP_NAME},
    }


def _brand(product: Product) -> Facts:
    return {"@type": "Brand", "name": product.maker}


def _rating(product: Product) -> Facts:
    return {
        "@type": "AggregateRating",
        "bestRating": "5",
        "ratingValue": f"4.{product.index % 10}0",
        "reviewCount": str(3 + product.index % 90),
    }


def _breadcrumbs(product: Product, base: str) -> Facts:
    category = product.category
    steps = (
        ("Ammunition", f"{base}/ammunition/c?cid=653"),
        (category.parent_name, f"{base}/{category.parent_slug}/c?cid=691"),
        (category.name, base + product.shelf.category_path(category)),
        (family_name(product), f"{base}/product/{product.id}"),
    )
    trail = [
        {"@type": "ListItem", "position": number, "item": {"@id": address, "name": name}}
        for number, (name, address) in enumerate(steps, 1)
    ]
    return {"itemListElement": trail, "@context": CONTEXT, "@type": "BreadcrumbList"}


def _gallery(address: str, image: str) -> Facts:
    picture = {"contentUrl": image, "thumbnailUrl": f"{image}?imwidth=150", "@type": "MediaObject"}
    return {"url": address, "associatedMedia": [picture], "@context": CONTEXT, "@type": "ImageGallery"}
