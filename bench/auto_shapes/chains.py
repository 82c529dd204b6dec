"""Shops of a fifth kind: how large chains are known to mark up their pages, with goods of our own."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json
from collections.abc import Callable

from bench.auto_shapes.frame import json_ld, og, page, product_ld, related
from bench.auto_shapes.goods import Goods, show
from bench.auto_shapes.newcomers import ADD, in_box, share_of


def retail_means_now(goods: Goods) -> str:
    """A mail-order house whose name for the price of today is the retail price."""
    return in_box(
        goods,
        f'<div class="pdp_price"><div class="pdp_price__inner"><span class="pdp_price__retail-price">{goods.shown}</span></div><p class="pdp_price__tax">inkl. MwSt., zzgl. <a href="/versand">Versandkosten</a></p></div>',
    )


def original_means_now(goods: Goods) -> str:
    """Fast fashion: without a discount the only price is called original."""
    return in_box(
        goods,
        f'<div class="product-intro__head-price j-expose"><div class="product-intro__head-mainprice"><div class="original from"><span>{goods.shown}</span></div></div></div><div class="product-intro__size"><span>S</span><span>M</span><span>L</span></div>',
        button='<div class="product-intro__add"><button class="she-btn-black j-add-to-bag">ADD TO BAG</button></div>',
    )


def new_and_open_box(goods: Goods) -> str:
    """Markup with an offer for the new one and one for what came back."""
    offers = [
        {"@type": "Offer", "price": goods.number, "priceCurrency": goods.country.currency, "itemCondition": "https://schema.org/NewCondition", "availability": "https://schema.org/InStock"},
        {"@type": "Offer", "price": _less(goods, 82), "priceCurrency": goods.country.currency, "itemCondition": "https://schema.org/UsedCondition"},
        {"@type": "Offer", "price": _less(goods, 90), "priceCurrency": goods.country.currency, "itemCondition": "RefurbishedCondition"},
    ]  # fmt: skip
    return in_box(
        goods,
        '<div class="price-slot" data-loading="true"></div>',
        head=json_ld(product_ld(goods) | {"offers": offers}),
    )


def floats(goods: Goods) -> str:
    """Markup whose number was computed, with the dust of binary fractions."""
    offer = {"@type": "Offer", "price": "@@", "priceCurrency": goods.country.currency}
    text = json.dumps(product_ld(goods) | {"offers": offer}).replace(
        '"@@"', f"{goods.number}00000000000002" if "." in goods.number else goods.number
    )
    return in_box(goods, "<p>In several colours.</p>", head=f'<script type="application/ld+json">{text}</script>')  # fmt: skip


def per_piece(goods: Goods) -> str:
    """A builders' market: the price is a price per piece."""
    return in_box(
        goods,
        f'<div class="article-price"><span class="x-price"><b>{goods.shown}</b> * <span class="unit">/ Stück</span></span></div><p>Nur noch 4 Artikel im Markt</p>',
        button="<button>In den Warenkorb</button>",
        lang="de",
    )


def per_piece_small(goods: Goods) -> str:
    """Ten in a box: the price of the box, and below it what one piece comes to."""
    return in_box(
        goods,
        f'<div class="pb"><span class="pb-v">{goods.shown}</span><span class="pb-u">{share_of(goods, 10)} / Stück</span></div>',
        button="<button>In den Warenkorb</button>",
        lang="de",
    )


def auto_replenish(goods: Goods) -> str:
    """Cosmetics: once, or sent again and again for less, or in four payments."""
    return in_box(
        goods,
        f'<p class="css-1x"><span><b class="css-0">{goods.shown}</b></span> <span class="css-9">Get it for <b class="css-0">{share_of(goods, 95)}</b> (5% off) with Auto-Replenish</span></p><p class="css-k2">or 4 payments of <b>{share_of(goods, 25)}</b> with <button>Klarna</button></p>',
        button='<button data-at="add_to_basket_btn" class="css-7"><span>Add to Basket</span></button>',
    )


def ticket_price(goods: Goods) -> str:
    """Sports goods: the ticket price stands after the selling price."""
    return in_box(
        goods,
        f'<div class="pdpPrice"><span id="lblSellingPrice">{goods.shown}</span><span class="refLabel">Ticket Price</span> <span id="lblTicketPrice">{goods.was_shown}</span></div>',
    )


def maximum_retail(goods: Goods) -> str:
    """India: the maximum retail price is printed beside what one pays."""
    percent = round((goods.was_cents - goods.cents) * 100 / goods.was_cents)
    return in_box(
        goods,
        f'<div class="_price-box"><p class="_a1">{goods.shown}</p><p class="_a2">MRP <span>{goods.was_shown}</span> <span class="_a3">({percent}% OFF)</span></p><span class="_tax">inclusive of all taxes</span></div><div class="offers"><div>Best Price: <span>{share_of(goods, 88)}</span></div><ul><li>Applicable on: Orders above {show(99900, goods.country)}</li></ul></div>',
        button='<div class="pdp-add-to-bag"><span class="icon"></span>ADD TO BAG</div>',
    )


def fee_beside(goods: Goods) -> str:
    """A marketplace that adds a fee for packing, said right under the price."""
    return in_box(
        goods,
        f'<div class="Nx9bqj">{goods.shown}</div><div class="yRaY8j">{goods.was_shown}</div><div class="UkUFwK"><span>{round((goods.was_cents - goods.cents) * 100 / goods.was_cents)}% off</span></div><div class="ZOM">+ {share_of(goods, 4)} Secured Packaging Fee</div>',
        button='<button class="QqFHMw vslbG+"><svg></svg>Add to cart</button><button>Buy Now</button>',
    )


def value_of_money(goods: Goods) -> str:
    """A money element with a code, twice: for phones and for desks."""
    code = f"{goods.number} {goods.country.currency}"
    block = f'<div class="price-current__wrapper"><span class="price-current__amount"><div class="money-amount price-formatted__price-amount"><span class="money-amount__main">{code}</span></div></span></div>'
    return in_box(goods, f'<div class="product-detail-info__price">{block}</div><div class="product-detail-mobile">{block}</div>')  # fmt: skip


def tax_words_abroad(goods: Goods) -> str:
    """Two prices in a table, one of them without tax in words of the country."""
    words = {
        "cz": "bez DPH",
        "pl": "netto",
        "se": "exkl. moms",
        "dk": "ekskl. moms",
        "it": "IVA esclusa",
        "fr": "HT",
        "nl": "excl. btw",
        "de": "zzgl. MwSt.",
    }
    word = next(
        (text for host, text in words.items() if goods.country.host.endswith(f".{host}")), "excl. VAT"
    )
    return in_box(
        goods,
        f'<table class="t"><tr><td>{share_of(goods, 83)} {word}</td></tr><tr><td><strong>{goods.shown}</strong></td></tr></table>',
    )


def delivery_around(goods: Goods) -> str:
    """The price stands in a block that is named after the delivery."""
    return in_box(
        goods,
        f'<div class="fulfillment-and-delivery-panel"><div class="price-display"><span class="price">{goods.shown}</span></div><div>Delivered by Friday</div><div>Pick up today</div>{ADD}</div>',
        button="",
    )


def in_a_modal(goods: Goods) -> str:
    """A quick view saved as a page: everything is in a dialog."""
    return page(
        goods,
        f'<div class="modal show" role="dialog"><div class="modal-body"><div class="product-details"><h2 class="product-name">{goods.name}</h2><div class="product-price">{goods.shown}</div>{ADD}</div></div></div>',
    )


def far_apart(goods: Goods) -> str:
    """Title on top of everything, then pictures, opinions and questions, then the box with the price."""
    shots = "".join(f"<li><button>Picture {n} of 24</button><span>Zoom {n}</span></li>" for n in range(24))
    facts = "".join(f"<li><b>Fact {n}</b><span>Nothing but {n} words</span></li>" for n in range(40))
    return page(
        goods,
        f'<div class="wrap"><div class="top"><h1>{goods.name}</h1><a href="#r">1,204 ratings</a></div><div class="shots"><ul>{shots}</ul></div><div class="facts"><ul>{facts}</ul></div><aside class="buy"><div class="k1"><span class="k2">{goods.shown}</span></div>{ADD}</aside></div>',
        after=related(goods, style="obfuscated"),
    )


def cards_beside_links(goods: Goods) -> str:
    """Neighbours whose amounts stand outside of their links, under names that say nothing."""
    cards = "".join(
        f'<div class="u-1"><a href="/i/{n}"><img alt="{name}"></a><div class="u-2"><a href="/i/{n}">{name}</a></div><div class="u-3">{show(amount, goods.country)}</div></div>'
        for n, (name, amount) in enumerate(goods.others[:2])
    )
    return page(
        goods,
        f'<div class="u-0"><h1>{goods.name}</h1><div class="u-4"><div class="u-5">{goods.shown}</div>{ADD}</div></div><div class="u-6"><h3>Goes well with</h3>{cards}</div>',
    )


def two_cards_before_button(goods: Goods) -> str:
    """Two things to add stand between the price and its button."""
    cards = "".join(
        f'<div class="row-x"><span class="nm">{name}</span><span class="amt">{show(amount, goods.country)}</span><button>Add</button></div>'
        for name, amount in goods.others[:2]
    )
    return in_box(
        goods,
        f'<div class="price-block"><span class="amt-now">{goods.shown}</span></div><div class="extras"><p>Add to your order</p>{cards}</div>',
    )


def choose_storage(goods: Goods) -> str:
    """Sizes as tiles with their amounts; the chosen one is the price above."""
    tiles = "".join(
        f'<li class="sz{" is-on" if part == 100 else ""}"><button aria-pressed="{"true" if part == 100 else "false"}"><span>{size} GB</span><span class="sz-p">{share_of(goods, part)}</span></button></li>'
        for size, part in ((64, 80), (128, 100), (256, 120))
    )
    return in_box(goods, f'<div class="pp"><span class="pp-main">{goods.shown}</span></div><ul class="szs">{tiles}</ul>')  # fmt: skip


def store_prices(goods: Goods) -> str:
    """What it costs in shops near by stands in a list."""
    rows = "".join(
        f"<li><span>Branch {n}</span><span>{share_of(goods, 100 + n)}</span><span>In stock</span></li>"
        for n in (2, 3)
    )
    return in_box(goods, f'<div class="offer-price"><strong>{goods.shown}</strong></div><div class="branches"><h4>In our branches</h4><ul>{rows}</ul></div>')  # fmt: skip


def strike_price_spec(goods: Goods) -> str:
    """Markup with a list of specifications: crossed out, per litre, and the price."""
    spec = [
        {"@type": "UnitPriceSpecification", "priceType": "https://schema.org/StrikethroughPrice", "price": goods.was_number, "priceCurrency": goods.country.currency},
        {"@type": "UnitPriceSpecification", "price": _less(goods, 40), "priceCurrency": goods.country.currency, "referenceQuantity": {"@type": "QuantitativeValue", "value": 1, "unitCode": "LTR"}},
        {"@type": "UnitPriceSpecification", "price": goods.number, "priceCurrency": goods.country.currency},
    ]  # fmt: skip
    offer = {"@type": "Offer", "priceSpecification": spec, "availability": "InStock"}
    return in_box(goods, '<div class="ssr-pending"></div>', head=json_ld(product_ld(goods) | {"offers": offer}))  # fmt: skip


def seller_offers(goods: Goods) -> str:
    """An aggregate of many sellers; the page shows the first of them in its box, others below."""
    offers = {
        "@type": "AggregateOffer",
        "lowPrice": _less(goods, 90),
        "highPrice": _less(goods, 130),
        "offerCount": 7,
        "priceCurrency": goods.country.currency,
    }
    rows = "".join(
        f'<tr class="sel"><td>Seller {n}</td><td class="sel-p">{share_of(goods, part)}</td><td><button>Add to cart</button></td></tr>'
        for n, part in enumerate((90, 110, 130))
    )
    return in_box(
        goods,
        f'<div class="main-offer"><span class="main-offer-price">{goods.shown}</span> sold by Harbour Goods</div>',
        head=json_ld(product_ld(goods) | {"offers": offers}),
        after=f'<section class="all-offers"><h2>All offers</h2><table>{rows}</table></section>',
    )


def only_og(goods: Goods) -> str:
    """A hashed application with the price in OpenGraph, and a lower amount for members in the page."""
    return in_box(
        goods,
        f'<div class="q-1"><span class="q-2">{goods.shown}</span></div><div class="q-3"><span>Club price</span> <span class="q-2b">{share_of(goods, 90)}</span></div>',
        head=og(goods, "product"),
    )


def told_to_ears(goods: Goods) -> str:
    """Hashed names; what styles show to eyes is said to ears."""
    return in_box(
        goods,
        f'<p class="w1" aria-label="current price {goods.shown}">{goods.shown}</p><p class="w2" aria-label="original price {goods.was_shown}">{goods.was_shown}</p>',
    )


def only_a_plan(goods: Goods) -> str:
    """The price comes late, by script; a plan to protect it and a box for gifts are there already."""
    return in_box(
        goods,
        f'<div class="v1"></div><div class="v2"><p>Add protection</p><label><input type="checkbox"> 2-Year plan <span class="v3">{share_of(goods, 12)}</span></label></div><div class="v4"><span>Gift box</span> <span>{show(499, goods.country)}</span></div>',
    )


def only_a_neighbour(goods: Goods) -> str:
    """The price comes late, and one other product is shown already."""
    name, amount = goods.others[0]
    card = f'<div class="n1"><a href="/x/1"><img alt=""></a><a href="/x/1">{name}</a><div class="price">{show(amount, goods.country)}</div></div>'
    return page(goods, f'<div class="n0"><h1>{goods.name}</h1>{ADD}</div><div class="n2">{card}</div>')


def _less(goods: Goods, part: int) -> str:
    cents = goods.cents * part // 100
    return f"{cents // 100}" if goods.country.digits == 0 else f"{cents // 100}.{cents % 100:02d}"


CHAINS: tuple[Callable[[Goods], str], ...] = (
    retail_means_now, original_means_now, new_and_open_box, floats, per_piece, per_piece_small, auto_replenish,
    ticket_price, maximum_retail, fee_beside, value_of_money, tax_words_abroad, delivery_around, in_a_modal, far_apart,
    cards_beside_links, two_cards_before_button, choose_storage, store_prices, strike_price_spec, seller_offers, only_og,
    told_to_ears,
)  # fmt: skip
REFUSED_CHAINS: tuple[Callable[[Goods], str], ...] = (only_a_plan, only_a_neighbour)
