"""The shared WooCommerce reading: its quick way never says anything the thorough way would not."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from limpet.apps.prices.models.woocommerce import WooCommercePage
from limpet.apps.prices.offer import Offer, Tier
from limpet.apps.prices.sites import SITES
from limpet.apps.prices.sites.sgammo import SITE as SGAMMO
from limpet.extract import Extraction, Unreadable
from limpet.extract.document import markup_of
from limpet.extract.failure import CannotRead
from limpet.extract.parse.stock import Availability
from limpet.fetch.page import Page
from limpet.target import Target

SITES_FOLDER = Path(__file__).parents[3] / "src" / "limpet" / "apps" / "prices" / "sites"
WOOCOMMERCE = {site.id for site in SITES if isinstance(site.page_model, WooCommercePage)}
CASES = sorted(case for name in WOOCOMMERCE for case in SITES_FOLDER.glob(f"{name}/fixtures/*/page.html"))
SAVED_PAGE = Path(__file__).parents[3].parent / "shared" / "pages" / "sgammo-in-stock.html"
TARGET = Target("shop", "https://shop.test/p/1", "https://shop.test/p/1", "shop.test")
GOOD = (SITES_FOLDER / "sgammo" / "fixtures" / "in_stock_with_tiers" / "page.html").read_bytes()


def page(body: bytes) -> Page:
    headers = {"content-type": "text/html; charset=UTF-8"}
    return Page(TARGET.url, TARGET.url, 200, headers, body, datetime(2026, 2, 10, tzinfo=UTC))


def model_of(site_id: str) -> WooCommercePage:
    model = next(site for site in SITES if site.id == site_id).page_model
    assert isinstance(model, WooCommercePage)
    return model


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parts[-4]}-{case.parts[-2]}")
def test_the_quick_reading_agrees_with_the_thorough_one_or_keeps_silent(case: Path) -> None:
    model, origin = model_of(case.parts[-4]), page(case.read_bytes())

    try:
        markup = markup_of(origin)
        quick = model._quickly(markup, origin, TARGET)
        thorough: Offer | None = model._thoroughly(markup, origin, TARGET)
    except CannotRead:
        quick = thorough = None

    assert quick in (None, thorough)


def test_the_quick_reading_serves_the_usual_page() -> None:
    model = model_of("sgammo")

    assert model._quickly(GOOD, page(GOOD), TARGET) is not None


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"price":"289.5"', b'"price":"28.95"', "ambiguous_price"),  # one of two blocks is off
        (b'"priceCurrency":"USD"', b'"priceCurrency":"EUR"', "ambiguous_price"),
        (b"289.50</bdi>", b"1.234</bdi>", "ambiguous_price"),
        (b"289.50</bdi>", b"</bdi>", "price_not_found"),
        (
            b'<div id="product-41001"',
            b'<div id="product-1" class="sgammo-content-single-product"></div><div',
            None,
        ),
    ],
)
def test_a_page_that_contradicts_itself_is_not_believed(old: bytes, new: bytes, reason: str | None) -> None:
    assert old in GOOD

    reading = SGAMMO.page_model.read(page(GOOD.replace(old, new)), TARGET)

    assert isinstance(reading, Unreadable), reading
    assert reason in (None, reading.reason.value)


def test_without_json_ld_the_price_customers_see_is_enough() -> None:
    body = GOOD.replace(b"application/ld+json", b"application/json")

    reading = SGAMMO.page_model.read(page(body), TARGET)

    assert isinstance(reading, Extraction)
    assert reading.record.price_cents == 28950


def test_json_ld_in_a_comment_is_no_witness() -> None:
    block = b'<script type="application/ld+json">{"@type":"Product","offers":{"price":"1.00"}}</script>'
    liar = b"<!-- " + block + b" --></head>"

    reading = SGAMMO.page_model.read(page(GOOD.replace(b"</head>", liar)), TARGET)

    assert isinstance(reading, Extraction)
    assert reading.record.price_cents == 28950


def test_a_product_keeps_its_identity_when_it_sells_out() -> None:
    sold_out = (
        GOOD.replace(b" instock", b" outofstock")
        .replace(b"stock in-stock", b"stock out-of-stock")
        .replace(b"17+ in stock", b"Out of stock")
        .replace(b"schema.org/InStock", b"schema.org/OutOfStock")
        .replace(b'name="add-to-cart" value="41001"', b'name="notify"')
    )

    before, after = (SGAMMO.page_model.read(page(body), TARGET) for body in (GOOD, sold_out))

    assert isinstance(before, Extraction)
    assert isinstance(after, Extraction)
    assert after.record.availability is Availability.OUT_OF_STOCK
    assert before.record.identity_key == after.record.identity_key == "PID:41001"


@pytest.mark.skipif(not SAVED_PAGE.exists(), reason="the saved page is not part of the project")
def test_the_real_page_reads_correctly() -> None:
    reading = SGAMMO.page_model.read(page(SAVED_PAGE.read_bytes()), TARGET)

    assert isinstance(reading, Extraction)
    offer = reading.record
    assert (offer.price_cents, offer.currency, offer.availability) == (28950, "USD", Availability.IN_STOCK)
    assert (offer.identity_key, offer.retailer_sku) == ("PID:19692", "90226 - case")
    assert offer.tiers == (Tier(2, 27490), Tier(4, 26990))
    assert (offer.round_count, offer.grain_weight, offer.brand) == (250, 135, "Hornady")
