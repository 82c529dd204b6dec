"""The shop's pages as text: about 40 KB each, most of it furniture, as on a real shop."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup, escape

from tidepool.shop import json_ld
from tidepool.trade import Offer, Product, Variant
from tidepool.trade.templates import templates_of

STOCK_WORDS = {
    "InStock": ("in-stock", "instock"),
    "OutOfStock": ("out-of-stock", "outofstock"),
    "BackOrder": ("available-on-backorder", "onbackorder"),
    "PreOrder": ("available-on-preorder", "onbackorder"),
    "Discontinued": ("out-of-stock", "outofstock"),
}
STOCK_TEXT = {
    "OutOfStock": "Out of stock",
    "BackOrder": "Available on backorder",
    "PreOrder": "Available for preorder",
    "Discontinued": "No longer available",
}
STATES = [
    "Alabama",
    "Alaska",
    "Arizona",
    "Arkansas",
    "California",
    "Colorado",
    "Connecticut",
    "Delaware",
    "Florida",
    "Georgia",
    "Hawaii",
    "Idaho",
    "Illinois",
    "Indiana",
    "Iowa",
    "Kansas",
    "Kentucky",
    "Louisiana",
    "Maine",
    "Maryland",
    "Massachusetts",
    "Michigan",
    "Minnesota",
    "Mississippi",
    "Missouri",
    "Montana",
    "Nebraska",
    "Nevada",
    "Ohio",
    "Oklahoma",
    "Oregon",
    "Pennsylvania",
    "Tennessee",
    "Texas",
    "Utah",
    "Vermont",
    "Virginia",
    "Washington",
    "Wisconsin",
    "Wyoming",
]


def money(cents: int) -> Markup:
    """Return a price the way the shop software marks it up, wherever on the page it stands."""
    return Markup(
        '<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">'
        f"&#36;</span>{cents // 100:,}.{cents % 100:02}</bdi></span>"
    )


def with_dashes(name: str) -> Markup:
    """Return a name as the page shows it: an en dash where JSON-LD has a hyphen."""
    return Markup(str(escape(name)).replace(" - ", " &#8211; "))


def variant_sku(product: Product, chosen: Variant | None) -> str:
    """Return the SKU the page shows once this variant, or none, is chosen."""
    return f"{product.sku} - {chosen.choice}" if chosen else product.sku


TEMPLATES = templates_of(__file__)
TEMPLATES.filters.update(money=money, dashes=with_dashes, sku=variant_sku)
TEMPLATES.globals.update(states=STATES, shop_name=json_ld.SHOP_NAME)
PRODUCT = TEMPLATES.get_template("product.html")
CARD = TEMPLATES.get_template("card.html")
LISTING = TEMPLATES.get_template("listing.html")
MISSING = TEMPLATES.get_template("missing.html")


@lru_cache(maxsize=32)
def furniture(base: str) -> dict[str, Markup]:
    """Return what every page of the shop has around its content, the same for each visitor of one host."""
    parts = ("assets", "menu", "footer")
    return {part: Markup(TEMPLATES.get_template(f"{part}.html").render(base=base)) for part in parts}


def product_page(offer: Offer, cards: list[Markup], *, base: str, chosen: Variant | None = None) -> str:
    """Return the page of one product."""
    product = offer.product
    image = f"{base}/wp-content/uploads/2025/01/{product.sku.split(' ')[0].lower()}_0.jpg"
    stock_class, state_class = STOCK_WORDS[offer.availability]
    return PRODUCT.render(
        base=base,
        offer=offer,
        product=product,
        cards=cards,
        chosen=chosen,
        image=image,
        address=base + product.path,
        stock_class=stock_class,
        state_class=state_class,
        stock_text=STOCK_TEXT.get(offer.availability, f"{offer.quantity}+ in stock"),
        theme_json_ld=json_ld.theme_product(offer, base=base, image=image),
        crumbs_json_ld=json_ld.theme_breadcrumbs(offer, base=base),
        shop_json_ld=json_ld.shop_graph(
            offer, base=base, image=image, chosen=chosen, sku=variant_sku(product, chosen)
        ),
        **furniture(base),
    )


def card(offer: Offer, *, base: str) -> Markup:
    """Return the row a product gets on the page of a related one."""
    return Markup(CARD.render(card=offer, product=offer.product, base=base))


def listing_page(title: str, products: list[Product], *, base: str, address: str) -> str:
    """Return a page of links to products."""
    return LISTING.render(base=base, title=title, products=products, address=address, **furniture(base))


def missing_page(title: str, *, base: str) -> str:
    """Return the page shown where there is nothing (any more)."""
    return MISSING.render(base=base, title=title, **furniture(base))
