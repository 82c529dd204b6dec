"""Mistakes other price monitors are known to make when they read a page; each has a test that we do not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from limpet.apps.prices.offer import Offer
from limpet.apps.prices.rules import RULES
from limpet.apps.prices.sites import SITES
from limpet.engine.ending import ending_of_unreadable, ending_of_verdict
from limpet.extract import Extraction, Unreadable
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target import Target
from limpet.target.address import canonicalize
from limpet.validate import Circumstances, judge

SITES_FOLDER = Path(__file__).parents[3] / "src" / "limpet" / "apps" / "prices" / "sites"
SITE_BY_ID = {site.id: site for site in SITES}
NOW = datetime(2026, 2, 10, tzinfo=UTC)
SHOPS = ("sgammo", "midwayusa", "brownells", "primary_arms")


def read(
    site_id: str, case: str, *, url: str | None = None, change: tuple[bytes, bytes] = (b"", b"")
) -> Extraction[Offer] | Unreadable:
    """Read one of the site's fixtures, perhaps at another address or with some bytes exchanged."""
    folder = SITES_FOLDER / site_id / "fixtures" / case
    address = canonicalize(url or json.loads((folder / "meta.json").read_text())["url"])
    body = next(folder.glob("page.*")).read_bytes()
    assert change[0] in body
    page = Page(address, address, 200, {}, body.replace(*change) if change[0] else body, NOW)
    return SITE_BY_ID[site_id].page_model.read(page, Target(site_id, address, address, "lane"))


def ending(reading: Extraction[Offer] | Unreadable) -> tuple[str, str | None]:
    """Return how a run would end for this page: its outcome and its reason."""
    if isinstance(reading, Unreadable):
        return ending_of_unreadable(reading)[:2]
    offer = reading.record
    circumstances = Circumstances(
        source=Source(id=offer.source_id, app="prices", site=offer.source_id, hosts=()),
        target=Target(offer.source_id, offer.url, offer.url, "lane"),
        now=NOW,
        first_in_run=lambda _: True,
    )
    return ending_of_verdict(judge(reading, RULES, circumstances))[:2]


@pytest.mark.parametrize("site_id", SHOPS)
def test_a_zero_price_reaches_quarantine_and_is_never_called_missing(site_id: str) -> None:
    assert ending(read(site_id, "zero_price")) == ("quarantined", "zero_price_extracted")


@pytest.mark.parametrize(
    ("site_id", "case"),
    [("sgammo", "call_for_price"), ("midwayusa", "call_for_price"), ("primary_arms", "price_unreadable")],
)
def test_a_price_that_cannot_be_read_never_becomes_zero(site_id: str, case: str) -> None:
    assert ending(read(site_id, case)) == ("failed", "price_not_found")


@pytest.mark.parametrize(
    "words", ["Unavailable - Limited Production", "Unavailable", "Not Available", "No longer available"]
)
def test_unavailable_is_not_available(words: str) -> None:
    change = (b"Unavailable - Limited Production", words.encode())

    reading = read("midwayusa", "sold_out_with_price", change=change)

    assert isinstance(reading, Extraction)
    assert reading.record.availability == "out_of_stock"


@pytest.mark.parametrize(
    ("site_id", "case"), [("brownells", "variant_not_chosen"), ("midwayusa", "variant_not_chosen")]
)
def test_without_a_selector_no_variant_is_taken_for_the_product(site_id: str, case: str) -> None:
    assert ending(read(site_id, case)) == ("quarantined", "ambiguous_variants")


@pytest.mark.parametrize(
    ("site_id", "case"),
    [
        ("sgammo", "two_amounts"),
        ("midwayusa", "two_prices_stated"),
        ("brownells", "witnesses_disagree"),
        ("primary_arms", "price_fields_disagree"),
    ],
)
def test_several_candidates_for_the_price_are_set_aside(site_id: str, case: str) -> None:
    assert ending(read(site_id, case)) == ("quarantined", "ambiguous_price")


@pytest.mark.parametrize(
    ("site_id", "case", "urls"),
    [
        (
            "midwayusa",
            "one_pack_without_pid",
            (
                "https://www.midwayusa.com/product/700100200",
                "https://www.midwayusa.com/product/700100200?pid=410111",
                "http://www.midwayusa.com/product/700100200/?pid=410111&utm_source=mail",
                "https://www.midwayusa.com/product/700100200?gclid=x&PID=410111",
            ),
        ),
        (
            "brownells",
            "one_variant_without_sku",
            (
                "https://www.brownells.com/ammunition/shotgun-ammunition/harbor-clay-load-12-gauge/",
                "https://www.brownells.com/ammunition/shotgun-ammunition/harbor-clay-load-12-gauge?sku=205000002",
            ),
        ),
        (
            "primary_arms",
            "in_stock",
            (
                "https://www.primaryarms.com/api/items?fieldset=details&id=5501",
                "https://www.primaryarms.com/api/items?url=harbor-ammunition-range-5.56-nato-55-gr-fmj-box-of-20",
            ),
        ),
    ],
)
def test_a_product_has_one_identity_whatever_form_its_address_has(
    site_id: str, case: str, urls: tuple[str, ...]
) -> None:
    readings = [read(site_id, case, url=url) for url in urls]

    assert all(isinstance(reading, Extraction) for reading in readings), readings
    assert len({r.record.identity_key for r in readings if isinstance(r, Extraction)}) == 1


@pytest.mark.parametrize("site_id", ["sgammo", "midwayusa", "primary_arms"])
def test_a_challenge_with_status_200_is_noticed(site_id: str) -> None:
    assert ending(read(site_id, "challenge_with_200")) == ("failed", "blocked_page")


@pytest.mark.parametrize(
    ("site_id", "case"), [("sgammo", "in_stock_with_tiers"), ("brownells", "variant_chosen")]
)
def test_the_machinery_of_challenges_on_a_healthy_page_is_no_block(site_id: str, case: str) -> None:
    assert ending(read(site_id, case)) == ("succeeded", None)


@pytest.mark.parametrize(
    ("case", "availability"), [("in_stock", "in_stock"), ("sold_out_with_price", "out_of_stock")]
)
def test_the_inverted_flag_is_never_asked(case: str, availability: str) -> None:
    for value in (b"true", b"false"):
        other = {b"true": b"false", b"false": b"true"}[value]
        page = (SITES_FOLDER / "primary_arms" / "fixtures" / case / "page.json").read_bytes()
        flag = b'"custitem_in_stock": '
        change = (flag + value, flag + other) if flag + value in page else (b"", b"")

        reading = read("primary_arms", case, change=change)

        assert isinstance(reading, Extraction)
        assert reading.record.availability == availability


def test_the_unit_price_of_the_analytics_is_no_price() -> None:
    assert ending(read("midwayusa", "layout_changed")) == ("failed", "page_structure_changed")


@pytest.mark.parametrize("site_id", ["sgammo", "midwayusa", "brownells"])
def test_a_product_that_became_a_listing_is_not_taken_for_a_changed_layout(site_id: str) -> None:
    reading = read(site_id, "became_a_listing") if site_id != "midwayusa" else _redirected()

    assert ending(reading) == ("failed", "listing_page")


def _redirected() -> Extraction[Offer] | Unreadable:
    """The category a retired family leads to, read as the answer to the family's own address."""
    folder = SITES_FOLDER / "midwayusa" / "fixtures" / "became_a_listing"
    meta = json.loads((folder / "meta.json").read_text())
    page = Page(meta["url"], meta["final_url"], 200, {}, (folder / "page.html").read_bytes(), NOW)
    target = Target("midwayusa", meta["url"], meta["url"], "lane")
    return SITE_BY_ID["midwayusa"].page_model.read(page, target)


@pytest.mark.parametrize("site_id", SHOPS)
def test_sold_out_without_a_price_is_expected_and_not_a_failure(site_id: str) -> None:
    assert ending(read(site_id, "sold_out_without_price")) == ("dropped", "oos_no_price")


@pytest.mark.parametrize("site_id", ["sgammo", "midwayusa", "brownells"])
def test_contradicting_stock_signals_are_dropped_and_not_guessed(site_id: str) -> None:
    assert ending(read(site_id, "stock_signals_contradict")) == ("dropped", "unknown_availability")


def test_the_retailer_is_not_taken_for_the_maker() -> None:
    reading = read("sgammo", "in_stock_with_tiers")

    assert isinstance(reading, Extraction)
    assert reading.record.brand == "Harbor"


@pytest.mark.parametrize(
    ("site_id", "case"),
    [
        ("sgammo", "in_stock_with_tiers"),
        ("midwayusa", "in_stock"),
        ("brownells", "variant_chosen"),
        ("primary_arms", "in_stock"),
    ],
)
def test_an_offer_names_the_version_that_read_it(site_id: str, case: str) -> None:
    reading = read(site_id, case)

    assert isinstance(reading, Extraction)
    assert reading.record.adapter_version == SITE_BY_ID[site_id].version
