"""The pages of the shop as text: as heavy as they are asked to be."""

from __future__ import annotations

from markupsafe import Markup

from tidepool.brown import json_ld
from tidepool.brown.naming import full_title, title_of
from tidepool.brown.view_model import current_product
from tidepool.trade import Offer, Product, Variant
from tidepool.trade.filler import machinery, menu, styles
from tidepool.trade.json_ld import script
from tidepool.trade.templates import templates_of

OWN_BYTES = 10_000  # what a product page weighs without furniture

TEMPLATES = templates_of(__file__)
TEMPLATES.filters.update(title_of=title_of, full_title=full_title)
TEMPLATES.globals.update(shop_name=json_ld.SHOP_NAME)
PRODUCT = TEMPLATES.get_template("product.html")
LISTING = TEMPLATES.get_template("listing.html")
MISSING = TEMPLATES.get_template("missing.html")

BUY_LABELS = {
    "inStockLabel": "In stock",
    "outStockLabel": "Out of Stock ",
    "backOrderLabel": "Select Items Available",
    "backOrderButtonLabel": "BACKORDER",
    "preOrderLabel": "Available for Preorder",
    "preOrderButtonLabel": "PREORDER",
    "addToCartButtonLabel": "ADD TO CART",
    "notifyMeButtonLabel": "NOTIFY ME",
    "discontinuedLabel": "No longer available",
    "specialOrderLabel": "Special Order",
    "dropshipLabel": "Ships from Manufacturer",
}


def product_page(offer: Offer, beside: list[Offer], *, base: str, chosen: Variant | None, size: int) -> str:
    """Return the page of a product; `beside` are recommended there, with prices of their own."""
    product = offer.product
    image = f"{base}/globalassets/10000/{product.index % 97}/l_{product.item_id()}_1.jpg"
    return PRODUCT.render(
        offer=offer,
        product=product,
        beside=beside,
        image=image,
        address=base + product.path,
        first_cents=offer.items[0].price_cents,
        buy_labels=BUY_LABELS,
        current_product=current_product(offer, chosen=chosen),
        product_json_ld=json_ld.product(offer, base=base, image=image),
        crumbs_json_ld=json_ld.breadcrumbs(product, base=base),
        **_furniture(base, size),
    )


def listing_page(title: str, products: list[Product], *, base: str, address: str, size: int) -> str:
    """Return a page of links to products."""
    facts = {"@context": json_ld.CONTEXT, "@type": "Thing", "name": title, "url": address}
    return LISTING.render(
        title=title,
        products=products,
        base=base,
        address=address,
        thing_json_ld=script(facts),
        **_furniture(base, size),
    )


def missing_page(title: str, *, base: str, size: int) -> str:
    """Return the page shown where there is nothing (any more)."""
    return MISSING.render(title=title, **_furniture(base, size))


def _furniture(base: str, size: int) -> dict[str, Markup]:
    weight = max(0, size - OWN_BYTES)
    return {
        "styles": styles(weight // 3),
        "menu": menu(weight // 3, base=base),
        "machinery": machinery(weight // 3),
        "organization": json_ld.organization(base),
    }
