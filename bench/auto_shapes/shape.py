"""A made-up page with everything a careful person reads from it, and the noise a saved page comes with."""

# ruff: noqa: E501 - a tag is easier to compare with a real one when it stays on its line

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.auto_shapes.goods import Goods, show

Build = Callable[[Goods], str]


@dataclass(frozen=True, slots=True)
class Shape:
    """How a page is built, where its shop is, and what is true about it."""

    build: Build
    country: str
    is_priced: bool = True
    availability: str | None = "in_stock"
    has_sku: bool = False
    address: str = ""  # replaces the page's own path; {sku} stands for the number

    @property
    def name(self) -> str:
        """What the page is called in a report."""
        return self.build.__name__

    def url(self, goods: Goods) -> str:
        """Where the page would stand."""
        if not self.address:
            return goods.url
        return f"https://{goods.country.host}{self.address.format(sku=goods.sku)}"


class Round:
    """The pages of one round, in the order they were written."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []

    def __call__(
        self, country: str = "us", *, availability: str | None = "in_stock", sku: bool = False, address: str = "",
        is_priced: bool = True,
    ) -> Callable[[Build], Build]:  # fmt: skip
        """Return a decorator that adds the page with what is true about it."""

        def add(build: Build) -> Build:
            self.shapes.append(Shape(build, country, is_priced, availability, sku, address))
            return build

        return add


def saved(goods: Goods, main: str, *, head: str = "", after: str = "", title: str | None = None) -> str:
    """Return a page as a browser saves it: scripts, styles, a menu with a teaser, banners, a full footer."""
    teaser, amount = goods.others[0]
    menu = "".join(
        f'<li><a href="/c/{n}">Department {n}</a><div class="sub"><ul>{_links(n)}</ul></div></li>'
        for n in range(14)
    )
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{title or goods.name + " | Harbour &amp; Sons"}</title><meta name="viewport" content="width=device-width">'
        f"<style>{'.x1{color:red}' * 400}</style><script>{_script()}</script>{head}</head><body>"
        '<noscript><iframe src="https://tags.example/ns"></iframe></noscript><a class="skip" href="#main">Skip to main content</a>'
        f'<div class="promo-strip"><p>Free delivery over {show(4900, goods.country)} · 10% off your first order with WELCOME10</p></div>'
        f'<header><div class="logo"><a href="/">Harbour &amp; Sons</a></div><form role="search"><input name="q"></form><div class="basket"><a href="/basket">Basket <span>0</span> {show(0, goods.country)}</a></div>'
        f'<nav><ul>{menu}</ul><div class="nav-teaser"><a href="/deal"><img alt=""><span>{teaser}</span></a><span>{show(amount, goods.country)}</span></div></nav></header>'
        f'<div class="crumbs"><a href="/">Home</a> / <a href="/c/1">Things</a> / <span>{goods.name}</span></div>'
        f"{main}{after}{_opinions(goods)}{_shelf(goods)}"
        f"<footer><div><h4>Help</h4><ul>{_links(99)}</ul></div><p>Join the club and get {show(1000, goods.country)} off</p><p>© Harbour &amp; Sons 2023</p></footer>"
        f'<div id="consent"><p>We value your privacy.</p><button>Accept all</button><button>Reject</button></div><script>{_script()}</script></body></html>'
    )


def _links(seed: int) -> str:
    return "".join(f'<li><a href="/c/{seed}/{k}">Shelf {seed}-{k}</a></li>' for k in range(10))


def _script() -> str:
    return "!function(e,t){for(var n=0;n<9;n++)e.push([n,'a'+n]);if(t&&1<2){t()}}([],null);" * 300


def _shelf(goods: Goods) -> str:
    cards = "".join(
        f'<div class="pc"><div class="pc-m"><a href="/p/{n}"><img alt="{name}" src="/i/{n}.jpg"></a></div><div class="pc-b"><a href="/p/{n}">{name}</a><div class="pc-r">★★★★☆ ({n * 7})</div><div class="pc-p"><span class="price">{show(amount, goods.country)}</span></div><button class="pc-add">Add to cart</button></div></div>'
        for n, (name, amount) in enumerate(goods.others, 1)
    )
    return f'<div class="shelf"><h3>Customers also bought</h3><div class="shelf-track">{cards}</div></div>'


def _opinions(goods: Goods) -> str:
    return (
        f'<div class="rv"><h3>Reviews</h3><p>Average 4.4 of 5</p><div><b>Kim</b><p>Got mine for {show(goods.cents + 900, goods.country)} last year, still going.</p></div>'
        "<div><b>Robin</b><p>Out of stock when I wanted a second one. 5 stars.</p></div></div>"
    )
