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


@pytest.mark.parametrize(
    "wrapper", ["modal-content", "recommended-layout", "shop-the-look-page", "search-results-item"]
)
def test_a_wrapper_of_the_whole_page_says_nothing_about_its_product(wrapper: str) -> None:
    block = box('<p class="price">$20.00</p>')

    assert offer(f'<div class="{wrapper}">{block}</div>').price_cents == 2000


def test_what_stands_in_the_header_is_no_price_of_the_product() -> None:
    cart = '<header><div class="hc"><a href="/z">Kettle</a> <span class="price">$9.00</span></div></header>'

    assert isinstance(read(cart + box('<p class="slot"></p>')), Unreadable)


def test_in_a_misnamed_column_the_current_price_is_meant() -> None:
    column = '<div class="other"><div class="price"><b class="final-price">$20.00</b> <i class="initial-price">$25.00</i></div></div>'

    assert offer(box(column)).price_cents == 2000


def test_a_page_without_headings_is_known_by_what_its_title_says() -> None:
    page = f'<div class="x1"><div class="x2">Quiet Lantern</div><div class="x3">$20.00</div>{BUY}</div>'
    row = '<h3><a href="/z">Quiet Lanterns</a></h3><span>$9.00</span>'

    assert (offer(page + row).title, offer(page + row).price_cents) == ("Quiet Lantern", 2000)


def test_a_picture_that_leads_away_has_its_own_price_beside_it() -> None:
    feed = "".join(f'<div><a href="/i/{n}"><img></a><p>$9.0{n}</p></div>' for n in range(2))

    assert offer(f"<div><h1>Quiet Lantern</h1><p>$20.00</p><div>{feed}</div>{BUY}</div>").price_cents == 2000


def test_the_sign_of_a_bank_beside_a_price_makes_no_card_of_it() -> None:
    block = (
        '<div class="row"><span class="price">$20.00</span><a href="/pay-later"><img alt="Later"></a></div>'
    )

    assert offer(box(block)).price_cents == 2000


@pytest.mark.parametrize("after", ["All prices with tax", "Part of the family", "Probably the best"])
def test_a_word_that_begins_like_a_measure_is_none(after: str) -> None:
    assert offer(box(f'<span class="price">$20.00</span> <span>{after}</span>')).price_cents == 2000


def test_an_element_of_the_shop_s_own_making_is_named_by_its_tag() -> None:
    assert (
        offer(box("<product-price><b>20.00</b></product-price><p>All prices in USD $</p>")).price_cents
        == 2000
    )


def test_raised_digits_are_cents() -> None:
    assert offer(box('<p class="price">$19⁹⁹</p>')).price_cents == 1999


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
