"""Pages that were once read wrongly: each says plainly what it means, and a guess would be a lie."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from limpet.apps.prices.sites.auto import SITE
from limpet.extract import Extraction, Unreadable
from limpet.extract.parse.stock import Availability
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

URL = "https://shop.example.com/p/lantern"
BUY = "<form><button>Add to cart</button></form>"
PRICE = '<p class="price">$20.00</p>'


def read(main: str, head: str = "", url: str = URL) -> Extraction[Any] | Unreadable:
    body = f"<html><head><title>Quiet Lantern</title>{head}</head><body>{main}</body></html>".encode()
    page = Page(url, url, 200, {"content-type": "text/html"}, body, datetime(2026, 1, 15, tzinfo=UTC))
    address = canonicalize(url)
    return SITE.page_model.read(
        page, Target(source_id="auto", address=address, url=url, lane=lane_of(address))
    )


def offer(main: str, head: str = "", url: str = URL) -> Any:
    reading = read(main, head, url)
    assert isinstance(reading, Extraction), reading
    return reading.record


def box(block: str) -> str:
    return f"<div><h1>Quiet Lantern</h1>{block}{BUY}</div>"


@pytest.mark.parametrize(
    "line",
    [
        "<p>Out of stock</p>",
        "<p>Not in stock</p>",
        "<p>Availability: Out of stock</p>",
        '<div class="msg">Sorry, this item is sold out.</div>',
        "<p>Temporarily out of stock. Order now and we will ship when available.</p>",
        "<p>Nicht auf Lager</p>",
        "<p>Dieser Artikel ist derzeit nicht verfügbar.</p>",
        "<p>Victime de son succès</p>",
        "<ul><li>Brand: Hearth</li><li>Availability: Out of stock</li></ul>",
        "<table><tr><td>Brand</td><td>Hearth</td></tr><tr><td>Availability</td><td>Out of stock</td></tr></table>",
    ],
)
def test_a_button_does_not_overrule_a_line_that_says_there_is_none(line: str) -> None:
    assert offer(box(PRICE + line)).availability is Availability.UNKNOWN


@pytest.mark.parametrize(
    "line",
    ["<p>Available on backorder</p>", "<p>Pre-order</p>", "<p>Out of stock - available on backorder</p>"],
)
def test_what_can_be_ordered_for_later_is_on_backorder(line: str) -> None:
    assert offer(box(PRICE + line)).availability is Availability.BACKORDER


@pytest.mark.parametrize(
    "others",
    [
        "<ul><li>S <span>Sold out</span></li><li>M</li></ul>",
        "<ul><li><div>S</div><div>Sold out</div></li><li><div>M</div></li></ul>",
        "<div><div>S</div><div>Sold out</div></div><div><div>M</div></div>",
        "<label>Red <small>Sold out</small></label>",
        "<h4>Pick up in store</h4><p>Not available</p>",
        '<div class="related"><h3>Small Lantern</h3><p>Sold out</p></div>',
        "<p>Out of stock items are shipped as soon as they come in again, which is never long.</p>",
        "<p>It was sold out for months.</p>",
        '<p style="display: none">Sold out</p>',
        "<footer><p>Out of stock</p></footer>",
    ],
)
def test_what_is_sold_out_elsewhere_says_nothing_about_the_product(others: str) -> None:
    assert offer(box(PRICE + others)).availability is Availability.IN_STOCK


def test_without_a_button_the_french_way_to_say_sold_out_counts() -> None:
    page = f"<main><h1>Quiet Lantern</h1>{PRICE}<p>Victime de son succès</p></main>"

    assert offer(page).availability is Availability.OUT_OF_STOCK
