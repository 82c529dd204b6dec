"""What stands around every product: menus, carts, banners, other products, reviews, and prices of all of them."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import json
from typing import Any

from bench.auto_shapes.goods import Goods, show


def page(
    goods: Goods,
    main: str,
    *,
    head: str = "",
    body_class: str = "",
    lang: str = "en",
    after: str = "",
    title: str | None = None,
) -> str:
    """Return the whole page."""
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title or goods.name} | Example Store</title>{head}</head>'
        f'<body class="{body_class}">{header(goods)}{main}{after}{footer(goods)}</body></html>'
    )


def json_ld(value: Any) -> str:
    """Return a block of JSON-LD."""
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def product_ld(
    goods: Goods, price: str | None = None, *, availability: str = "InStock", **more: Any
) -> dict[str, Any]:
    """Return the usual Product with one Offer."""
    offer = {
        "@type": "Offer",
        "price": price or goods.number,
        "priceCurrency": goods.country.currency,
        "availability": f"https://schema.org/{availability}",
    }
    return {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": goods.name,
        "sku": goods.sku,
        "offers": offer,
    } | more


def og(goods: Goods, prefix: str = "og", *, cents: int | None = None) -> str:
    """Return the price tags of OpenGraph."""
    amount = goods.number if cents is None else f"{cents // 100}.{cents % 100:02d}"
    return (
        f'<meta property="og:type" content="product"><meta property="og:title" content="{goods.name}">'
        f'<meta property="{prefix}:price:amount" content="{amount}">'
        f'<meta property="{prefix}:price:currency" content="{goods.country.currency}">'
    )


def header(goods: Goods) -> str:
    """Return a header with a small cart and a promise about shipping."""
    zero, free = show(0, goods.country), show(5000, goods.country)
    return (
        f'<div class="announcement-bar"><p>Free delivery on orders over {free}</p></div>'
        '<header class="site-header" role="banner"><a class="logo" href="/"><img alt="Example Store" src="/l.png"></a>'
        '<nav><ul><li><a href="/new">New</a></li><li><a href="/sale">Sale up to 50% off</a></li></ul></nav>'
        f'<div class="mini-cart"><span class="cart-count">0</span><span class="subtotal"><span class="price">{zero}</span></span></div></header>'
        '<ol class="breadcrumb"><li><a href="/">Home</a></li><li><a href="/c">Things</a></li></ol>'
    )


def footer(goods: Goods) -> str:
    """Return a footer that speaks of money as well."""
    ten = show(1000, goods.country)
    return (
        f'<footer class="footer"><form><label>Join and get {ten} off your first order</label><input type="email">'
        '<button type="submit">Sign up</button></form><p>© 2021 Example Store, 12 Harbour Road</p></footer>'
        '<div class="cookie-banner">We use cookies to make this site work. <button>Accept</button></div>'
    )


def related(goods: Goods, *, style: str = "woo", heading: str = "You may also like") -> str:
    """Return a row of other products, in one of several builds."""
    card = {
        "woo": _woo,
        "shopify": _shopify,
        "plain": _plain,
        "magento": _magento,
        "obfuscated": _obfuscated,
    }[style]
    cards = "".join(
        card(name, show(cents, goods.country), show(cents + 1000, goods.country))
        for name, cents in goods.others
    )
    wrapper = {
        "woo": "related products",
        "shopify": "product-recommendations",
        "plain": "c-list",
        "magento": "block upsell",
        "obfuscated": "x7Ga1",
    }[style]
    return f'<section class="{wrapper}"><h2>{heading}</h2><ul>{cards}</ul></section>'


def _woo(name: str, price: str, was: str) -> str:
    return (
        f'<li class="product type-product"><a href="/product/{len(name)}/" class="woocommerce-LoopProduct-link"><h2 class="woocommerce-loop-product__title">{name}</h2>'
        f'<span class="price"><del><span class="woocommerce-Price-amount amount"><bdi>{was}</bdi></span></del> <ins><span class="woocommerce-Price-amount amount"><bdi>{price}</bdi></span></ins></span></a>'
        f'<a href="?add-to-cart={len(name)}" class="button add_to_cart_button">Add to cart</a></li>'
    )


def _shopify(name: str, price: str, was: str) -> str:
    return (
        f'<li class="grid__item"><div class="card-wrapper"><a href="/products/{len(name)}" class="full-unstyled-link">{name}</a>'
        f'<div class="price"><span class="price-item price-item--regular">{price}</span></div></div></li>'
    )


def _plain(name: str, price: str, was: str) -> str:
    return f'<li><a href="/p/{len(name)}"><img alt="{name}"><span>{name}</span> <b>{price}</b></a></li>'


def _magento(name: str, price: str, was: str) -> str:
    return (
        f'<li class="item product product-item"><strong class="product name product-item-name"><a href="/{len(name)}.html">{name}</a></strong>'
        f'<div class="price-box price-final_price"><span class="price-container"><span class="price-wrapper"><span class="price">{price}</span></span></span></div>'
        '<button type="submit" title="Add to Cart" class="action tocart primary"><span>Add to Cart</span></button></li>'
    )


def _obfuscated(name: str, price: str, was: str) -> str:
    return f'<li class="k2 _9f"><a class="q1" href="/i/{len(name)}"><div class="t_a">{name}</div><div class="z3"><span class="b_1">{price}</span> <span class="b_2">{was}</span></div></a></li>'


def reviews(goods: Goods) -> str:
    """Return opinions of buyers, who name amounts too."""
    much = show(goods.was_cents + 1500, goods.country)
    return (
        '<section id="reviews" class="product-reviews"><h3>Reviews (128)</h3><div class="review"><span class="rating">4.5</span>'
        f"<p>Paid {much} for the same thing elsewhere. Worth it, 10/10.</p></div></section>"
    )
