"""The shop that is a script, read through its API."""

from __future__ import annotations

import json

import pytest

from tidepool.trade import Kind

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
ENVELOPE = {
    "total",
    "items",
    "corrections",
    "locale",
    "backendType",
    "backend",
    "volatility",
    "code",
    "warnings",
}


@pytest.fixture
def ask(pool, visitor):
    async def ask(path: str, status: int = 200) -> dict:
        headers = {"Accept": "application/json"}
        async with visitor.get(pool.url("primary", path), headers=headers) as response:
            assert response.status == status, path
            assert response.headers["Content-Type"].startswith("application/json")
            return await response.json()

    return ask


@pytest.fixture
def product_of(pool):
    def product_of(kind: str):
        catalogue, offer = pool.site("primary").catalogue, pool.site("primary").offer
        usual = {"in_stock", "tiered", "on_sale"}
        return next(
            one
            for one in catalogue
            if one.kind == kind and (kind not in usual or offer(one, tick=0).availability == "InStock")
        )

    return product_of


@pytest.fixture
def item_of(pool, ask, product_of):
    async def item_of(kind: str) -> tuple[dict, dict]:
        product = product_of(kind)
        answer = await ask(pool.site("primary").api_path(product))
        return answer["items"][0], pool.world.truth("primary", product.path)

    return item_of


async def test_the_page_is_a_shell_that_says_nothing(pool, visitor, product_of) -> None:
    shells = []
    for kind in ("in_stock", "sold_out"):
        async with visitor.get(pool.url("primary", product_of(kind).path), headers=BROWSER) as response:
            shells.append(await response.text())

    assert shells[0] == shells[1]
    assert "$" not in shells[0]
    assert "ld+json" not in shells[0]


async def test_the_api_refuses_who_asks_for_html(pool, visitor, product_of) -> None:
    address = pool.url("primary", pool.site("primary").api_path(product_of("in_stock")))

    async with visitor.get(address, headers=BROWSER) as response:
        assert response.status == 406


async def test_an_item_comes_in_its_envelope_with_all_its_numbers(pool, ask, product_of) -> None:
    product = product_of("in_stock")
    truth = pool.world.truth("primary", product.path)

    answer = await ask(pool.site("primary").api_path(product))
    [item] = answer["items"]

    assert answer.keys() == ENVELOPE
    assert (answer["total"], answer["code"], answer["locale"]["currency"]) == (1, 200, "USD")
    assert (item["internalid"], item["itemid"]) == (truth["internal_id"], truth["sku"])
    assert item["mpn"] == item["displayname"] == truth["sku"]
    assert (item["pagetitle"], item["upccode"], item["manufacturer"]) == (
        truth["name"],
        truth["upc"],
        truth["brand"],
    )
    assert round(item["onlinecustomerprice"] * 100) == truth["price_cents"]
    assert item["onlinecustomerprice_detail"]["onlinecustomerprice"] == item["onlinecustomerprice"]
    assert f"/{item['urlcomponent']}" == product.path


async def test_an_item_is_found_by_its_number_too(pool, ask, product_of) -> None:
    product = product_of("in_stock")

    [item] = (await ask(f"/api/items?fieldset=details&id={product.id}"))["items"]

    assert item["urlcomponent"] == product.path[1:]
    assert pool.world.truth("primary", f"/api/items?id={product.id}")["internal_id"] == product.id


async def test_attributes_are_json_in_a_string_and_images_have_spaces(item_of) -> None:
    item, truth = await item_of("in_stock")

    told = {
        one["attribute"]: one["value"] for one in json.loads(item["custitem_test_for_website"])["attributes"]
    }

    assert told["Brand"] == truth["brand"]
    assert told["Bullet Weight"].endswith(" gr")
    assert told["Shot Size"] == "&nbsp;"
    assert " " in item["itemimages_detail"]["urls"][0]["url"]


@pytest.mark.parametrize(
    ("kind", "in_stock", "backorderable", "purchasable", "preorder"),
    [
        ("in_stock", True, False, True, False),
        ("sold_out", False, False, False, False),
        ("backorder", False, True, True, False),
        ("preorder", False, True, True, True),
        ("discontinued", False, False, False, False),
    ],
)
async def test_stock_is_said_by_flags_one_of_which_lies(
    item_of, kind, in_stock, backorderable, purchasable, preorder
) -> None:
    item, _ = await item_of(kind)

    assert (item["isinstock"], item["quantityavailable"] > 0) == (in_stock, in_stock)
    assert (item["isbackorderable"], item["ispurchasable"]) == (backorderable, purchasable)
    assert item["custitem_sc_ns_enable_pre_order"] == preorder
    assert item["custitem_in_stock"] is not in_stock


async def test_a_sold_out_item_keeps_its_price(item_of) -> None:
    item, truth = await item_of("sold_out")

    assert round(item["onlinecustomerprice"] * 100) == truth["price_cents"]


@pytest.mark.parametrize(
    ("kind", "message"), [("call_for_price", "Call for price"), ("sold_out_unpriced", "")]
)
async def test_a_hidden_price_is_left_out(item_of, kind, message) -> None:
    item, _ = await item_of(kind)

    assert "onlinecustomerprice" not in item
    assert item["onlinecustomerprice_detail"] == {}
    assert (item["dontshowprice"], item["nopricemessage"]) == (True, message)


async def test_zero_is_a_price(item_of) -> None:
    assert (await item_of("zero_price"))[0]["onlinecustomerprice"] == 0


async def test_a_sale_names_its_list_price_and_tiers_a_schedule(item_of) -> None:
    sale, _ = await item_of("on_sale")
    tiered, truth = await item_of("tiered")
    steps = tiered["onlinecustomerprice_detail"]["priceschedule"]

    assert sale["pricelevel1"] > sale["onlinecustomerprice"]
    assert {one["minimumquantity"]: round(one["price"] * 100) for one in steps} == {
        1: truth["price_cents"],
        **truth["tiers"],
    }
    assert [one["maximumquantity"] for one in steps][:2] == [2, 4]


async def test_a_matrix_item_shows_its_children_and_each_is_an_item(pool, ask, item_of) -> None:
    item, truth = await item_of("variants")
    children = {one["internalid"]: one for one in item["matrixchilditems_detail"]}

    assert children.keys() == truth["variants"].keys()
    assert round(item["onlinecustomerprice"] * 100) == min(truth["variants"].values())
    for number, cents in truth["variants"].items():
        [child] = (await ask(f"/api/items?id={number}"))["items"]
        assert (child["internalid"], round(child["onlinecustomerprice"] * 100)) == (number, cents)
        assert "matrixchilditems_detail" not in child


@pytest.mark.parametrize("query", ["url=nothing-tp99999", "id=1", "id=4000009", "id=99999999", "id=x", "n=2"])
async def test_what_is_not_there_is_an_empty_list(ask, query) -> None:
    answer = await ask(f"/api/items?{query}")

    assert (answer["items"], answer["total"], answer["code"]) == ([], 0, 200)


async def test_what_is_gone_is_an_empty_list_or_404(pool, ask, product_of) -> None:
    path_of = pool.site("primary").api_path

    assert (await ask(path_of(product_of("delisted"))))["items"] == []
    assert (await ask(path_of(product_of("withdrawn")), status=404))["code"] == 404


async def test_a_search_pages_through_everything_that_is_sold(pool, ask) -> None:
    sold = [one for one in pool.site("primary").catalogue if one.kind not in (Kind.DELISTED, Kind.WITHDRAWN)]
    query = "/api/items?fieldset=search&commercecategoryurl=/ammo&limit=96&offset="

    pages = [await ask(f"{query}{start}") for start in (0, 96, 192)]

    assert {page["total"] for page in pages} == {len(sold)}
    assert [len(page["items"]) for page in pages] == [96, len(sold) - 96, 0]
