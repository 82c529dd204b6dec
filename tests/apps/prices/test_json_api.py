"""The shared reading of JSON answers: a shop is a table of paths."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from limpet.apps.prices.models.json_api import JsonApiPage, JsonFields
from limpet.apps.prices.offer import Offer
from limpet.apps.prices.sites.primary_arms import SITE as PRIMARY_ARMS
from limpet.assembly import assemble
from limpet.errors import HttpStatusError
from limpet.extract import Extraction, Unreadable
from limpet.extract.parse.stock import Availability
from limpet.extract.site import straight
from limpet.fetch import Trail
from limpet.fetch.page import Page
from limpet.settings import Settings
from limpet.source import Pace, Source, Terms
from limpet.target import Target

NOW = datetime(2026, 2, 10, tzinfo=UTC)
ADDRESS = "https://shop.test/api/product?id=7"
SHOP = JsonApiPage(
    version="1.0.0",
    items="data",
    named_by={"id": "id"},
    fields=JsonFields(
        title=("name", "label"),
        prices=("price.amount",),
        stock=("stock.state", "stock.quantity"),
        currency=("price.currency", "shop.currency"),
        product_id=("id",),
        brand=("maker",),
        image=("images.0",),
    ),
)
BOOTS: dict[str, Any] = {
    "id": 7,
    "name": "Boots &amp; laces",
    "price": {"amount": 19.99, "currency": "USD"},
    "stock": {"state": "In stock", "quantity": 3},
}


def read(answer: Any, address: str = ADDRESS) -> Extraction[Offer] | Unreadable:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    page = Page(address, address, 200, {"content-type": "application/json"}, body, NOW)
    return SHOP.read(page, Target("shop", address, address, "shop.test"))


def offer_in(reading: Extraction[Offer] | Unreadable) -> Offer:
    assert isinstance(reading, Extraction), reading
    return reading.record


@pytest.mark.parametrize("answer", [{"data": BOOTS}, {"data": [BOOTS]}, {"data": [BOOTS, BOOTS | {"id": 8}]}])
def test_an_item_is_read_alone_in_a_list_or_among_others(answer: Any) -> None:
    offer = offer_in(read(answer))

    assert (offer.title, offer.price_cents, offer.currency) == ("Boots & laces", 1999, "USD")
    assert (offer.identity_key, offer.url) == ("PID:7", ADDRESS)
    assert offer.availability is Availability.IN_STOCK


@pytest.mark.parametrize(
    ("stock", "availability"),
    [
        ({"state": True}, Availability.IN_STOCK),
        ({"state": False, "quantity": 0}, Availability.OUT_OF_STOCK),
        ({"state": "https://schema.org/BackOrder"}, Availability.BACKORDER),
        ({"state": "Unavailable"}, Availability.OUT_OF_STOCK),
        ({"state": "In stock", "quantity": 0}, Availability.UNKNOWN),
        ({"state": "perhaps"}, Availability.UNKNOWN),
        ({}, Availability.UNKNOWN),
        (None, Availability.UNKNOWN),
    ],
)
def test_stock_fields_must_tell_one_story(stock: Any, availability: Availability) -> None:
    assert offer_in(read({"data": BOOTS | {"stock": stock}})).availability is availability


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "empty_page"),
        (b"<html>no</html>", "not_parsable"),
        (b'{"data": [', "not_parsable"),
        (b"[" * 100_000, "not_parsable"),
        ([], "page_structure_changed"),
        (5, "page_structure_changed"),
        ({"data": None}, "page_structure_changed"),
        ({"data": []}, "gone"),
        ({"data": [None, 5]}, "gone"),
        ({"status": 404}, "gone"),
        ({"data": BOOTS | {"id": 8}}, "ambiguous_variants"),
        ({"data": [BOOTS, BOOTS]}, "ambiguous_variants"),
        ({"data": BOOTS | {"name": "&nbsp;"}}, "title_not_found"),
        ({"data": BOOTS | {"price": {}}}, "price_not_found"),
        ({"data": BOOTS | {"price": {"amount": "19,99 or 20,99"}}}, "ambiguous_price"),
    ],
)
def test_an_answer_that_is_no_offer_says_why(answer: Any, reason: str) -> None:
    reading = read(answer)

    assert isinstance(reading, Unreadable), reading
    assert reading.reason.value == reason


def test_a_currency_stated_once_for_all_items_counts() -> None:
    answer = {"data": BOOTS | {"price": {"amount": "5"}}, "shop": {"currency": "CAD"}}

    assert offer_in(read(answer)).currency == "CAD"


async def test_a_shop_that_refuses_browsers_is_asked_for_json(tmp_path: Path) -> None:
    async def items(request: web.Request) -> web.Response:
        if request.headers["Accept"] != "application/json":
            return web.Response(status=406)
        return web.json_response({"items": []})

    app = web.Application()
    app.router.add_get("/api/items", items)
    source = Source(
        id="shop",
        app="prices",
        site="primary_arms",
        hosts=("127.0.0.1",),
        terms=Terms(reviewed_at=NOW, approved_by="a person"),
        pace=Pace(requests_per_second=None, min_delay_seconds=0),
        obey_robots=False,
        allow_private_addresses=True,
    )
    async with TestServer(app) as server, assemble(Settings(data_dir=tmp_path)) as house:
        url = str(server.make_url("/api/items"))
        target = Target("shop", url, url, "127.0.0.1")
        house.catalogue.register(source)
        way = house.desk.way(source, PRIMARY_ARMS, Trail())

        page = await PRIMARY_ARMS.route(way, source, target)

        assert page.status == 200
        with pytest.raises(HttpStatusError):
            await straight(way, source, target)
