"""Shops of a fourth kind, written after the reader had been mended for the third and before it was tried on these."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json
from collections.abc import Callable

from bench.auto_shapes.frame import json_ld, og, page, product_ld, related
from bench.auto_shapes.goods import Goods, digits, show
from bench.auto_shapes.newcomers import ADD, in_box, share_of


def seen_before(goods: Goods) -> str:
    """What was looked at before stands above the product."""
    row = "".join(
        f'<div class="rv-item"><a href="/p/{n}">{name}</a><div class="rv-price">{show(amount, goods.country)}</div></div>'
        for n, (name, amount) in enumerate(goods.others[:3])
    )
    return page(
        goods,
        f'<div class="rv"><h4>Recently viewed</h4>{row}</div><div class="pd"><h1>{goods.name}</h1><div class="pd-price">{goods.shown}</div>{ADD}</div>',
        after=related(goods),
    )


def full_cart(goods: Goods) -> str:
    """A small cart with things in it, in the header of the page."""
    lines = "".join(
        f'<li>{name} <span class="price">{show(amount, goods.country)}</span></li>'
        for name, amount in goods.others[:2]
    )
    return page(
        goods,
        f'<div class="minicart-dropdown"><ul>{lines}</ul><div class="minicart-total">Total <span class="price">{show(sum(a for _, a in goods.others[:2]), goods.country)}</span></div><a href="/checkout">Checkout</a></div><section class="product"><h1>{goods.name}</h1><p class="price">{goods.shown}</p>{ADD}</section>',
        after=related(goods, style="shopify"),
    )


def talkative(goods: Goods) -> str:
    """A description that speaks of money before the price does."""
    return in_box(
        goods,
        f'<div class="short-description"><p>Why pay {share_of(goods, 180)} elsewhere? Over {show(100000, goods.country)} raised for the harbour. Call 0800 123 456, item no. 4999.</p></div><div class="cost"><span>{goods.shown}</span></div>',
    )


def in_the_button(goods: Goods) -> str:
    """The price is on the button, and nowhere else."""
    return in_box(
        goods,
        '<div class="opts"><label>Colour <select><option>Blue</option></select></label></div>',
        button=f'<button type="submit" class="atc"><span>Add to cart</span> <span>–</span> <span>{goods.shown}</span></button>',
        head=og(goods),
    )


def code_after(goods: Goods) -> str:
    """The code of the currency instead of its sign."""
    return in_box(
        goods,
        f'<div class="product-price"><span>{digits(goods.cents, goods.country)} {goods.country.currency}</span></div><p>Shipping {digits(999, goods.country)} {goods.country.currency}</p>',
    )


def data_element(goods: Goods) -> str:
    """An element made for values."""
    return in_box(
        goods,
        f'<p>Price: <data value="{goods.number}">{goods.shown}</data></p><p>RRP: <data value="{goods.was_number}">{goods.was_shown}</data></p>',
    )


def definition_list(goods: Goods) -> str:
    """Terms and their amounts."""
    return in_box(
        goods,
        f"<dl><dt>List price</dt><dd>{goods.was_shown}</dd><dt>Our price</dt><dd>{goods.shown}</dd><dt>You save</dt><dd>{show(goods.was_cents - goods.cents, goods.country)}</dd><dt>Postage</dt><dd>{show(350, goods.country)}</dd></dl>",
    )


def by_quantity(goods: Goods) -> str:
    """A table of quantities is all there is; one costs what the first row says."""
    return in_box(
        goods,
        f'<div class="price-main">{goods.shown} <small>each</small></div><table class="qty-breaks"><tr><th>Qty</th><th>Price</th></tr><tr><td>1 - 4</td><td>{goods.shown}</td></tr><tr><td>5 - 9</td><td>{share_of(goods, 95)}</td></tr><tr><td>10+</td><td>{share_of(goods, 90)}</td></tr></table>',
    )


def options_add(goods: Goods) -> str:
    """Options say what they add."""
    return in_box(
        goods,
        f'<span class="pp">{goods.shown}</span><select name="size"><option>Small</option><option>Large (+{show(500, goods.country)})</option></select><label><input type="checkbox"> Gift box +{show(350, goods.country)}</label>',
    )


def deposit_now(goods: Goods) -> str:
    """Reserved with a deposit; the price is said beside it."""
    return in_box(
        goods,
        f'<div class="full-price">Price: <b>{goods.shown}</b></div><div class="dep">Pre-order today with a {show(1000, goods.country)} deposit</div>',
        button="<button>Pre-order now</button>",
        head=json_ld(product_ld(goods, availability="PreOrder")),
    )


def accessories(goods: Goods) -> str:
    """Accessories to tick, between the price and the button."""
    extras = "".join(
        f'<li><label><input type="checkbox"> {name} <span class="acc-price">{show(amount, goods.country)}</span></label></li>'
        for name, amount in goods.others[:3]
    )
    return in_box(
        goods,
        f'<div class="final-price">{goods.shown}</div><div class="accessories"><h4>Add an accessory</h4><ul>{extras}</ul></div>',
    )


def other_sellers(goods: Goods) -> str:
    """The chosen seller, and how many others from how much."""
    return in_box(
        goods,
        f'<div class="offer-main"><span class="value">{goods.shown}</span><span class="seller">Sold by Harbour Ltd</span></div><a href="/offers">3 other sellers from {share_of(goods, 93)}</a><div>Delivery {show(399, goods.country)}</div>',
    )


def two_for(goods: Goods) -> str:
    """A promotion for two."""
    return in_box(
        goods, f'<div class="promo">2 for {share_of(goods, 180)}</div><div class="rtl">{goods.shown}</div>'
    )


def with_trade_in(goods: Goods) -> str:
    """A telephone: full price, with trade-in, by the month."""
    return in_box(
        goods,
        f'<div class="cfg"><div><span class="p1">{goods.shown}</span></div><div>or {share_of(goods, 4)}/mo. for 24 mo.*</div><div>Get {share_of(goods, 40)} off with an eligible trade-in</div></div>',
        head=json_ld(product_ld(goods)),
    )


def state_only(goods: Goods) -> str:
    """A page that scripts will fill, with everything in its state."""
    state = json.dumps(
        {
            "props": {
                "pageProps": {
                    "product": {
                        "id": goods.sku,
                        "name": goods.name,
                        "price": {"value": float(goods.number), "currency": goods.country.currency},
                        "related": [
                            {"name": name, "price": {"value": amount / 100}} for name, amount in goods.others
                        ],
                    }
                }
            }
        }
    )
    return page(
        goods,
        f'<div id="__next"><h1>{goods.name}</h1><div class="skeleton"></div></div><script id="__NEXT_DATA__" type="application/json">{state}</script>',
        head=og(goods),
    )


def compared(goods: Goods) -> str:
    """A table that compares it with its like."""
    heads = "".join(f"<th>{name}</th>" for name, _ in goods.others[:3])
    cells = "".join(
        f'<td><span class="price">{show(amount, goods.country)}</span></td>' for _, amount in goods.others[:3]
    )
    return in_box(
        goods,
        f'<div class="hero-price">{goods.shown}</div>',
        after=f'<section class="compare"><h2>Compare with similar items</h2><table><tr><th></th><th>This item</th>{heads}</tr><tr><th>Price</th><td><span class="price">{goods.shown}</span></td>{cells}</tr></table></section>',
    )


def two_headings(goods: Goods) -> str:
    """One heading for phones and one for desks, each with its price."""
    block = f'<h1>{goods.name}</h1><div class="px"><span>{goods.shown}</span><span class="px-old" style="text-decoration:line-through">{goods.was_shown}</span></div>'
    return page(
        goods,
        f'<div class="d-md-none">{block}</div><div class="d-none d-md-block">{block}{ADD}</div>',
        after=related(goods, style="obfuscated"),
    )


def voucher(goods: Goods) -> str:
    """A code takes something off; the price is the one before it."""
    return in_box(
        goods,
        f'<div class="pdp__price"><span>{goods.shown}</span></div><div class="pdp__code">{share_of(goods, 85)} with code HARBOUR15</div>',
    )


def loyalty(goods: Goods) -> str:
    """Those with a card pay less."""
    return in_box(
        goods,
        f'<div class="pricing"><span class="pricing__std">{goods.shown}</span><span class="pricing__card">{share_of(goods, 88)} with card</span></div>',
    )


def spaced(goods: Goods) -> str:
    """Blanks of every kind around the digits."""
    return in_box(
        goods,
        f'<div class="prod-price">&nbsp;{goods.shown.replace(" ", "&nbsp;")}&#8239; </div><div class="note">&nbsp;&nbsp;incl. VAT</div>',
    )


def from_per_month_only(goods: Goods) -> str:
    """Only what it costs by the month."""
    return in_box(
        goods,
        f'<div class="lease-price">{goods.shown} per month</div>',
        button="<button>Request a lease</button>",
    )


def between(goods: Goods) -> str:
    """Two ends of a range, said in words."""
    return in_box(
        goods,
        f'<div class="price">Between {share_of(goods, 50)} and {goods.shown}</div><p>Choose a size to see its price.</p>',
        button="",
    )


LATECOMERS: tuple[Callable[[Goods], str], ...] = (
    *(
        seen_before,
        full_cart,
        talkative,
        in_the_button,
        code_after,
        data_element,
        definition_list,
        by_quantity,
    ),
    *(
        options_add,
        deposit_now,
        accessories,
        other_sellers,
        two_for,
        with_trade_in,
        state_only,
        compared,
        two_headings,
    ),
    *(voucher, loyalty, spaced),
)
REFUSED_LATECOMERS: tuple[Callable[[Goods], str], ...] = (from_per_month_only, between)
