"""What a page's own data say to the reader of unknown shops: scripts, attributes, cards and broken JSON-LD."""

# ruff: noqa: E501 - markup is easier to compare with a real page's when it stays on its line

from __future__ import annotations

import html
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from limpet.apps.prices.models.auto.literal import read_literal
from limpet.apps.prices.sites.auto import SITE
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.structured.loose_json import BadJson
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

SHELL = '<main><div class="info"><h1>Quiet Lantern</h1>{}<form action="/cart/add"><button>Add to cart</button></form></div></main>'


def read(
    main: str = "", head: str = "", url: str = "https://shop.example.com/p/lantern"
) -> Extraction[Any] | Unreadable:
    body = f"<html><head><title>Quiet Lantern</title>{head}</head><body>{SHELL.format(main)}</body></html>".encode()
    page = Page(url, url, 200, {"content-type": "text/html"}, body, datetime(2026, 1, 15, tzinfo=UTC))
    address = canonicalize(url)
    return SITE.page_model.read(
        page, Target(source_id="auto", address=address, url=url, lane=lane_of(address))
    )


def offer(main: str = "", head: str = "", url: str = "https://shop.example.com/p/lantern") -> Any:
    reading = read(main, head, url)
    assert isinstance(reading, Extraction), reading
    return reading.record


def script(text: str) -> str:
    return f"<script>{text}</script>"


PRODUCT = {"name": "Quiet Lantern", "price": 19.99, "sku": "QL-7", "currency": "GBP"}
SHOPIFY = {"title": "Quiet Lantern", "price": 1999, "variants": [{"id": 41, "sku": "QL-7", "price": 1999}]}
BY_KEY = {
    "productName": "Quiet Lantern",
    "salePrice": "19.99",
    "listPrice": 25.0,
    "itemNumber": "QL-7",
    "currency": "GBP",
}


@pytest.mark.parametrize(
    "data",
    [
        script(f"window.__STATE__ = {json.dumps({'a': [{'product': PRODUCT}]})};"),
        script(f"window.__STATE__ = JSON.parse({json.dumps(json.dumps(PRODUCT))});"),
        script(f"var data = {json.dumps(BY_KEY)};"),
        script("dataLayer.push({ecommerce: {currencyCode: 'GBP', detail: {products: [{name: 'Quiet Lantern', id: 'QL-7', price: '19.99',}]}}});"),
        script("gtag('event', 'view_item', {currency: 'GBP', items: [{item_name: 'Quiet Lantern', item_id: 'QL-7', price: 19.99}]});"),
        script("var utag_data = {\"product_name\": [\"Quiet Lantern\"], \"product_price\": [\"19.99\"], \"product_sku\": [\"QL-7\"], \"currency\": \"GBP\"};"),
        script(f'Shopify.shop = "x";Shopify.currency = {{"active":"GBP"}};var meta = {json.dumps({"product": SHOPIFY})};'),
        f'<script type="application/json">{json.dumps({"product": PRODUCT})}</script>',
        f'<div data-product="{html.escape(json.dumps(PRODUCT))}"></div>',
        '<meta itemprop="sku" content="QL-7"><div class="price" data-price-amount="19.99"></div>' + script('var c = {"currency":"GBP"};'),
    ],
)  # fmt: skip
def test_data_that_bear_the_product_s_name_give_its_price_and_number(data: str) -> None:
    found = offer(data)

    assert (found.price_cents, found.currency, found.retailer_sku) == (1999, "GBP", "QL-7")


def test_data_of_other_products_give_nothing() -> None:
    others = [{"name": f"Amber Kettle {n}", "price": 10.5 + n} for n in range(3)]

    reading = read(script(f"window.__STATE__ = {json.dumps(others)};"))

    assert isinstance(reading, Unreadable)
    assert reading.reason is Missing.PRICE_NOT_FOUND


def test_a_whole_number_may_be_cents_and_is_not_believed_alone() -> None:
    assert isinstance(read(script('var p = {"name": "Quiet Lantern", "price": 1999};')), Unreadable)


def test_of_several_variants_the_address_chooses() -> None:
    variants = [{"id": 40 + n, "sku": f"QL-{n}", "price": 1999 + n * 500} for n in range(3)]
    data = script(
        f'Shopify.shop = "x";var meta = {json.dumps({"product": {"title": "Quiet Lantern", "variants": variants}})};'
    )

    assert isinstance(read(data), Unreadable)
    assert offer(data, url="https://shop.example.com/p/lantern?variant=41").price_cents == 2499


@pytest.mark.parametrize(
    "block",
    [
        '{"@type":"Product","name":"Quiet Lantern","description":"A 12" one","offers":{"@type":"Offer","price":"19.99","priceCurrency":"USD"}}',
        '{"@type":"Product","name":"Quiet Lantern",\n"offers":{"@type":"Offer","price":"19.99"\n"priceCurrency":"USD",},}',
        '{"@type":"Product","name":"Quiet Lantern","description":"a\\xb","offers":{"price":"19.99","priceCurrency":"USD"}}',
        '{"@graph":[{"@type":"Product","name":"Quiet Lantern","offers":{"@id":"#o"}},{"@id":"#o","@type":"Offer","price":"19.99","priceCurrency":"USD"}]}',
    ],
)  # fmt: skip
def test_markup_broken_in_the_usual_ways_is_still_heard(block: str) -> None:
    assert offer(head=f'<script type="application/ld+json">{block}</script>').price_cents == 1999


def test_the_card_of_a_short_message_service_states_a_price() -> None:
    card = '<meta name="twitter:label1" content="Price"><meta name="twitter:data1" content="£19.99">'

    assert (offer(head=card).price_cents, offer(head=card).currency) == (1999, "GBP")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, 'b': \"x\", c: [1.5, true, null,],}", {"a": 1, "b": "x", "c": [1.5, True, None]}),
        ("{a: f(1, {x: 2}), b: 3}", {"a": None, "b": 3}),
        ("{a: 'it\\'s', /* why */ b: -2 // end\n}", {"a": "it's", "b": -2}),
        ("{go() { return {a: 1} }, b: 'c' + d, e: 4}", {"b": None, "e": 4}),
    ],
)
def test_a_literal_is_read_and_what_is_computed_is_unknown(text: str, value: Any) -> None:
    assert read_literal(text) == value


@pytest.mark.parametrize("text", ["{a: 1", "{a: [", "[" * 500, "{a: 'x"])
def test_a_literal_that_never_ends_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        read_literal(text)


def stated(price: str, availability: str = "InStock") -> str:
    offers = {"@type": "Offer", "price": price, "priceCurrency": "USD", "availability": availability}
    return f'<script type="application/ld+json">{json.dumps({"@type": "Product", "name": "Quiet Lantern", "offers": offers})}</script>'


def test_markup_before_tax_gives_way_to_what_the_page_shows_with_tax() -> None:
    both = '<p class="ex"><b>$16.67</b> ex. VAT</p><p class="inc"><b>$20.00</b> inc. VAT</p>'

    assert offer(both, head=stated("16.67")).price_cents == 2000


@pytest.mark.parametrize(
    ("block", "cents"),
    [
        (
            '<div><p>New</p><b class="p">$20.00</b></div><div><p>Opened box</p><b class="p">$16.00</b></div>',
            2000,
        ),
        ('<b class="p">$20.00</b><b class="p">$16.00</b>', None),
        ('<b class="p">$20.00</b><p>Free returns</p><p>Now <b class="p">$16.00</b></p>', None),
    ],
)
def test_a_lower_amount_right_beside_what_markup_states_or_called_the_current_one_makes_it_doubtful(
    block: str, cents: int | None
) -> None:
    reading = read(block, head=stated("20.00"))

    assert (reading.record.price_cents if isinstance(reading, Extraction) else None) == cents


def test_the_page_is_believed_when_it_says_sold_out_and_stale_markup_does_not() -> None:
    block = '<p class="price">$20.00</p><p class="stock">Sold out</p>'

    assert offer(block.replace("Sold out", "In stock"), head=stated("20.00")).availability == "in_stock"
    assert read_sold_out(block).availability == "out_of_stock"


def read_sold_out(block: str) -> Any:
    body = f"<html><head><title>Quiet Lantern</title>{stated('20.00')}</head><body><main><h1>Quiet Lantern</h1>{block}<button disabled>Sold out</button></main></body></html>".encode()
    url = "https://shop.example.com/p/lantern"
    page = Page(url, url, 200, {"content-type": "text/html"}, body, datetime(2026, 1, 15, tzinfo=UTC))
    reading = SITE.page_model.read(
        page, Target(source_id="auto", address=url, url=url, lane="shop.example.com")
    )
    assert isinstance(reading, Extraction), reading
    return reading.record


def test_of_several_products_in_markup_the_one_at_this_address_is_meant() -> None:
    def product(name: str, price: str, path: str) -> str:
        offers = {"@type": "Offer", "price": price, "priceCurrency": "USD"}
        data = {"@type": "Product", "name": name, "url": f"https://shop.example.com{path}", "offers": offers}
        return f'<script type="application/ld+json">{json.dumps(data)}</script>'

    head = product("Amber Kettle", "9.00", "/p/kettle") + product("HB-77 fixture", "20.00", "/p/lantern")

    assert offer(head=head).price_cents == 2000


def test_stock_in_the_page_s_data_counts_when_nothing_else_tells() -> None:
    data = {"name": "Quiet Lantern", "price": 20.5, "currency": "USD", "inStock": True}
    body = f'<html><head><title>Quiet Lantern</title></head><body><h1>Quiet Lantern</h1><p class="price">$20.50</p>{script(f"var p = {json.dumps(data)};")}</body></html>'.encode()
    url = "https://shop.example.com/p/lantern"
    page = Page(url, url, 200, {"content-type": "text/html"}, body, datetime(2026, 1, 15, tzinfo=UTC))

    reading = SITE.page_model.read(
        page, Target(source_id="auto", address=url, url=url, lane="shop.example.com")
    )

    assert isinstance(reading, Extraction)
    assert reading.record.availability == "in_stock"
