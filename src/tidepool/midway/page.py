"""The pages of the shop as text: about 110 kB each, and no price a visitor without scripts could see."""

from __future__ import annotations

import json

from markupsafe import Markup

from tidepool.midway import json_ld
from tidepool.midway.naming import family_name, item_name, status_of
from tidepool.trade import Item, Offer, Product, Variant
from tidepool.trade.catalogue import KINDS
from tidepool.trade.filler import machinery, menu, styles
from tidepool.trade.templates import templates_of

STYLE_BYTES, MENU_BYTES, MACHINERY_BYTES = 50_000, 34_000, 18_000

TEMPLATES = templates_of(__file__)
TEMPLATES.filters.update(family=family_name)
TEMPLATES.globals.update(shop_name=json_ld.SHOP_NAME)
PRODUCT = TEMPLATES.get_template("product.html")
LISTING = TEMPLATES.get_template("listing.html")
MISSING = TEMPLATES.get_template("missing.html")


def product_page(offer: Offer, *, base: str, chosen: Variant | None) -> str:
    """Return the page of a family with one of its items in front."""
    product, items = offer.product, offer.items
    front = next((item for item in items if chosen and item.id == chosen.id), items[0])
    shown = items if shows_all(product) else (front,)
    path = f"/product/{product.id}?pid={front.id}"
    image = f"{base}/product-images/src/primary/{front.id // 1000}/{front.id}.jpg"
    return PRODUCT.render(
        product=product,
        front=front,
        front_name=item_name(product, front.rounds),
        image=image,
        address=base + path,
        canonical=f"{base}/product/{product.id}",
        is_sellable=str(any(item.can_be_bought for item in items)).lower(),
        page_data=_page_data(product, front, items[0]),
        tracked=Markup(json.dumps(_tracked(product, front, base=base))),
        all_tracked=Markup(",".join(json.dumps(_tracked(product, item, base=base)) for item in items)),
        json_ld=json_ld.everything(offer, shown, base=base, image=image, path=path),
        **_furniture(base),
    )


def shows_all(product: Product) -> bool:
    """Whether the page lists every pack size in JSON-LD: half of the families do."""
    return product.index // len(KINDS) % 2 == 0


def listing_page(title: str, products: list[Product], *, base: str, address: str) -> str:
    """Return a page of links to products."""
    return LISTING.render(base=base, title=title, products=products, address=address, **_furniture(base))


def missing_page(title: str, *, base: str) -> str:
    """Return the page shown where there is nothing (any more)."""
    return MISSING.render(title=title, **_furniture(base))


def _furniture(base: str) -> dict[str, object]:
    return {
        "styles": styles(STYLE_BYTES),
        "menu": menu(MENU_BYTES, base=base),
        "machinery": machinery(MACHINERY_BYTES),
    }


def _page_data(product: Product, front: Item, first: Item) -> dict[str, object]:
    return {
        "productDataUrl": f"/api/product/data?id={product.id}&pid={front.id}",
        "selectedSaleItemId": str(front.id),
        "representativeSaleItemId": str(first.id),
        "isSupportedBrowser": False,
    }


def _tracked(product: Product, item: Item, *, base: str) -> dict[str, str]:
    return {
        "id": str(item.id),
        "name": item_name(product, item.rounds),
        "category": "653",
        "status": status_of(product, item.availability),
        "unit_price": "0.00",  # always: the trackers never learn the price
        "url": f"{base}/product/{product.id}?pid={item.id}",
        "category_breadcrumbs": f"Ammunition/{product.category.parent_name}/{product.category.calibre}",
        "manufacturer": product.maker,
        "sale_item_id": str(item.id),
        "product_family_number": str(product.id),
    }
