"""Puts a page into the crowd a real one stands in: menus of hundreds, talk between title and price, rows of others."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

import re

from bench.auto_shapes.goods import Goods, show

_HEADING = re.compile(r"</h1>")


def crowded(html: str, goods: Goods) -> str:
    """Return the page with everything around it that a saved page has."""
    html = html.replace("</head>", f"{_HEAD}</head>", 1)
    html = re.sub(r"(<body[^>]*>)", lambda found: found[1] + _menu(goods), html, count=1)
    html = _HEADING.sub(lambda found: found[0] + _talk(), html, count=1)
    return html.replace("</body>", f"{_rows(goods)}{_small_print(goods)}</body>", 1)


_HEAD = (
    '<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Organization","name":"Example Store","url":"https://example.com"},'
    '{"@type":"WebSite","name":"Example Store"},{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Home","item":"https://example.com/"}]}]}</script>'
    "<script>window.dataLayer=window.dataLayer||[];dataLayer.push({'event':'pageview','loggedIn':false});</script>"
)


def _menu(goods: Goods) -> str:
    """A menu of hundreds of words, with a promotion and an offer of the week in it."""
    groups = "".join(
        f'<li class="m-{n}"><a href="/c/{n}">Group {n}</a><ul>'
        + "".join(f'<li><a href="/c/{n}/{k}">Kind {k} of {n}</a></li>' for k in range(12))
        + "</ul></li>"
        for n in range(18)
    )
    name, amount = goods.others[-1]
    teaser = f'<div class="m-t"><a href="/p/t"><img alt="{name}"></a><p>{name}</p><p>Only {show(amount, goods.country)} this week</p></div>'
    return f'<div class="skip"><a href="#c">Skip to content</a></div><nav class="m"><ul>{groups}</ul>{teaser}</nav>'


def _talk() -> str:
    """What stands between a title and its price: stars, brand, sharing, a gallery."""
    shots = "".join(f'<button type="button" class="gl">Show picture {n}</button>' for n in range(1, 9))
    return (
        '<div class="st"><span>4.6</span> <a href="#rv">(1,204 reviews)</a> <a href="#qa">38 answered questions</a></div>'
        f'<div class="br">by <a href="/b/harbour">Harbour</a></div><div class="sh"><span>Share</span><span>Save to list</span></div><div class="gy">{shots}<p>Hover to zoom</p></div>'
        '<div class="bdg"><span>#1 Best Seller</span> <span>in Things</span> <span>300+ bought in past month</span></div>'
    )


def _rows(goods: Goods) -> str:
    """Two rows of other products, amounts outside of their links, and a block of opinions."""
    row = "".join(
        f'<div class="zz1"><a href="/q/{n}"><img alt=""></a><a href="/q/{n}" class="zz2">{name}</a><span class="zz3">4.{n}</span><div class="zz4"><span class="zz5">{show(amount, goods.country)}</span> <span class="zz6">{show(amount + 900, goods.country)}</span></div></div>'
        for n, (name, amount) in enumerate(goods.others)
    )
    opinions = "".join(
        f'<div class="op"><b>Buyer {n}</b><i>5/5</i><p>Bought for {show(goods.cents + n * 700, goods.country)} and never looked back after {n} years.</p></div>'
        for n in range(1, 4)
    )
    return f'<div class="zz0"><h2>Picked for you</h2>{row}</div><div class="ops"><h2>What buyers say</h2>{opinions}</div><div class="zz0"><h2>Others looked at</h2>{row}</div>'


def _small_print(goods: Goods) -> str:
    free, card = show(4900, goods.country), show(2500, goods.country)
    return (
        f'<div class="sp"><p>Delivery is free from {free}; below that it costs {show(490, goods.country)}.</p><p>Gift cards from {card}</p>'
        '<div class="cur"><span>USD $</span><span>EUR €</span><span>GBP £</span></div><p>© 1999-2024 Example Store, all rights reserved. VAT no. 123456789</p></div>'
    )
