"""Pages that were once read wrongly: each says plainly what it means, and a guess would be a lie."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from limpet.apps.prices.sites.auto import SITE
from limpet.extract import Extraction, Missing, Unreadable
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


def refusal(main: str, head: str = "", url: str = URL) -> Unreadable:
    reading = read(main, head, url)
    assert isinstance(reading, Unreadable), reading
    return reading


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


@pytest.mark.parametrize(
    ("words", "cents", "currency"),
    [
        ("١٩٫٩٩ ر.س", 1999, "SAR"),
        ("١٬٢٩٩٫٥٠ ر.س", 129950, "SAR"),
        ("السعر ١٩٫٩٩ ر.س", 1999, "SAR"),
        ("١٩٫٩٩ ج.م", 1999, "EGP"),
        ("1٬299٫50 SAR", 129950, "SAR"),
    ],
)
def test_arabic_signs_for_decimals_and_thousands_are_known(words: str, cents: int, currency: str) -> None:
    found = offer(box(f'<p class="price">{words}</p>'))

    assert (found.price_cents, found.currency) == (cents, currency)


@pytest.mark.parametrize("words", ["١٫٢٩٩ ر.س", "SAR ١٫٢٩٩", "١٢٬٩٩ ر.س"])
def test_arabic_digits_that_fit_no_notation_are_not_read_in_part(words: str) -> None:
    assert refusal(box(f'<p class="price">{words}</p>')).reason is Missing.PRICE_NOT_FOUND


def stating(currency: str) -> str:
    offers = {"@type": "Offer", "price": "20.00", "priceCurrency": currency}
    product = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": "Quiet Lantern",
        "offers": offers,
    }
    return f'<script type="application/ld+json">{json.dumps(product)}</script>'


@pytest.mark.parametrize(("currency", "shown"), [("USD", "€20.00"), ("EUR", "£20.00"), ("USD", "GBP 20.00")])
def test_the_same_number_in_two_currencies_is_refused(currency: str, shown: str) -> None:
    page = box(f'<p class="price">{shown}</p>')

    assert refusal(page, stating(currency)).reason is Missing.AMBIGUOUS_PRICE


@pytest.mark.parametrize(
    ("currency", "shown"),
    [
        ("CAD", "$20.00"),
        ("FJD", "$20.00"),
        ("CNY", "¥20.00"),
        ("PKR", "Rs. 20.00"),
        ("EUR", "20.00"),
        ("EUR", "€20.00"),
    ],
)
def test_a_sign_that_several_countries_share_contradicts_no_markup(currency: str, shown: str) -> None:
    assert offer(box(f'<p class="price">{shown}</p>'), stating(currency)).currency == currency


@pytest.mark.parametrize(
    ("whole", "before"),
    [
        ('class="price-including-tax"', 'class="price-excluding-tax"'),
        ('class="price-incl-tax"', 'class="price-excl-tax"'),
        ('class="price price--withTax"', 'class="price price--withoutTax"'),
        ('class="price" data-label="Incl. Tax"', 'class="price" data-label="Excl. Tax"'),
    ],
)
def test_names_alone_tell_the_price_with_tax_from_the_one_before(whole: str, before: str) -> None:
    prices = [f"<span {whole}><b>$24.00</b></span>", f"<span {before}><b>$20.00</b></span>"]

    assert offer(box(f"<div>{' '.join(prices)}</div>")).price_cents == 2400
    assert offer(box(f"<div>{' '.join(reversed(prices))}</div>")).price_cents == 2400
    assert offer(box(f"<div>{' '.join(prices)}</div>"), stating("USD")).price_cents == 2400


def test_a_price_called_before_tax_is_the_price_where_none_is_shown_with_it() -> None:
    assert offer(box('<span class="price price--withoutTax">$20.00</span>')).price_cents == 2000


def test_what_one_pays_who_subscribes_is_not_the_price() -> None:
    once = '<label><input type="radio" checked>One-time purchase <span class="price">$20.00</span></label>'
    often = '<label><input type="radio">Subscribe &amp; save 15% <span class="price">$17.00</span></label>'

    assert offer(box(once + often)).price_cents == 2000
    assert offer(box(often + once)).price_cents == 2000


@pytest.mark.parametrize(
    "choices",
    [
        '<label><input type="radio" name="a">$25.00</label><label><input type="radio" name="a">$50.00</label>',
        "<button>$25.00</button><button>$50.00</button>",
    ],
)
def test_of_two_amounts_to_choose_from_neither_is_the_price(choices: str) -> None:
    page = f"<main><h1>Gift Card</h1>{choices}<button>Add to cart</button></main>"

    assert refusal(page).reason is Missing.AMBIGUOUS_PRICE


def test_cents_behind_the_word_for_euros_are_read() -> None:
    assert offer(box("<p>Prix : 25 euros 50</p>")).price_cents == 2550
    assert offer(box("<p>Prix : 25 euros</p>")).price_cents == 2500


def test_an_amount_in_brackets_behind_another_currency_is_a_conversion() -> None:
    found = offer(box('<div class="price">19,99 € <span>(39,10 лв.)</span></div>'))

    assert (found.price_cents, found.currency) == (1999, "EUR")


def test_pence_are_read_where_pounds_are_at_home() -> None:
    home = "https://shop.example.co.uk/p/lantern"
    page = box('<div class="price">85p</div>')

    assert (offer(page, url=home).price_cents, offer(page, url=home).currency) == (85, "GBP")
    assert refusal(page).reason is Missing.PRICE_NOT_FOUND
