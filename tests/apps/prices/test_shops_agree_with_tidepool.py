"""What each pretend shop knows to be true is what the adapter of its model reads from it, over real HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

from limpet.apps.prices.sites import brownells, midwayusa, primary_arms
from limpet.extract import Extraction, Site, Unreadable
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target import Target
from limpet.target.address import canonicalize
from tidepool import Tidepool

ADAPTERS: dict[str, Site] = {
    "midway": midwayusa.SITE,
    "brown": brownells.SITE,
    "primary": primary_arms.SITE,
}
AVAILABILITY = {
    "InStock": "in_stock",
    "OutOfStock": "out_of_stock",
    "Discontinued": "out_of_stock",
    "BackOrder": "backorder",
    "PreOrder": "backorder",
}
UNREADABLE = {
    "sold_out_unpriced": "oos_no_price",
    "call_for_price": "price_not_found",
    "variants": "ambiguous_variants",
    "delisted": "listing_page",
}
SEED, PRODUCTS = 11, 80  # twice forty: every kind, and families of both sorts

Reading = Extraction[Any] | Unreadable | None


class Way:
    """Visits the pretend shops under their own names and follows redirects, as the way out does."""

    def __init__(self, session: aiohttp.ClientSession, port: int) -> None:
        self._session = session
        self._port = port

    async def get(self, url: str, **request: Any) -> Page:
        headers = {"Accept": "text/html,*/*;q=0.8", **(request.get("headers") or {})}
        asked, hops = url, 0
        while True:
            parts = urlsplit(url)
            place = f"http://127.0.0.1:{self._port}{parts.path}" + (f"?{parts.query}" if parts.query else "")
            async with self._session.get(
                place, headers={**headers, "Host": parts.netloc}, allow_redirects=False
            ) as answer:
                body = await answer.read()
            if "Location" not in answer.headers or hops == 3:
                break
            url, hops = answer.headers["Location"], hops + 1
        heard = {name.lower(): value for name, value in answer.headers.items()}
        return Page(asked, url, answer.status, heard, body, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
async def pool() -> AsyncIterator[Tidepool]:
    async with Tidepool(seed=SEED, products=PRODUCTS, heavy_kilobytes=60) as pool:
        yield pool


@pytest.fixture
async def way(pool: Tidepool) -> AsyncIterator[Way]:
    async with aiohttp.ClientSession() as session:
        yield Way(session, pool.port)


async def read(pool: Tidepool, way: Way, shop: str, path: str) -> Reading:
    """Return what the adapter makes of the page, or None when the shop refused it."""
    site, url = ADAPTERS[shop], pool.url(shop, path)
    source = Source(id=shop, app="prices", site=site.id, hosts=(f"{shop}.tidepool.localhost",))
    target = Target(shop, canonicalize(url, http_only=True), url, "tidepool.localhost")
    page = await site.route(way, source, target)
    return site.page_model.read(page, target) if page.status == 200 else None


def paths_of(pool: Tidepool, shop: str) -> list[str]:
    site = pool.site(shop)
    return [site.api_path(one) if shop == "primary" else one.path for one in site.catalogue]


def variant_path(pool: Tidepool, shop: str, path: str, number: int) -> str:
    return f"/api/items?id={number}" if shop == "primary" else f"{path}?{pool.site(shop).choice}={number}"


def facts(record: Any) -> dict[str, Any]:
    return {
        "price_cents": record.price_cents,
        "currency": record.currency,
        "availability": str(record.availability),
        "sku": record.retailer_sku,
        "upc": record.upc,
        "brand": record.brand,
        "name": record.title,
    }


def facts_in(truth: dict[str, Any]) -> dict[str, Any]:
    wanted = ("price_cents", "currency", "availability", "sku", "upc", "brand", "name")
    return {name: truth[name] for name in wanted} | {"availability": AVAILABILITY[truth["availability"]]}


@pytest.mark.parametrize("shop", ADAPTERS)
@pytest.mark.parametrize("tick", [0, 9])
async def test_every_product_reads_as_the_shop_means_it(pool, way, shop, tick) -> None:
    pool.advance(tick)
    kinds = set()
    for path in paths_of(pool, shop):
        truth = pool.world.truth(shop, path)
        assert truth is not None

        reading = await read(pool, way, shop, path)

        kind = truth["kind"]
        kinds.add(kind)
        if kind == "withdrawn":
            assert reading is None
        elif kind in UNREADABLE:
            gone = shop == "primary" and kind == "delisted"
            assert isinstance(reading, Unreadable), (truth, reading)
            assert reading.reason.value == ("gone" if gone else UNREADABLE[kind]), (truth, reading.details)
        else:
            assert isinstance(reading, Extraction), (truth, reading)
            assert facts(reading.record) == facts_in(truth)
    assert len(kinds) == 13


@pytest.mark.parametrize("shop", ADAPTERS)
async def test_a_variant_named_in_the_address_is_an_offer_of_its_own(pool, way, shop) -> None:
    families = [path for path in paths_of(pool, shop) if pool.world.truth(shop, path)["kind"] == "variants"]
    keys = set()
    for path in families:
        for number in pool.world.truth(shop, path)["variants"]:
            chosen = variant_path(pool, shop, path, number)

            reading = await read(pool, way, shop, chosen)

            truth = pool.world.truth(shop, chosen)
            assert isinstance(reading, Extraction), (chosen, reading)
            # The JSON-LD of a family names no code but the view model's, which is that of the chosen one.
            assert facts(reading.record) == facts_in(truth)
            keys.add(reading.record.identity_key)
    assert len(keys) == 3 * len(families) == 6


@pytest.mark.parametrize("shop", ["midway", "brown"])
async def test_a_variant_the_family_does_not_have_is_not_guessed_at(pool, way, shop) -> None:
    for path in paths_of(pool, shop):
        if pool.world.truth(shop, path)["kind"] in ("in_stock", "variants"):
            bare = path.partition("?")[0]

            reading = await read(pool, way, shop, f"{bare}?{pool.site(shop).choice}=1")

            assert pool.world.truth(shop, f"{bare}?{pool.site(shop).choice}=1") is None
            assert isinstance(reading, Unreadable), reading


async def test_tiers_of_the_api_are_kept_beside_the_price(pool, way) -> None:
    for path in paths_of(pool, "primary"):
        truth = pool.world.truth("primary", path)
        if truth["kind"] == "tiered":
            reading = await read(pool, way, "primary", path)

            assert isinstance(reading, Extraction)
            assert {tier.min_quantity: tier.price_cents for tier in reading.record.tiers} == truth["tiers"]


async def test_the_offer_of_an_api_names_the_page_people_see(pool, way) -> None:
    product = next(one for one in pool.site("primary").catalogue if one.kind == "in_stock")

    reading = await read(pool, way, "primary", pool.site("primary").api_path(product))

    assert isinstance(reading, Extraction)
    assert reading.record.url == pool.url("primary", product.path)


@pytest.mark.parametrize("shop", ADAPTERS)
async def test_a_redesigned_shop_is_not_believed_about_anything(pool, way, shop) -> None:
    pool.set_fault(shop, "redesigned")

    readings = [await read(pool, way, shop, path) for path in paths_of(pool, shop)]

    assert not any(isinstance(reading, Extraction) for reading in readings)


@pytest.mark.parametrize("shop", ADAPTERS)
@pytest.mark.parametrize("what", ["json_ld", "keys"])
async def test_half_a_redesign_never_gives_a_wrong_price(pool, way, shop, what) -> None:
    pool.set_fault(shop, "redesigned", what=what)

    for path in paths_of(pool, shop):
        reading = await read(pool, way, shop, path)

        if isinstance(reading, Extraction):
            assert reading.record.price_cents == pool.world.truth(shop, path)["price_cents"]


@pytest.mark.parametrize("shop", ["midway", "brown"])
async def test_a_broken_block_beside_a_good_one_harms_nothing(pool, way, shop) -> None:
    path = next(one for one in paths_of(pool, shop) if pool.world.truth(shop, one)["kind"] == "in_stock")
    pool.set_fault(shop, "json_ld_malformed")

    reading = await read(pool, way, shop, path)

    assert isinstance(reading, Extraction), reading
    assert facts(reading.record) == facts_in(pool.world.truth(shop, path))


@pytest.mark.parametrize("shop", ADAPTERS)
@pytest.mark.parametrize(
    ("fault", "reason"), [("challenge_200", "blocked_page"), ("captcha_200", "blocked_page")]
)
async def test_a_challenge_with_200_is_no_product(pool, way, shop, fault, reason) -> None:
    pool.set_fault(shop, fault)

    reading = await read(pool, way, shop, paths_of(pool, shop)[0])

    assert isinstance(reading, Unreadable)
    assert reading.reason.value == reason


@pytest.mark.parametrize("shop", ADAPTERS)
async def test_stock_nobody_states_is_unknown(pool, way, shop) -> None:
    path = next(one for one in paths_of(pool, shop) if pool.world.truth(shop, one)["kind"] == "in_stock")
    pool.set_fault(shop, "stock_unknown")

    reading = await read(pool, way, shop, path)

    assert isinstance(reading, Extraction), reading
    assert str(reading.record.availability) == "unknown"
