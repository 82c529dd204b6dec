"""The shop filled in by script, read over HTTP: what is true and what is a trap."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from selectolax.lexbor import LexborHTMLParser

from tidepool.trade import Kind


@pytest.fixture
def read(page_at):
    return partial(page_at, "midway")


@pytest.fixture
def families(pool) -> list:
    return [product for product in pool.site("midway").catalogue if product.kind is Kind.VARIANTS]


def block(page: LexborHTMLParser) -> list[dict]:
    [node] = page.css('script[type="application/ld+json"]')
    return json.loads(node.text())


def script_with(page: LexborHTMLParser, word: str) -> str:
    return next(node.text() for node in page.css("script") if word in node.text())


def tracked_status(page: LexborHTMLParser) -> str:
    return re.search(r'universal_variable\.product = .*?"status": "([^"]*)"', page.html)[1]


async def test_a_page_is_heavy_and_shows_no_price(pool, read, listen, path_of_kind) -> None:
    path = path_of_kind("in_stock", "midway")
    truth = pool.world.truth("midway", path)
    heard = await listen(path, host="midway.tidepool.localhost")
    page = await read(path)

    assert 100_000 < len(heard.body) < 120_000
    assert page.css_first("main").text().count("$") == 0
    assert heard.body.count(f"{truth['price_cents'] / 100:.2f}".encode()) == 1


async def test_json_ld_is_one_array_with_the_upc_in_mpn(pool, read, path_of_kind) -> None:
    path = path_of_kind("in_stock", "midway")
    truth = pool.world.truth("midway", path)

    product, crumbs, gallery = block(await read(path))

    assert [one["@type"] for one in (product, crumbs, gallery)] == [
        "Product",
        "BreadcrumbList",
        "ImageGallery",
    ]
    assert (product["sku"], product["mpn"]) == (truth["sku"], truth["upc"])
    assert (product["name"], product["brand"]["name"]) == (truth["name"], truth["brand"])
    assert product["offers"]["price"] == f"{truth['price_cents'] / 100:.2f}"
    assert product["offers"]["availability"] == "https://schema.org/InStock"
    assert product["isVariantOf"]["type"] == "ProductGroup"


async def test_the_canonical_link_drops_the_pid_and_og_url_keeps_it(pool, read, path_of_kind) -> None:
    path = path_of_kind("in_stock", "midway")
    page = await read(path)

    assert page.css_first("link[rel=canonical]").attributes["href"] == pool.url("midway", path.split("?")[0])
    assert page.css_first('meta[property="og:url"]').attributes["content"] == pool.url("midway", path)


async def test_scripts_name_their_data_and_a_unit_price_that_is_none(
    pool, read, visitor, path_of_kind
) -> None:
    path = path_of_kind("in_stock", "midway")
    truth = pool.world.truth("midway", path)
    page = await read(path)
    told = json.loads(re.search(r"window\.icvData = (\{.*\})", script_with(page, "icvData"))[1])
    async with visitor.get(pool.url("midway", told["productDataUrl"])) as response:
        [item] = (await response.json())["saleItems"]

    assert told["selectedSaleItemId"] == truth["sku"]
    assert round(item["price"] * 100) == truth["price_cents"]
    assert set(re.findall(r'"unit_price": "([^"]*)"', page.html)) == {"0.00"}


@pytest.mark.parametrize(
    ("kind", "schema", "words", "sellable"),
    [
        ("in_stock", "InStock", {"Available"}, "true"),
        (
            "sold_out",
            "OutOfStock",
            {"Out of Stock", "Unavailable - Limited Production", "Temporarily Unavailable"},
            "false",
        ),
        ("backorder", "BackOrder", {"Backorder OK"}, "true"),
        ("preorder", "PreOrder", {"Coming Soon"}, "true"),
        ("discontinued", "Discontinued", {"Discontinued"}, "false"),
    ],
)
async def test_stock_is_said_three_times(read, path_of_kind, kind, schema, words, sellable) -> None:
    page = await read(path_of_kind(kind, "midway"))

    assert block(page)[0]["offers"]["availability"] == f"https://schema.org/{schema}"
    assert tracked_status(page) in words
    assert f"'hasSellableProducts': {sellable}" in page.html


async def test_sold_out_has_several_wordings(pool, read) -> None:
    sold_out = [one.path for one in pool.site("midway").catalogue if one.kind is Kind.SOLD_OUT]

    said = {tracked_status(await read(path)) for path in sold_out}

    assert "Unavailable - Limited Production" in said
    assert len(said) == 3


@pytest.mark.parametrize(
    ("kind", "price"), [("zero_price", "0.00"), ("call_for_price", None), ("sold_out_unpriced", None)]
)
async def test_a_price_of_nothing_and_no_price_are_different(read, path_of_kind, kind, price) -> None:
    assert block(await read(path_of_kind(kind, "midway")))[0]["offers"].get("price") == price


async def test_a_sold_out_page_keeps_its_price(pool, read, path_of_kind) -> None:
    path = path_of_kind("sold_out", "midway")

    price = block(await read(path))[0]["offers"]["price"]

    assert round(float(price) * 100) == pool.world.truth("midway", path)["price_cents"]


async def test_a_sale_names_the_crossed_out_price_apart(pool, read, path_of_kind) -> None:
    path = path_of_kind("on_sale", "midway")
    terms = block(await read(path))[0]["offers"]

    assert round(float(terms["price"]) * 100) == pool.world.truth("midway", path)["price_cents"]
    assert terms["priceSpecification"]["priceType"].endswith("/StrikethroughPrice")
    assert float(terms["priceSpecification"]["price"]) > float(terms["price"])


async def test_tiers_are_known_to_the_script_alone(pool, visitor, read, path_of_kind) -> None:
    path = path_of_kind("tiered", "midway")
    truth = pool.world.truth("midway", path)
    async with visitor.get(pool.url("midway", f"/api/product/data?id={truth['family_id']}")) as response:
        [item] = (await response.json())["saleItems"]

    assert {one["quantity"]: round(one["price"] * 100) for one in item["quantityPricing"]} == truth["tiers"]
    assert isinstance(block(await read(path))[0]["offers"]["price"], str)


async def test_some_families_show_every_pack_size_whichever_is_asked_for(pool, read, families) -> None:
    truth = pool.world.truth("midway", families[0].path)
    for path in (families[0].path, f"{families[0].path}?pid={list(truth['variants'])[1]}"):
        group = block(await read(path))[0]

        assert group["@type"] == "ProductGroup"
        assert {
            int(one["sku"]): round(float(one["offers"]["price"]) * 100) for one in group["hasVariant"]
        } == truth["variants"]
        assert all(one["offers"]["url"].endswith(f"?pid={one['sku']}") for one in group["hasVariant"])


async def test_other_families_show_only_the_pack_size_they_believe_is_meant(pool, read, families) -> None:
    truth = pool.world.truth("midway", families[1].path)
    first, second, _ = truth["variants"]

    unasked, asked = await read(families[1].path), await read(f"{families[1].path}?pid={second}")

    assert [block(page)[0]["sku"] for page in (unasked, asked)] == [str(first), str(second)]
    assert unasked.html.count('"sale_item_id"') == 4  # the page itself, and every pack size for the trackers


async def test_a_pid_of_another_family_is_no_product_of_this_one(pool, read, path_of_kind) -> None:
    path = path_of_kind("in_stock", "midway").split("?")[0]

    assert pool.world.truth("midway", f"{path}?pid=1") is None
    assert block(await read(f"{path}?pid=1"))[0]["sku"] == pool.world.truth("midway", path)["sku"]


async def test_a_delisted_product_sends_on_to_its_category(pool, visitor, read, path_of_kind) -> None:
    path = path_of_kind("delisted", "midway")
    async with visitor.get(pool.url("midway", path), allow_redirects=False) as response:
        assert response.status == 302
    page = await read(path)

    assert "/c?cid=" in page.css_first("link[rel=canonical]").attributes["href"]
    assert {one["@type"] for one in block(page)} == {"BreadcrumbList"}
    assert page.css("li.product-tile a")


async def test_data_of_what_is_gone_is_404(pool, visitor, path_of_kind) -> None:
    family = re.search(r"\d+", path_of_kind("withdrawn", "midway"))[0]

    async with visitor.get(pool.url("midway", f"/api/product/data?id={family}")) as response:
        assert response.status == 404
