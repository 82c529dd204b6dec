"""The reader of unknown shops: how well it reads, what it refuses, and the rules by which it decides."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from limpet.apps.prices.models.auto.amounts import amounts_in, bare_amount, currency_of_host
from limpet.apps.prices.models.auto.pieces import joined
from limpet.apps.prices.sites.auto import SITE
from limpet.extract import Extraction, Missing, Unreadable
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

ROOT = Path(__file__).parents[3]
URL = "https://shop.example.com/p/lantern"
BUY = "<form><button>Add to cart</button></form>"


def read(main: str, *, head: str = "", url: str = URL) -> Extraction[Any] | Unreadable:
    body = f"<html><head><title>Quiet Lantern</title>{head}</head><body>{main}</body></html>".encode()
    page = Page(
        url=url,
        final_url=url,
        status=200,
        headers={"content-type": "text/html; charset=utf-8"},
        body=body,
        fetched_at=datetime(2026, 1, 15, tzinfo=UTC),
    )
    address = canonicalize(url)
    return SITE.page_model.read(
        page, Target(source_id="auto", address=address, url=url, lane=lane_of(address))
    )


def offer(main: str, **more: str) -> Any:
    reading = read(main, **more)
    assert isinstance(reading, Extraction), reading
    return reading.record


def refusal(main: str, **more: str) -> Unreadable:
    reading = read(main, **more)
    assert isinstance(reading, Unreadable), reading
    return reading


def stated(price: str, **more: object) -> str:
    offers = {"@type": "Offer", "price": price, "priceCurrency": "USD"} | more
    product = {"@type": "Product", "name": "Quiet Lantern", "offers": offers}
    return f'<script type="application/ld+json">{json.dumps(product)}</script>'


@pytest.mark.parametrize(
    ("less", "least_precision", "least_recall"),
    [
        ((), 0.99, 0.97),
        (("names",), 0.98, 0.75),
        (("markup",), 0.98, 0.95),
        (("names", "markup", "buttons"), 0.97, 0.6),
    ],
    ids=lambda value: "-".join(value) or "whole" if isinstance(value, tuple) else None,
)
def test_made_up_shops_are_read_and_hardly_one_wrongly(
    less: tuple[str, ...], least_precision: float, least_recall: float
) -> None:
    taken_away = [word for name in less for word in ("--without", name)]
    command = [sys.executable, "-m", "bench.auto_reading", "--json", "--rounds", "1", *taken_away]

    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)

    price = json.loads(answer.stdout)["fields"]["price"]
    assert price["precision"] >= least_precision
    assert price["recall"] >= least_recall


@pytest.mark.parametrize(
    ("text", "hint", "cents", "currency"),
    [
        ("$1,299.00", None, 129900, "USD"),
        ("$19.99", "CAD", 1999, "CAD"),
        ("US $19.99", None, 1999, "USD"),
        ("19,99 €", None, 1999, "EUR"),
        ("1.299 €", None, 129900, "EUR"),
        ("1.299,00 €", None, 129900, "EUR"),
        ("1 299,00 zł", None, 129900, "PLN"),
        ("1 299 kr", "SEK", 129900, "SEK"),
        ("CHF 1'299.50", None, 129950, "CHF"),
        ("1,980円", None, 1980, "JPY"),
        ("19€99", None, 1999, "EUR"),
        ("€ 19,-", None, 1900, "EUR"),
        ("₹1,29,900.00", None, 12990000, "INR"),
        ("R$ 49,90", None, 4990, "BRL"),
        ("12.990 Ft", "HUF", 1299000, "HUF"),
    ],
)
def test_an_amount_is_read_in_the_notation_of_its_country(
    text: str, hint: str | None, cents: int, currency: str
) -> None:
    found = list(amounts_in(text, hint))

    assert [(each.cents, each.currency) for each in found] == [(cents, currency)]


@pytest.mark.parametrize("text", ["6 Ft cable", "4.5 out of 5", "12 months", "Model R 100", "50%", "$1.299"])
def test_what_only_looks_like_money_is_none(text: str) -> None:
    assert list(amounts_in(text, None)) == []


def test_a_bare_number_is_an_amount_only_when_nothing_stands_beside_it() -> None:
    assert bare_amount("19.99", "USD") is not None
    assert bare_amount("19.99 kg", "USD") is None


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["$", "19", "99"], "$ 19.99"),
        (["19", ",", "99", "€"], "19,99 €"),
        (["€", "1.299", "50"], "€ 1.299,50"),
        (["1,", "299"], "1,299"),
        (["$19.99", "25"], "$19.99 25"),
    ],
)
def test_a_price_in_pieces_is_put_together(pieces: list[str], text: str) -> None:
    assert joined(pieces, may_hold_cents=[True] * len(pieces)) == text


@pytest.mark.parametrize(("host", "currency"), [("a.co.uk", "GBP"), ("a.com.au", "AUD"), ("a.com", None)])
def test_a_country_domain_names_its_currency(host: str, currency: str | None) -> None:
    assert currency_of_host(host) == currency


@pytest.mark.parametrize(
    "others",
    [
        "<del>$30.00</del>",
        '<span class="was-price">$30.00</span>',
        "<span>RRP $30.00</span>",
        '<span style="text-decoration: line-through">$30.00</span>',
        "<p>You save $5.00</p>",
        "<p>or 4 interest-free payments of $5.00</p>",
        "<p>$1.67 / month</p>",
        "<p>($0.55 / Ounce)</p>",
        "<p>Shipping: $4.95</p>",
        "<p>Free delivery on orders over $50.00</p>",
        "<p>10 or more $18.00</p>",
        '<div style="display:none"><span class="price">$77.00</span></div>',
        '<ul class="related"><li><span class="price">$12.00</span></li></ul>',
        '<div class="mini-cart"><span class="price">$99.00</span></div>',
        '<div class="coupon">$3.00</div>',
        "<p>Core charge $9.00</p>",
        '<p class="amount">$16.67 <small>ex VAT</small></p>',
        "<p>Lowest price in the last 30 days: $19.50</p>",
        "<div>30-Tage-Bestpreis: $19.50</div>",
    ],
)
def test_amounts_that_are_not_the_price_do_not_disturb_it(others: str) -> None:
    found = offer(f'<div><h1>Quiet Lantern</h1><span class="price">$20.00</span>{others}{BUY}</div>')

    assert (found.price_cents, found.currency) == (2000, "USD")


def test_markup_the_page_confirms_is_believed_over_other_amounts() -> None:
    main = f'<h1>Quiet Lantern</h1><span class="a">$20.00</span> <span class="a">$25.00</span>{BUY}'

    assert offer(main, head=stated("25.00")).price_cents == 2500


def test_markup_that_names_the_crossed_out_price_gives_way() -> None:
    main = f'<div><h1>Quiet Lantern</h1><b class="price">$20.00</b> <del>$25.00</del>{BUY}</div>'

    assert offer(main, head=stated("25.00")).price_cents == 2000


def test_markup_that_nothing_on_the_page_confirms_is_refused() -> None:
    main = f'<div><h1>Quiet Lantern</h1><b class="price">$20.00</b>{BUY}</div>'

    assert refusal(main, head=stated("31.00")).reason is Missing.AMBIGUOUS_PRICE


def test_of_two_amounts_the_lower_is_believed_when_the_page_names_the_saving() -> None:
    pair = '<span class="x1">$25.00</span><span class="x1">$20.00</span>'
    unexplained = f"<div><h1>Quiet Lantern</h1>{pair}{BUY}</div>"
    explained = f"<div><h1>Quiet Lantern</h1>{pair}<em>-20%</em>{BUY}</div>"

    assert refusal(unexplained).reason is Missing.AMBIGUOUS_PRICE
    assert offer(explained).price_cents == 2000


def test_of_a_price_before_and_after_tax_the_one_with_tax_is_meant() -> None:
    lines = '<p class="a1"><b>$16.67</b> <i>ex VAT</i></p><p class="a2"><b>$20.00</b> <i>inc VAT</i></p>'

    assert offer(f"<div><h1>Quiet Lantern</h1>{lines}{BUY}</div>").price_cents == 2000


def test_a_label_at_the_end_of_a_line_speaks_of_its_own_line() -> None:
    lines = '<p><b class="price">$20.00</b></p><p><s>$25.00</s> <small>RRP</small></p>'

    assert offer(f"<div><h1>Quiet Lantern</h1>{lines}{BUY}</div>").price_cents == 2000


def test_an_amount_with_every_sign_in_an_element_of_its_own_is_one_amount() -> None:
    signs = "".join(f"<span>{sign}</span>" for sign in "$1,299.50")

    assert (
        offer(f'<div><h1>Quiet Lantern</h1><div class="price">{signs}</div>{BUY}</div>').price_cents
        == 129_950
    )


def test_a_colon_and_a_dash_are_a_sign_of_money_in_the_north() -> None:
    found = offer(f"<div><h1>Quiet Lantern</h1><b>499:-</b>{BUY}</div>", url="https://butik.example.se/p/1")

    assert (found.price_cents, found.currency) == (49_900, "SEK")


@pytest.mark.parametrize(
    "shown",
    ["$20.00 – $25.00", "from $20.00", "From: $20.00", "Between $20.00 and $25.00", "R$ 9,90 - R$ 12,90"],
)
def test_a_range_or_a_least_price_is_refused(shown: str) -> None:
    main = f'<div><h1>Quiet Lantern</h1><span class="price">{shown}</span>{BUY}</div>'

    assert refusal(main).reason is Missing.AMBIGUOUS_PRICE


def test_the_variant_the_address_asks_for_is_chosen() -> None:
    offers = [
        {"@type": "Offer", "sku": "S1", "price": "20.00", "priceCurrency": "USD"},
        {"@type": "Offer", "sku": "S2", "price": "25.00", "priceCurrency": "USD"},
    ]
    block = json.dumps({"@type": "Product", "name": "Quiet Lantern", "offers": offers})
    head = f'<script type="application/ld+json">{block}</script>'

    assert refusal("<h1>Quiet Lantern</h1>", head=head).reason is Missing.AMBIGUOUS_VARIANTS
    chosen = offer("<h1>Quiet Lantern</h1>", head=head, url=f"{URL}?sku=S2")
    assert (chosen.price_cents, chosen.retailer_sku) == (2500, "S2")


def test_a_zero_price_is_handed_on_to_be_quarantined() -> None:
    assert offer("<h1>Quiet Lantern</h1>", head=stated("0.00")).price_cents == 0


def test_markup_with_a_comma_too_many_is_still_heard() -> None:
    head = stated("20.00").replace("}}", "},}")

    assert offer("<h1>Quiet Lantern</h1>", head=head).price_cents == 2000


@pytest.mark.parametrize(
    ("main", "head", "availability"),
    [
        (f"<h1>Quiet Lantern</h1>{BUY}", stated("20.00"), "in_stock"),
        ("<h1>Quiet Lantern</h1>", stated("20.00"), "unknown"),
        ("<h1>Quiet Lantern</h1>", stated("20.00", availability="http://schema.org/SoldOut"), "out_of_stock"),
        ("<h1>Quiet Lantern</h1><button disabled>Sold out</button>", stated("20.00"), "out_of_stock"),
        ("<h1>Quiet Lantern</h1><button>Pre-order</button>", stated("20.00"), "backorder"),
        ('<h1>Quiet Lantern</h1><p class="stock">Nicht auf Lager</p>', stated("20.00"), "out_of_stock"),
        (f'<h1>Quiet Lantern</h1><p class="stock">Out of stock</p>{BUY}', stated("20.00"), "unknown"),
    ],
)
def test_availability_needs_an_explicit_signal_and_no_contradiction(
    main: str, head: str, availability: str
) -> None:
    assert offer(main, head=head).availability == availability


@pytest.mark.parametrize(
    ("main", "url", "sku"),
    [
        ('<h1>Quiet Lantern</h1><span itemprop="sku">AB-1</span>', URL, "AB-1"),
        ("<h1>Quiet Lantern</h1><p>Item # 4711-X</p>", URL, "4711-X"),
        ("<h1>Quiet Lantern</h1><dl><dt>Art.-Nr.:</dt><dd>90210</dd></dl>", URL, "90210"),
        ("<h1>Quiet Lantern</h1>", "https://shop.example.com/dp/B000000001", "B000000001"),
        ("<h1>Quiet Lantern</h1>", "https://shop.example.com/lantern-123456.html", "123456"),
        ("<h1>Quiet Lantern</h1>", URL, None),
    ],
)
def test_the_sku_comes_from_markup_a_label_or_the_address(main: str, url: str, sku: str | None) -> None:
    assert offer(main, head=stated("20.00"), url=url).retailer_sku == sku


def test_a_large_page_is_read_and_not_taken_for_a_hostile_one() -> None:
    filler = "".join(
        f'<div class="c{n % 7}"><a href="/{n}">Thing number {n}</a></div>' for n in range(10_000)
    )
    script = f"<script>var x = {json.dumps(['y' * 1000] * 2500)};</script>"
    main = f'<div><h1>Quiet Lantern</h1><span class="price">$20.00</span>{BUY}</div>{filler}{script}'

    assert len(main) > 2_500_000
    assert offer(main).price_cents == 2000
