"""Habits of large shops the reader of unknown shops has to know, one page for each."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from limpet.apps.prices.models.auto.amounts import amounts_in
from limpet.apps.prices.models.auto.statements import read_stated
from limpet.apps.prices.sites.auto import SITE
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.parse.price import Price
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

URL = "https://shop.example.com/p/lantern"
BUY = "<form><button>Add to cart</button></form>"


def read(main: str, head: str = "") -> Extraction[Any] | Unreadable:
    body = f"<html><head><title>Quiet Lantern</title>{head}</head><body>{main}</body></html>".encode()
    page = Page(URL, URL, 200, {"content-type": "text/html"}, body, datetime(2026, 1, 15, tzinfo=UTC))
    address = canonicalize(URL)
    return SITE.page_model.read(
        page, Target(source_id="auto", address=address, url=URL, lane=lane_of(address))
    )


def offer(main: str, head: str = "") -> Any:
    reading = read(main, head)
    assert isinstance(reading, Extraction), reading
    return reading.record


def refusal(main: str) -> Unreadable:
    reading = read(main)
    assert isinstance(reading, Unreadable), reading
    return reading


def box(block: str) -> str:
    return f"<div><h1>Quiet Lantern</h1>{block}{BUY}</div>"


@pytest.mark.parametrize("name", ["retail-price", "original", "list-price"])
def test_a_price_that_only_its_name_calls_old_is_the_price_when_there_is_no_other(name: str) -> None:
    assert offer(box(f'<span class="{name}">$20.00</span>')).price_cents == 2000


@pytest.mark.parametrize("old", ['<s class="price">$25.00</s>', '<span class="price">RRP $25.00</span>'])
def test_a_price_the_page_itself_takes_back_never_becomes_the_price(old: str) -> None:
    assert refusal(box(old)).reason is Missing.PRICE_NOT_FOUND


def test_two_prices_that_their_names_call_old_leave_none() -> None:
    both = '<span class="retail-price">$20.00</span><span class="original">$25.00</span>'

    assert refusal(box(both)).reason is Missing.PRICE_NOT_FOUND


def test_the_price_of_one_piece_is_the_price_unless_a_box_is_sold() -> None:
    alone = box('<div class="price"><b>20,00 €</b> / Stück</div>')
    of_a_box = box('<div class="price"><b>20,00 €</b></div><div class="price"><b>2,00 €</b> / Stück</div>')

    assert offer(alone).price_cents == 2000
    assert offer(of_a_box).price_cents == 2000


@pytest.mark.parametrize(
    "others",
    [
        "<p>Club price $18.00</p>",
        "<p>Members: $18.00</p>",
        "<p>Get it for <b>$19.00</b> (5% off) with Auto-Replenish</p>",
        "<p>Ticket Price <b>$25.00</b></p>",
        "<p>MRP <span>$25.00</span></p>",
        "<p>$16.67 bez DPH</p>",
        "<p>$16.67 IVA esclusa</p>",
        '<ul><li class="t"><button>S <i>$15.00</i></button></li><li class="t on"><button>M <i>$20.00</i></button></li>'
        '<li class="t"><button>L <i>$30.00</i></button></li></ul>',
    ],
)
def test_further_amounts_that_are_not_the_price_do_not_disturb_it(others: str) -> None:
    assert offer(box(f"<p><b>$20.00</b></p>{others}")).price_cents == 2000


@pytest.mark.parametrize(
    "instead",
    [
        "<label>2-Year plan <b>$29.99</b></label>",
        "<p><span>Gift box</span> <span>$4.99</span></p>",
        "<p>Ships for $7.95</p>",
        '<div><a href="/x"><img></a><a href="/x">Amber Kettle</a><p class="price">$12.00</p></div>',
    ],
)
def test_where_the_price_is_missing_nothing_else_takes_its_place(instead: str) -> None:
    assert refusal(f"<h1>Quiet Lantern</h1>{BUY}{instead}").reason is Missing.PRICE_NOT_FOUND


def test_what_is_said_to_ears_tells_two_amounts_apart() -> None:
    pair = '<p aria-label="current price $20.00">$20.00</p><p aria-label="original price $25.00">$25.00</p>'

    assert offer(box(pair)).price_cents == 2000


def test_a_product_shown_in_a_dialog_is_read_all_the_same() -> None:
    main = f'<div role="dialog"><h2 class="product-name">Quiet Lantern</h2><b class="price">$20.00</b>{BUY}</div>'

    assert offer(main).price_cents == 2000


def test_of_new_and_used_pieces_the_new_one_is_meant() -> None:
    def one(price: str, condition: str) -> dict[str, str]:
        return {"@type": "Offer", "price": price, "priceCurrency": "USD", "itemCondition": condition}

    offers = [
        one("20.00", "https://schema.org/NewCondition"),
        one("12.00", "https://schema.org/UsedCondition"),
    ]
    used = [one("12.00", "https://schema.org/UsedCondition")]

    for some, cents in ((offers, 2000), (used, 1200)):
        block = json.dumps({"@type": "Product", "name": "Quiet Lantern", "offers": some})
        head = f'<script type="application/ld+json">{block}</script>'
        assert offer("<h1>Quiet Lantern</h1>", head=head).price_cents == cents


def test_the_dust_of_binary_fractions_is_no_part_of_a_price() -> None:
    assert read_stated(19.990000000000002, "USD") == (Price(1999, "USD"), False)
    assert read_stated("16.6667", "GBP") == (Price(1667, "GBP"), True)
    offers = '{"@type": "Offer", "price": 19.990000000000002, "priceCurrency": "USD"}'
    block = f'{{"@type": "Product", "name": "Quiet Lantern", "offers": {offers}}}'
    head = f'<script type="application/ld+json">{block}</script>'
    assert offer("<h1>Quiet Lantern</h1>", head=head).price_cents == 1999


@pytest.mark.parametrize(
    ("text", "hint", "cents", "currency"),
    [
        ("21,550원", None, 21550, "KRW"),
        ("199.000đ", "VND", 199000, "VND"),
        ("S/ 458.99", "PEN", 45899, "PEN"),
        ("MXN $9,123.45", None, 912345, "MXN"),
        ("1.999 ₺", None, 199900, "TRY"),
        ("1299 р.", "RUB", 129900, "RUB"),
        ("Sale price$19.99", None, 1999, "USD"),
        ("$.99", None, 99, "USD"),
    ],
)
def test_money_of_further_countries_is_read(text: str, hint: str | None, cents: int, currency: str) -> None:
    assert [(each.cents, each.currency) for each in amounts_in(text, hint)] == [(cents, currency)]


@pytest.mark.parametrize("text", ["$ 12 34", "$12 50"])
def test_flattened_raised_cents_are_no_amount(text: str) -> None:
    assert list(amounts_in(text, None)) == []
