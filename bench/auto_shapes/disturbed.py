"""Disturbs a page without changing what it costs: misleading names, rows of others, lost headings, talk, a full cart."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import random
import re
from collections.abc import Callable

from bench.auto_shapes.goods import Goods, show

_WRAPPERS = (
    "modal-content page", "tab-pane popup-holder", "featured-item", "page-with-sidebar", "recommended-layout",
    "shop-the-look-page", "container promo", "slider-page", "product-compare-page", "details-card", "l-grid products",
    "option-a", "bundle-page", "quick-view-page", "search-results-item", "ajax-cart-wrapper", "alternative-layout",
    "history-page", "collection-detail",
)  # fmt: skip
_COLUMNS = (
    "promo", "offer", "deal", "delivery-info", "loyalty", "discount", "finance", "list", "compare", "featured", "popular",
    "bundle", "credit", "member", "bonus", "selected-variant", "shipping-col", "recent", "other", "tile", "slide", "label",
    "total", "summary", "cart-info", "regular", "original", "base",
)  # fmt: skip
_DATA = re.compile(r' (?:data-[\w-]+|itemprop|automation-id)="[^"]*"')
_H1 = re.compile(r"(<h1[^>]*>)([^<]+)(</h1>)")
_HEADER_END, _OPINIONS = "</header>", '<div class="rv">'


def disturbed(html: str, goods: Goods, *, ways: int, seed: str) -> str:
    """Return the page after so many disturbances, chosen by the seed."""
    dice = random.Random(seed)
    for disturb in dice.sample(_WAYS, ways):
        html = disturb(html, goods, dice)
    return html


def _wrap(html: str, goods: Goods, dice: random.Random) -> str:
    opening = f'{_HEADER_END}<div class="{dice.choice(_WRAPPERS)}"><div class="inner">'
    return html.replace(_HEADER_END, opening, 1).replace(_OPINIONS, f"</div></div>{_OPINIONS}", 1)


def _misname_column(html: str, goods: Goods, dice: random.Random) -> str:
    if "</h1>" not in html:
        return html
    return html.replace("</h1>", f'</h1><div class="{dice.choice(_COLUMNS)}">', 1).replace(
        "<button", "</div><button", 1
    )


def _without_data(html: str, goods: Goods, dice: random.Random) -> str:
    return _DATA.sub("", html)


def _row_before(html: str, goods: Goods, dice: random.Random) -> str:
    cards = "".join(
        f'<div class="k1"><a href="/z/{n}"><img alt=""></a><h3 class="k2"><a href="/z/{n}">{name}</a></h3><div class="k3"><span class="price">{show(cents, goods.country)}</span></div></div>'
        for n, (name, cents) in enumerate(goods.others)
    )
    return html.replace(_HEADER_END, f'{_HEADER_END}<div class="k0">{cards}</div>', 1)


def _row_after(html: str, goods: Goods, dice: random.Random) -> str:
    cards = "".join(
        f'<li class="k1"><img alt=""><p class="k2">{name}</p><p class="k3">{show(cents, goods.country)}</p></li>'
        for name, cents in goods.others
    )
    return html.replace(_OPINIONS, f'<ul class="k0">{cards}</ul>{_OPINIONS}', 1)


def _talk(html: str, goods: Goods, dice: random.Random) -> str:
    facts = "".join(f"<p>Fact {n}: it is sturdy.</p>" for n in range(25))
    return html.replace("</h1>", f"</h1>{facts}", 1)


def _full_cart(html: str, goods: Goods, dice: random.Random) -> str:
    name, cents = goods.others[2]
    price = f'<span class="price">{show(cents, goods.country)}</span>'
    cart = f'<div class="hc"><ul><li><a href="/z/9">{name}</a> {price}</li></ul><p>Subtotal {price}</p></div>'
    return html.replace(_HEADER_END, f"{cart}{_HEADER_END}", 1)


def _shipping_first(html: str, goods: Goods, dice: random.Random) -> str:
    line = f"<p>Delivery {show(495, goods.country)}, free over {show(5000, goods.country)}</p>"
    return html.replace("</h1>", f"</h1>{line}", 1)


def _without_heading(html: str, goods: Goods, dice: random.Random) -> str:
    return html.replace("<h1", "<div class='headline-xl'").replace("</h1>", "</div>")


def _heading_in_spans(html: str, goods: Goods, dice: random.Random) -> str:
    return _H1.sub(r"\1<span><span>\2</span></span>\3", html)


def _loud_heading(html: str, goods: Goods, dice: random.Random) -> str:
    return _H1.sub(lambda found: found[1] + found[2].upper() + found[3], html)


def _seen_before(html: str, goods: Goods, dice: random.Random) -> str:
    name, cents = goods.others[3]
    block = f'<div class="u1"><p class="u2">Last one you looked at</p><div class="u3"><a href="/z/4">{name}</a> {show(cents, goods.country)}</div></div>'
    return html.replace(_OPINIONS, f"{block}{_OPINIONS}", 1)


_WAYS: tuple[Callable[[str, Goods, random.Random], str], ...] = (
    _wrap, _misname_column, _without_data, _row_before, _row_after, _talk, _full_cart, _shipping_first,
    _without_heading, _heading_in_spans, _loud_heading, _seen_before,
)  # fmt: skip
