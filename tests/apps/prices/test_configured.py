"""A shop that is nothing but configuration is read like any other."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from limpet.assembly import all_sites
from limpet.cli.parsing import parse_and_show
from limpet.configuration import load_config
from limpet.extract import Extraction, Missing, Site, Unreadable
from limpet.fetch.page import Page
from limpet.target import Target
from limpet.target.address import canonicalize, lane_of

URL = "https://corner.example.com/p/1"
SHOP = """
id: corner-shop
version: 1.0.0
app: prices
domain: corner.example.com
currency: EUR
product: main.product
fields:
  title: {css: h1}
  price:
    - {css: .price .now}
    - {json_ld: offers.price}
  sku: {css: "[data-sku]", attribute: data-sku}
  upc: {json_ld: gtin13}
  brand: {meta: "product:brand"}
  image: {css: img, attribute: src}
  shipping: {css: .ship, regex: 'Versand (\\S+ €)'}
  availability:
    - css: .stock
      map: {Nur noch wenige: in_stock, Vergriffen: out_of_stock}
"""
LD = (
    '<script type="application/ld+json">'
    '{"@type":"Product","gtin13":"4006381333931","offers":{"price":"19.99"}}</script>'
)
PAGE = f"""<html><head><meta property="product:brand" content="Harbour">{LD}</head><body>
<aside><span class="price"><b class="now">99,00 €</b></span></aside>
<main class="product" ><h1>Kleine Lampe</h1><img src="/l.jpg"><i data-sku="L-7"></i>
<p class="price"><s>25,00 €</s> <b class="now">19,99 €</b></p><p class="stock">Nur noch wenige</p>
<p class="ship">Versand 4,90 €</p></main></body></html>"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return site_of(tmp_path, SHOP)


def site_of(folder: Path, text: str) -> Site:
    config = folder / "limpet.toml"
    config.write_text("")
    (folder / "sites").mkdir(exist_ok=True)
    (folder / "sites" / "corner.yaml").write_text(text, encoding="utf-8")
    return all_sites(load_config(config)).get("corner-shop")


def read(site: Site, body: str, content_type: str = "text/html") -> Extraction[Any] | Unreadable:
    page = Page(
        url=URL,
        final_url=URL,
        status=200,
        headers={"content-type": content_type},
        body=body.encode(),
        fetched_at=datetime(2026, 1, 15, tzinfo=UTC),
    )
    address = canonicalize(URL)
    return site.page_model.read(
        page, Target(source_id=site.id, address=address, url=URL, lane=lane_of(address))
    )


def test_every_field_is_read_from_where_the_file_says(site: Site) -> None:
    reading = read(site, PAGE)

    assert isinstance(reading, Extraction), reading
    offer = reading.record
    assert (offer.title, offer.price_cents, offer.currency) == ("Kleine Lampe", 1999, "EUR")
    assert (offer.retailer_sku, offer.upc, offer.brand) == ("L-7", "4006381333931", "Harbour")
    assert (offer.availability, offer.shipping_cents) == ("in_stock", 490)
    assert offer.image_url == "https://corner.example.com/l.jpg"
    assert offer.adapter_version == "1.0.0"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"price":"19.99"', '"price":"29.99"', Missing.AMBIGUOUS_PRICE),
        ("<h1>Kleine Lampe</h1>", "", Missing.TITLE_NOT_FOUND),
        ('class="product"', 'class="something"', Missing.PAGE_STRUCTURE_CHANGED),
        ("19,99 €", "19,99 € bis 25 €", Missing.AMBIGUOUS_PRICE),
    ],
)
def test_what_the_page_does_not_say_plainly_is_refused(
    site: Site, old: str, new: str, reason: Missing
) -> None:
    reading = read(site, PAGE.replace(old, new))

    assert isinstance(reading, Unreadable)
    assert reading.reason is reason


def test_a_sold_out_page_may_hide_its_price(site: Site) -> None:
    hidden = PAGE.replace('<b class="now">19,99 €</b></p>', "</p>").replace("Nur noch wenige", "Vergriffen")
    reading = read(site, hidden.replace('"price":"19.99"', '"price":""'))

    assert isinstance(reading, Unreadable)
    assert reading.reason is Missing.OOS_NO_PRICE


def test_a_stock_word_nobody_mapped_stays_unknown(site: Site) -> None:
    reading = read(site, PAGE.replace("Nur noch wenige", "Vielleicht"))

    assert isinstance(reading, Extraction)
    assert reading.record.availability == "unknown"


def test_a_json_answer_is_read_by_its_paths(tmp_path: Path) -> None:
    site = site_of(
        tmp_path,
        """
id: corner-shop
version: 1.0.0
app: prices
domain: corner.example.com
answers: json
fields:
  title: {json_path: items.0.name}
  price: {json_path: items.0.prices.value}
  currency: {json_path: items.0.prices.currency}
  availability: {json_path: items.0.available}
""",
    )
    item = {"name": "Small lamp", "prices": [{"value": 19.99, "currency": "usd"}], "available": True}

    reading = read(site, json.dumps({"items": [item]}), "application/json")

    assert isinstance(reading, Extraction), reading
    offer = reading.record
    assert (offer.price_cents, offer.currency, offer.availability) == (1999, "USD", "in_stock")


def test_state_inside_a_script_is_read_by_its_paths(tmp_path: Path) -> None:
    places = (
        ("title: {css: h1}", "title: {state: window.shop, json_path: product.name}"),
        ("    - {css: .price .now}\n", "    - {state: window.shop, json_path: product.price}\n"),
    )
    text = SHOP.replace("product: main.product\n", "")
    for old, new in places:
        text = text.replace(old, new)
    site = site_of(tmp_path, text)
    state = '<script>window.shop = {"product": {"name": "Lampe", "price": "19.99"}};</script>'

    reading = read(site, PAGE.replace("</body>", f"{state}</body>"))

    assert isinstance(reading, Extraction), reading
    assert (reading.record.title, reading.record.price_cents) == ("Lampe", 1999)


def test_parse_knows_the_sites_of_a_config_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site_of(tmp_path, SHOP)
    saved = tmp_path / "page.html"
    saved.write_text(PAGE, encoding="utf-8")

    code = parse_and_show(saved, "corner-shop", URL, as_json=True, config=tmp_path / "limpet.toml")

    answer = json.loads(capsys.readouterr().out)
    assert code == 0
    assert (answer["outcome"], answer["price_cents"], answer["sku"]) == ("succeeded", 1999, "L-7")
