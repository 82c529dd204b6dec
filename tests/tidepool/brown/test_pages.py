"""The shop with heavy pages, read over HTTP: an offer per variant, and many places that say other things."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from selectolax.lexbor import LexborHTMLParser

from tidepool import Tidepool


@pytest.fixture
def read(page_at):
    return partial(page_at, "brown")


def blocks(page: LexborHTMLParser) -> dict[str, dict]:
    found = [json.loads(node.text()) for node in page.css('script[type="application/ld+json"]')]
    return {block["@type"]: block for block in found}


def model(page: LexborHTMLParser) -> dict:
    text = re.search(r'currentProduct = JSON\.parse\("(.*)"\);', page.html)[1]
    assert '"' not in text
    return json.loads(json.loads(f'"{text}"'))


async def test_json_ld_comes_in_three_scripts_and_the_product_is_anonymous(pool, read, path_of_kind) -> None:
    path = path_of_kind("in_stock", "brown")
    truth = pool.world.truth("brown", path)

    found = blocks(await read(path))
    product = found["Product"]

    assert found.keys() == {"Organization", "Product", "BreadcrumbList"}
    assert product.keys().isdisjoint({"sku", "brand"})
    assert product["name"] == truth["name"]
    [offer] = product["offers"]
    assert (offer["sku"], round(offer["price"] * 100)) == (truth["sku"], truth["price_cents"])
    assert (offer["availability"], offer["priceValidUntil"]) == ("https://schema.org/InStock", "9999-12-31")
    assert offer["shippingDetails"]["shippingRate"]["value"] == 6.99


async def test_the_page_is_as_heavy_as_it_is_asked_to_be(listen, path_of_kind, visitor) -> None:
    path = path_of_kind("in_stock", "brown")
    heard = await listen(path, host="brown.tidepool.localhost")
    async with (
        Tidepool(heavy_kilobytes=900) as heavy,
        visitor.get(heavy.url("brown", path)) as response,
    ):
        body = await response.read()

    assert 190_000 < len(heard.body) < 215_000
    assert 880_000 < len(body) < 920_000


async def test_every_page_loads_a_captcha_script_and_shows_no_captcha(read, path_of_kind) -> None:
    page = await read(path_of_kind("in_stock", "brown"))

    assert page.css_first('script[src*="recaptcha/api.js"]') is not None
    assert page.css_first(".g-recaptcha, iframe") is None


async def test_variants_are_offers_and_only_a_sku_settles_which(pool, read, path_of_kind) -> None:
    path = path_of_kind("variants", "brown")
    truth = pool.world.truth("brown", path)
    sku, cents = list(truth["variants"].items())[1]
    undecided, decided = await read(path), await read(f"{path}?sku={sku}")

    for page in (undecided, decided):
        offers = blocks(page)["Product"]["offers"]
        assert {int(one["sku"]): round(one["price"] * 100) for one in offers} == truth["variants"]
    open_view, view = model(undecided)["viewModel"], model(decided)["viewModel"]
    assert " - " in open_view["formattedProductCurrentPrice"]
    assert (open_view["upc"], open_view["sku"]) == ("", "")
    assert view["formattedProductCurrentPrice"] == f"${cents / 100:,.2f}"
    assert (view["sku"], view["upc"]) == (str(sku), pool.world.truth("brown", f"{path}?sku={sku}")["upc"])


async def test_the_sku_beside_an_attribute_is_not_the_sku_of_that_attribute(pool, read, path_of_kind) -> None:
    path = path_of_kind("variants", "brown")
    variants = list(pool.world.truth("brown", path)["variants"])

    [group] = model(await read(path))["specificationSelectionModel"]

    assert [int(one["sku"]) for one in group["attributes"]] == [variants[-1], *variants[:-1]]
    assert [one["attributeStatus"] for one in group["attributes"]] == [1, 1, 4]


@pytest.mark.parametrize(
    ("kind", "schema", "flag"),
    [
        ("in_stock", "InStock", "isInStock"),
        ("sold_out", "OutOfStock", "isOutOfStock"),
        ("backorder", "BackOrder", "isBackOrder"),
        ("preorder", "PreOrder", "isPreOrder"),
        ("discontinued", "Discontinued", "isDiscontinued"),
    ],
)
async def test_stock_is_said_in_schema_and_in_one_flag(read, path_of_kind, kind, schema, flag) -> None:
    page = await read(path_of_kind(kind, "brown"))
    view = model(page)["viewModel"]
    flags = ("isInStock", "isOutOfStock", "isBackOrder", "isPreOrder", "isDiscontinued")

    assert blocks(page)["Product"]["offers"][0]["availability"] == f"https://schema.org/{schema}"
    assert [name for name in flags if view[name]] == [flag]


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("sold_out_unpriced", "clickToSeePriceEnable"), ("call_for_price", "addToCartToSeePriceEnable")],
)
async def test_a_hidden_price_is_nowhere_and_its_mode_says_so(read, path_of_kind, kind, mode) -> None:
    page = await read(path_of_kind(kind, "brown"))
    view = model(page)["viewModel"]

    assert view[mode]
    assert view["formattedProductCurrentPrice"] == ""
    assert "price" not in blocks(page)["Product"]["offers"][0]


async def test_a_sale_crosses_the_old_price_out(pool, read, path_of_kind) -> None:
    path = path_of_kind("on_sale", "brown")
    view = model(await read(path))["viewModel"]

    assert view["isTempPrice"]
    assert (
        view["formattedProductCurrentPrice"]
        == f"${pool.world.truth('brown', path)['price_cents'] / 100:,.2f}"
    )
    assert view["formattedProductCrossedOutPrice"] != view["formattedProductCurrentPrice"]


async def test_tiers_are_volume_discounts(pool, read, path_of_kind) -> None:
    path = path_of_kind("tiered", "brown")

    steps = model(await read(path))["viewModel"]["volumeDiscount"]

    assert [one["minQuantity"] for one in steps] == list(pool.world.truth("brown", path)["tiers"])


async def test_a_zero_price_is_a_zero(read, path_of_kind) -> None:
    page = await read(path_of_kind("zero_price", "brown"))

    assert blocks(page)["Product"]["offers"][0]["price"] == 0
    assert model(page)["viewModel"]["formattedProductCurrentPrice"] == "$0.00"


async def test_the_heading_wraps_maker_and_title(pool, read, path_of_kind) -> None:
    path = path_of_kind("in_stock", "brown")
    page = await read(path)

    assert (
        page.css_first("h1 .pdp-info__collection").text().strip() == pool.world.truth("brown", path)["brand"]
    )
    assert len(page.css("h1 span.pdp-info__title")) == 2
    assert page.css_first("h1.pdp-info__title") is None


async def test_neighbours_and_trackers_name_prices_of_their_own(pool, read, path_of_kind) -> None:
    path = path_of_kind("variants", "brown")
    page = await read(path)
    first = next(iter(pool.world.truth("brown", path)["variants"].values()))

    assert len(page.css(".recommended .price")) == 4
    assert f'"price":{first / 100:.2f}' in re.search(r"datalayerProduct = .*", page.html)[0]
    assert f"price_sale: '{first / 100:.2f}'" in page.html


async def test_a_removed_product_answers_with_its_category(pool, read, path_of_kind) -> None:
    path = path_of_kind("delisted", "brown")
    page = await read(path)

    assert page.css_first("link[rel=canonical]").attributes["href"] == pool.url(
        "brown", path.rsplit("/", 2)[0] + "/"
    )
    assert blocks(page).keys() == {"Organization", "Thing"}


async def test_a_missing_slash_is_redirected_with_its_sku(pool, visitor, path_of_kind) -> None:
    path = path_of_kind("in_stock", "brown")

    async with visitor.get(pool.url("brown", path.rstrip("/") + "?sku=1"), allow_redirects=False) as response:
        assert response.status == 301
    assert response.headers["Location"] == pool.url("brown", path) + "?sku=1"


async def test_a_sku_the_product_does_not_have_is_nothing(pool, path_of_kind) -> None:
    assert pool.world.truth("brown", path_of_kind("variants", "brown") + "?sku=1") is None
