"""Pages that tempt a reader: homemade layouts, contradictions, ranges, and things that are no product at all."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json

from bench.auto_shapes.frame import json_ld, og, page, product_ld, related
from bench.auto_shapes.goods import Goods, number, show

BUY = '<form action="/cart"><button type="submit">Add to cart</button></form>'


def homemade(goods: Goods) -> str:
    """A small shop without any naming."""
    return page(
        goods,
        f"<div><h1>{goods.name}</h1><p>A fine thing. Weighs 2.50 kg, 30 cm tall.</p><p><b>{goods.shown}</b></p>{BUY}</div>",
    )


def old_tables(goods: Goods) -> str:
    """A shop of the nineties."""
    return page(
        goods,
        f'<table><tr><td><font size="5"><h1>{goods.name}</h1></font></td></tr><tr><td>Item # {goods.sku}</td></tr><tr><td>Our Price: <font color="red">{goods.shown}</font></td></tr><tr><td>Retail Price: {goods.was_shown}</td></tr><tr><td>You Save: {show(goods.was_cents - goods.cents, goods.country)}</td></tr><tr><td><input type="submit" value="Add to Basket"></td></tr></table>{related(goods, style="plain")}',
    )


def hashed_names(goods: Goods) -> str:
    """Generated class names only."""
    return page(
        goods,
        f'<div class="css-1x"><div class="css-2b"><h1 class="css-9q">{goods.name}</h1><div class="css-77"><span class="css-ab1">{goods.shown}</span></div><div class="css-0p"><button class="css-b1">Add to bag</button></div></div></div>{related(goods, style="obfuscated")}',
    )


def rdfa(goods: Goods) -> str:
    """RDFa around the visible amount."""
    return page(
        goods,
        f'<div vocab="http://schema.org/" typeof="Product"><h1 property="name">{goods.name}</h1><div property="offers" typeof="Offer"><meta property="priceCurrency" content="{goods.country.currency}"><span property="price" content="{goods.number}">{goods.shown}</span><link property="availability" href="http://schema.org/InStock"></div>{BUY}</div>{related(goods, style="plain")}',
    )


def raised_cents(goods: Goods) -> str:
    """Cents in a sup without a point."""
    whole, _, cents = f"{goods.cents // 100}", "", f"{goods.cents % 100:02d}"
    return page(
        goods,
        f'<div class="item"><h1>{goods.name}</h1><div class="item-price">{goods.country.before}<span>{whole}</span><sup>{cents}</sup>{goods.country.after}</div>{BUY}</div>{related(goods, style="plain")}',
    )


def with_and_without_tax(goods: Goods) -> str:
    """Both prices side by side, the markup with tax."""
    net = int(goods.cents / 1.2)
    return page(
        goods,
        f'<div class="pdp"><h1>{goods.name}</h1><div class="price-block"><span class="price-inc">{goods.shown} <small>inc VAT</small></span> <span class="price-ex">{show(net, goods.country)} <small>ex VAT</small></span></div>{BUY}</div>',
        head=json_ld(product_ld(goods)),
    )


def markup_before_tax(goods: Goods) -> str:
    """Markup with a fraction of a cent, before tax; the page shows what one pays."""
    return page(
        goods,
        f'<div class="pdp"><h1>{goods.name}</h1><span class="price">{goods.shown}</span>{BUY}</div>',
        head=json_ld(product_ld(goods, f"{goods.cents / 120:.4f}7")),
    )


def markup_of_regular_price(goods: Goods) -> str:
    """Markup still names the price the page crosses out."""
    return page(
        goods,
        f'<div class="pdp"><h1>{goods.name}</h1><div class="prices"><span class="price price-sale">{goods.shown}</span> <span class="price price-old">{goods.was_shown}</span></div>{BUY}</div>',
        head=json_ld(product_ld(goods, goods.was_number)),
    )


def only_state(goods: Goods) -> str:
    """An empty shell whose state names the product."""
    state = {
        "page": {
            "product": {
                "title": goods.name,
                "sku": goods.sku,
                "price": {
                    "value": float(goods.number) if "." in goods.number else goods.number + ".00",
                    "currency": goods.country.currency,
                },
            }
        }
    }
    return page(
        goods,
        f'<div id="app"><h1>{goods.name}</h1></div><script>window.__INITIAL_STATE__ = {json.dumps(state)};</script>',
    )


def hidden_amounts(goods: Goods) -> str:
    """Prices of other variants wait in hidden boxes."""
    hidden = "".join(
        f'<div class="variant-price" style="display:none">{show(cents, goods.country)}</div>'
        for _, cents in goods.others[:3]
    )
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1>{hidden}<div class="variant-price">{goods.shown}</div>{BUY}</div>',
    )


def options_with_prices(goods: Goods) -> str:
    """One chosen variant, the others in a list to choose from."""
    options = "".join(
        f"<option>{name} - {show(cents, goods.country)}</option>" for name, cents in goods.others[:4]
    )
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1><span class="product-price" id="price">{goods.shown}</span><select name="variant"><option selected>Small</option>{options}</select>{BUY}</div>',
    )


def many_products_stated(goods: Goods) -> str:
    """Markup of the neighbours beside the markup of the product."""
    blocks = [product_ld(goods)] + [
        {
            "@type": "Product",
            "name": name,
            "offers": {
                "@type": "Offer",
                "price": number(cents, goods.country),
                "priceCurrency": goods.country.currency,
            },
        }
        for name, cents in goods.others
    ]
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><span class="price">{goods.shown}</span>{BUY}</div>{related(goods, style="shopify")}',
        head="".join(json_ld(each) for each in blocks),
    )


def only_meta(goods: Goods) -> str:
    """The price stands in meta tags and nowhere else."""
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="price-placeholder"></div>{BUY}</div>',
        head=og(goods, "product"),
    )


def bare_number(goods: Goods) -> str:
    """A number without a sign; the currency stands in a meta tag."""
    head = f'<meta property="product:price:currency" content="{goods.country.currency}">'
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="product-price"><span class="value">{goods.number}</span></div>{BUY}</div>',
        head=head,
    )


def coupon(goods: Goods) -> str:
    """A coupon and points beside the price."""
    return page(
        goods,
        f'<div class="p"><h1>{goods.name}</h1><div class="price">{goods.shown}</div><p>Use code HELLO for {show(500, goods.country)} off. Earn {show(120, goods.country)} in points.</p><p>Only {show(goods.cents - 500, goods.country)} with coupon</p>{BUY}</div>',
    )


READABLE = (
    homemade, old_tables, hashed_names, rdfa, raised_cents, with_and_without_tax, markup_before_tax,
    markup_of_regular_price, only_state, hidden_amounts, options_with_prices, many_products_stated, only_meta,
    bare_number, coupon,
)  # fmt: skip


def price_range(goods: Goods) -> str:
    """A range, nothing chosen."""
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1><p class="price">{goods.shown} – {goods.was_shown}</p><select><option>Choose</option></select>{BUY}</div>',
    )


def from_price(goods: Goods) -> str:
    """Only what it starts from."""
    return page(
        goods, f'<div class="product"><h1>{goods.name}</h1><p class="price">From {goods.shown}</p>{BUY}</div>'
    )


def markup_disagrees(goods: Goods) -> str:
    """Markup names an amount the page shows nowhere."""
    other = number(goods.was_cents + 777 * 100, goods.country)
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1><p class="price">{goods.shown}</p>{BUY}</div>',
        head=json_ld(product_ld(goods, other)),
    )


def two_equal_prices(goods: Goods) -> str:
    """Two amounts built alike, and nothing to tell them apart."""
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1><span class="price">{goods.shown}</span><span class="price">{goods.was_shown}</span>{BUY}</div>',
    )


def variants_without_choice(goods: Goods) -> str:
    """Markup lists variants; the page shows none of their prices."""
    offers = [
        {
            "@type": "Offer",
            "sku": f"{goods.sku}{i}",
            "price": number(goods.cents + i * 1100, goods.country),
            "priceCurrency": goods.country.currency,
        }
        for i in range(3)
    ]
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1><p>Choose your size</p>{BUY}</div>',
        head=json_ld(product_ld(goods) | {"offers": offers}),
    )


def listing(goods: Goods) -> str:
    """A category, not a product."""
    return page(
        goods,
        f"<main><h1>All things</h1>{related(goods, style='woo', heading='')}</main>",
        title="All things",
    )


def gone(goods: Goods) -> str:
    """A removed product that offers others instead."""
    return page(
        goods,
        f"<main><h1>This product is no longer available</h1>{related(goods, style='shopify', heading='You might like')}</main>",
        title="Not found",
    )


def call_us(goods: Goods) -> str:
    """No price, but neighbours have one."""
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1><p class="price">Call for price</p></div>{related(goods, style="shopify")}',
    )


def sold_out_hidden(goods: Goods) -> str:
    """Sold out, the price is gone."""
    return page(
        goods,
        f'<div class="product"><h1>{goods.name}</h1><p class="stock">Out of stock</p><button disabled class="add-to-cart">Sold out</button></div>{related(goods, style="plain")}',
    )


REFUSED = (
    price_range, from_price, markup_disagrees, two_equal_prices, variants_without_choice, listing, gone, call_us,
    sold_out_hidden,
)  # fmt: skip
