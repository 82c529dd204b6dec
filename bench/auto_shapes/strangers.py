"""More shops, written after the reader's word lists were fixed, to see how it does where nobody looked before."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json

from bench.auto_shapes.frame import json_ld, og, page, product_ld, related
from bench.auto_shapes.goods import Goods, digits, number, show


def beauty(goods: Goods) -> str:
    """A perfumery: one label with an amount for every bottle, the chosen one repeated above."""
    bottles = "".join(
        f'<label class="bottle"><input type="radio"><span>{size} ml</span><em>{show(goods.cents + extra, goods.country)}</em></label>'
        for size, extra in ((30, 0), (50, 2100), (100, 4800))
    )
    return page(
        goods,
        f'<main><div class="pdp-top"><div class="gallery"></div><div class="info"><h2 class="brand">Harbour</h2><h1>{goods.name}</h1><div class="stars">4.7 (311)</div><div class="amount-now"><strong>{goods.shown}</strong></div><fieldset>{bottles}</fieldset><div class="per">{show(goods.cents * 3, goods.country)} / 100 ml</div><button class="cta" type="button">Add to bag</button></div></div></main>',
    )


def marketplace(goods: Goods) -> str:
    """A marketplace: the winning seller, then a table of the others."""
    rows = "".join(
        f'<tr class="offer-row"><td>Seller {i}</td><td class="offer-price">{show(goods.cents + (i + 1) * 130, goods.country)}</td><td>+ {show(490, goods.country)} shipping</td><td><button>Add to cart</button></td></tr>'
        for i in range(4)
    )
    return page(
        goods,
        f'<div class="prod"><h1 class="fpTMain">{goods.name}</h1><div class="fpPrice price"><span class="fpPriceVal">{goods.shown}</span></div><div class="seller">Sold by Harbour Ltd</div><input type="submit" id="fpAddBsk" value="Add to basket"><div id="otherOffers"><h2>4 other offers from {show(goods.cents + 130, goods.country)}</h2><table>{rows}</table></div></div>',
    )


def electronics_euro(goods: Goods) -> str:
    """An electronics chain of the continent: the number is drawn, its text stands in a meta tag."""
    return page(
        goods,
        f'<div id="product-details"><h1>{goods.name}</h1><div class="price-sidebar"><meta itemprop="price" content="{goods.number}"><meta itemprop="priceCurrency" content="{goods.country.currency}"><div class="price big length-6" aria-hidden="true"></div><p class="old-price-block">UVP <span class="price-old">{goods.was_shown}</span></p><button class="button pdp-add-to-cart-button">In den Warenkorb</button></div></div>{related(goods, style="plain")}',
    )


def grocery(goods: Goods) -> str:
    """A supermarket: the amount for one, the amount for a kilogram, an offer for members."""
    return page(
        goods,
        f'<div class="product-details-tile"><h1 class="product-details-tile__title">{goods.name}</h1><div class="price-details--wrapper"><div class="price-per-sellable-unit price-per-sellable-unit--price"><span class="currency">{goods.country.before or goods.country.after}</span> <span data-auto="price-value" class="value">{digits(goods.cents, goods.country)}</span></div><div class="price-per-quantity-weight"><span class="currency">{goods.country.before or goods.country.after}</span> <span class="value">{digits(goods.cents * 4, goods.country)}</span><span class="weight">/kg</span></div></div><div class="offer"><span class="offer-text">{show(goods.cents - 100, goods.country)} Clubcard Price</span></div><button class="button small add-control"><span>Add</span></button></div>',
    )


def spare_parts(goods: Goods) -> str:
    """A dealer of parts: a list of label and value."""
    return page(
        goods,
        f'<div id="content"><h1>{goods.name}</h1><dl class="facts"><dt>Part number</dt><dd>{goods.sku}</dd><dt>Weight</dt><dd>1.20 kg</dd><dt>List Price</dt><dd>{goods.was_shown}</dd><dt>Your Price</dt><dd>{goods.shown}</dd><dt>Core charge</dt><dd>{show(1500, goods.country)}</dd></dl><a class="btn" href="/cart/add/1">Add to Cart</a></div>',
    )


def theme_builder(goods: Goods) -> str:
    """A page builder: everything is a widget."""
    return page(
        goods,
        f'<div class="elementor elementor-12"><section class="elementor-section"><div class="elementor-widget elementor-widget-woocommerce-product-title"><h1 class="product_title">{goods.name}</h1></div><div class="elementor-widget elementor-widget-woocommerce-product-price"><div class="elementor-widget-container"><p class="price"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">{goods.country.before}</span>{digits(goods.cents, goods.country)}{goods.country.after}</bdi></span></p></div></div><div class="elementor-widget-woocommerce-product-add-to-cart"><form class="cart"><button class="single_add_to_cart_button">Add to cart</button></form></div></section><section class="elementor-section"><h2>You may also like</h2>{related(goods)}</section></div>',
        body_class="single-product elementor-page",
    )


def old_asp(goods: Goods) -> str:
    """A shop of twenty years ago with ids of its own."""
    return page(
        goods,
        f'<form id="aspnetForm"><table width="100%"><tr><td class="prodtitle"><h1 id="ctl00_lblName">{goods.name}</h1></td></tr><tr><td><span id="ctl00_lblRetail" class="retail">Retail: {goods.was_shown}</span><br><span id="ctl00_lblPrice" class="pr">Sale: {goods.shown}</span><br><span id="ctl00_lblSave">Save {show(goods.was_cents - goods.cents, goods.country)}</span></td></tr><tr><td>Qty <input type="text" value="1"><input type="image" alt="Add to Cart" src="/add.gif" name="ctl00$btnAdd"></td></tr></table></form>{related(goods, style="plain")}',
    )


def single_page_app(goods: Goods) -> str:
    """A rendered application: utility classes only."""
    was = f'<span class="text-sm text-gray-500 line-through">{goods.was_shown}</span>'
    return page(
        goods,
        f'<div id="__next"><div class="flex flex-col lg:flex-row"><div class="w-full lg:w-1/2"><h1 class="text-2xl font-semibold">{goods.name}</h1><div class="mt-2 flex items-baseline gap-2"><span class="text-xl font-bold text-red-600">{goods.shown}</span>{was}<span class="text-xs bg-red-100 px-1">-12%</span></div><button class="mt-6 w-full bg-black text-white py-3">Add to bag</button><p class="text-xs mt-2">Free returns. Delivery from {show(495, goods.country)}.</p></div></div><div class="mt-10 grid grid-cols-4">'
        + "".join(
            f'<a class="block" href="/p/{i}"><p class="text-sm">{name}</p><p class="text-sm font-bold">{show(c, goods.country)}</p></a>'
            for i, (name, c) in enumerate(goods.others)
        )
        + "</div></div>",
    )


def outlet(goods: Goods) -> str:
    """An outlet: markup of the list price, the page shows list, outlet price and an extra code."""
    return page(
        goods,
        f'<div class="pdp"><h1>{goods.name}</h1><div class="PriceBlock"><div class="PriceBlock-rrp">RRP {goods.was_shown}</div><div class="PriceBlock-sellPrice">{goods.shown}</div></div><p class="promo">Extra 10% off with code X: {show(goods.cents * 9 // 10, goods.country)}</p><button id="addToBasket">Add to bag</button></div>',
        head=json_ld(product_ld(goods, goods.was_number)),
    )


def heavy_markup(goods: Goods) -> str:
    """Markup twice: one block of the theme, one of a plugin with a trailing comma."""
    broken = json.dumps(product_ld(goods))[:-1] + ",}"
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="x-price-wrap"><ins>{goods.shown}</ins></div><button>Buy now</button></div>{related(goods, style="shopify")}',
        head=f'<script type="application/ld+json">{broken}</script>' + og(goods),
    )


def aggregate(goods: Goods) -> str:
    """An aggregate offer from low to high; the page shows the chosen variant."""
    block = product_ld(goods) | {
        "offers": {
            "@type": "AggregateOffer",
            "lowPrice": number(goods.cents, goods.country),
            "highPrice": number(goods.cents + 4000, goods.country),
            "priceCurrency": goods.country.currency,
            "offerCount": 5,
        }
    }
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="product-single__price">{goods.shown}</div><select><option>Red</option><option>Blue</option></select><button name="add">Add to cart</button></div>',
        head=json_ld(block),
    )


def sold_out_with_price(goods: Goods) -> str:
    """Sold out, the price stays."""
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="product__price"><span class="money">{goods.shown}</span></div><button disabled="disabled" class="btn add-to-cart">Sold Out</button></div>{related(goods, style="shopify")}',
        head=json_ld(product_ld(goods, availability="OutOfStock")),
    )


def microdata_pieces(goods: Goods) -> str:
    """Microdata on an element whose text is in pieces."""
    whole, _, cents = digits(goods.cents, goods.country).partition(goods.country.point)
    tail = f'<sup class="price__cents">{cents}</sup>' if cents else ""
    return page(
        goods,
        f'<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">{goods.name}</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span class="price" itemprop="price">{goods.country.before}<span class="price__whole">{whole}</span>{tail}{goods.country.after}</span></div><button>Add to cart</button></div>',
    )


def boxed_neighbours(goods: Goods) -> str:
    """Accessories with tick boxes between price and button."""
    extras = "".join(
        f'<li><label><input type="checkbox"> {name} <span class="price">+ {show(c, goods.country)}</span></label></li>'
        for name, c in goods.others[:3]
    )
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><span class="price" id="main-price">{goods.shown}</span><h4>Add to your order</h4><ul class="accessories-list">{extras}</ul><button class="btn">Add to cart</button></div>',
    )


def sticky_bar(goods: Goods) -> str:
    """A bar that follows the reader repeats title and price."""
    bar = f'<div class="sticky-atc"><span>{goods.name}</span><span class="sticky-atc__price">{goods.shown}</span><button>Add to cart</button></div>'
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="prc"><div class="prc__now">{goods.shown}</div><div class="prc__rrp">{goods.was_shown}</div></div><button>Add to cart</button></div>{bar}{related(goods, style="obfuscated")}',
    )


def shipping_first(goods: Goods) -> str:
    """Shipping and a threshold stand before the price."""
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="ship-note">Ships for {show(799, goods.country)}</div><div>Spend {show(2000, goods.country)} more for free shipping</div><div class="cost">{goods.shown}</div><button>Add to cart</button></div>',
    )


def description_amounts(goods: Goods) -> str:
    """The description talks about money."""
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><p>Was sold for {show(goods.was_cents, goods.country)} in our first season; the deposit of {show(300, goods.country)} is returned.</p><div class="product-price">{goods.shown}</div><form><button type="submit">Add to cart</button></form><div class="tab">Comparable things cost {show(goods.cents + 9900, goods.country)} and more.</div></div>',
    )


def booking_fee(goods: Goods) -> str:
    """A kind of voucher shop: value and price."""
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="deal-box"><div>Value <span>{goods.was_shown}</span></div><div>You save <span>{show(goods.was_cents - goods.cents, goods.country)}</span></div><div class="deal-price">{goods.shown}</div></div><a class="buy-button" href="/checkout">Buy now</a></div>',
    )


def meta_only_currency(goods: Goods) -> str:
    """The data layer knows, the page is rendered late."""
    layer = {
        "ecommerce": {"detail": {"products": [{"name": goods.name, "id": goods.sku, "price": goods.number}]}}
    }
    return page(
        goods,
        f'<div id="root"><h1>{goods.name}</h1><div class="skeleton-price"></div></div><script>var dataLayer = [{json.dumps(layer)}];</script>',
        head=json_ld(product_ld(goods)),
    )


def variant_table(goods: Goods) -> str:
    """A table of sizes with their own prices and no price above: nobody has chosen."""
    rows = "".join(
        f'<tr><td>{size}</td><td class="price">{show(goods.cents + extra, goods.country)}</td><td><button>Add to cart</button></td></tr>'
        for size, extra in (("S", 0), ("M", 500), ("L", 900))
    )
    return page(goods, f'<div class="p"><h1>{goods.name}</h1><table class="sizes">{rows}</table></div>')


def blog_post(goods: Goods) -> str:
    """An article that praises a thing."""
    return page(
        goods,
        f'<article class="post"><h1>Why we love the {goods.name}</h1><p>It costs {goods.shown} at most shops, and {goods.was_shown} with the case.</p></article>',
        title=f"Why we love the {goods.name}",
    )


READABLE_STRANGERS = (
    beauty, marketplace, electronics_euro, grocery, spare_parts, theme_builder, old_asp, single_page_app, outlet,
    heavy_markup, aggregate, sold_out_with_price, microdata_pieces, boxed_neighbours, sticky_bar, shipping_first,
    description_amounts, booking_fee, meta_only_currency,
)  # fmt: skip
REFUSED_STRANGERS = (variant_table, blog_post)
