"""How the reader of unknown shops weighs names: those of elements, of headings and of product numbers."""

# ruff: noqa: E501 - markup is easier to compare with a real page's when it stays on its line

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from limpet.apps.prices.sites.auto import SITE
from limpet.extract import Extraction, Missing, Unreadable
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

URL = "https://shop.example.com/p/lantern"
BUY = "<button>Add to cart</button>"


def read(main: str, title: str = "Quiet Lantern | Harbour") -> Extraction[Any] | Unreadable:
    body = f"<html><head><title>{title}</title></head><body>{main}</body></html>".encode()
    page = Page(URL, URL, 200, {"content-type": "text/html"}, body, datetime(2026, 1, 15, tzinfo=UTC))
    address = canonicalize(URL)
    return SITE.page_model.read(
        page, Target(source_id="auto", address=address, url=URL, lane=lane_of(address))
    )


def offer(main: str) -> Any:
    reading = read(main)
    assert isinstance(reading, Extraction), reading
    return reading.record


def box(block: str) -> str:
    return f"<div><h1>Quiet Lantern</h1>{block}{BUY}</div>"


@pytest.mark.parametrize(
    "block",
    [
        '<section class="buy-block__prices"><span class="price">$20.00</span></section>',
        '<div class="other-info"><div class="price-box"><span class="price">$20.00</span></div></div>',
        '<div class="delivery-column"><div><div class="price-box"><span class="price">$20.00</span></div></div></div>',
    ],
)
def test_a_name_that_only_happens_to_mean_something_else_costs_no_price(block: str) -> None:
    assert offer(box(block)).price_cents == 2000


@pytest.mark.parametrize(
    "block",
    [
        '<p class="price">Shipping $20.00</p>',
        '<p class="price">Save $20.00</p>',
        '<div class="shipping-price">$20.00</div>',
        "<p>A friend of mine paid $20.00 for the same thing.</p>",
        "<label><input type=checkbox> Take the old one away $20.00</label>",
    ],
)
def test_words_and_close_names_still_tell_that_it_is_no_price(block: str) -> None:
    reading = read(box(block))

    assert isinstance(reading, Unreadable)
    assert reading.reason is Missing.PRICE_NOT_FOUND


@pytest.mark.parametrize(
    "block",
    [
        '<p class="price-a">$25.00</p><p class="price-b">$20.00</p>',
        '<span class="x1">$20.00</span><span class="x2">$25.00</span>',
        '<p>Regular price <span class="price">$25.00</span></p><p>Now <span class="price">$20.00</span></p>',
    ],
)
def test_of_two_prices_told_apart_the_higher_is_the_one_before(block: str) -> None:
    assert offer(box(block)).price_cents == 2000


def test_two_prices_built_alike_are_not_told_apart() -> None:
    assert isinstance(read(box('<p class="price">$25.00</p><p class="price">$20.00</p>')), Unreadable)


def test_a_regular_price_alone_is_the_price() -> None:
    assert (
        offer(box('<span class="sr-only">Regular price</span><span class="price">$20.00</span>')).price_cents
        == 2000
    )


def test_where_the_title_pops_up_its_price_does_too() -> None:
    block = '<div><div class="shop-popup__name">Quiet Lantern</div><div class="shop-popup__price">$20.00</div><a class="shop-popup__btn" href="#o">Buy now</a></div>'

    assert (offer(block).price_cents, offer(block).availability) == (2000, "in_stock")


def test_a_heading_that_leads_home_is_the_shop_s_own() -> None:
    page = f'<h1><a href="/">Harbour</a></h1><div><h2>Quiet Lantern</h2><b>$20.00</b>{BUY}</div>'

    assert offer(page).title == "Quiet Lantern"


def test_a_size_that_is_sold_out_does_not_speak_for_the_product() -> None:
    sizes = '<ul><li><button>L sold out</button></li></ul><button class="add-to-cart">Take it</button>'

    assert (
        offer(f'<div><h1>Quiet Lantern</h1><p class="price">$20.00</p>{sizes}</div>').availability
        == "in_stock"
    )


def test_a_short_line_about_stock_counts_where_nothing_is_named_after_it() -> None:
    assert (
        offer(
            '<div><h1>Quiet Lantern</h1><p class="price">$20.00</p><p>In stock, ships today</p></div>'
        ).availability
        == "in_stock"
    )


@pytest.mark.parametrize(
    "line",
    [
        "<p>Артикул: <b>QL-77</b></p>", "<p>Order Code QL-77</p>", "<p>Código de Producto: <span>QL-77</span></p>",
        "<p>RS Stock No.: <span>QL-77</span></p>", '<div class="name">ID<span class="code">QL-77</span></div>',
        "<p>商品コード： <span>QL-77</span></p>", '<input type="hidden" name="sku" value="QL-77">', "<p>Riferimento QL-77</p>",
        "<dl><dt>Item Number</dt><dd>QL-77</dd></dl>",
    ],
)  # fmt: skip
def test_the_number_is_found_under_the_labels_of_many_countries(line: str) -> None:
    assert offer(box(f'<p class="price">$20.00</p>{line}')).retailer_sku == "QL-77"
