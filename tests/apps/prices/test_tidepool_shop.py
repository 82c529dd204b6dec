"""What the pretend shop knows to be true is what we read from its pages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.apps.prices.sites.tidepool_shop import SITE
from limpet.extract import Extraction, Unreadable
from limpet.fetch.page import Page
from limpet.target import Target
from tidepool.shop.shop import Shop
from tidepool.site import Request, Setup

BASE = "http://shop.tidepool.localhost"
SHOP = Shop(Setup(seed=11, products=40))
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


async def read(path: str, query: str, tick: int) -> Extraction[object] | Unreadable | None:
    answer = await SHOP.answer(
        Request(method="GET", path=path, query=query, headers={"host": "shop.tidepool.localhost"}), tick=tick
    )
    if answer.status != 200:
        return None
    url = BASE + path + (f"?{query}" if query else "")
    page = Page(
        url,
        url,
        200,
        {"content-type": "text/html; charset=UTF-8"},
        answer.body,
        datetime(2026, 1, 1, tzinfo=UTC),
    )
    return SITE.page_model.read(page, Target("tidepool_shop", url, url, "tidepool.localhost"))


@pytest.mark.parametrize("tick", [0, 9])
async def test_every_kind_of_product_reads_as_the_shop_means_it(tick: int) -> None:
    kinds = set()
    for index in range(40):
        product = SHOP.catalogue.product(index)
        truth = SHOP.truth(product.path, tick=tick)
        assert truth is not None

        reading = await read(product.path, "", tick)

        kinds.add(truth["kind"])
        if truth["kind"] == "withdrawn":
            assert reading is None
        elif truth["kind"] in UNREADABLE:
            assert isinstance(reading, Unreadable), (truth, reading)
            assert reading.reason.value == UNREADABLE[truth["kind"]]
        else:
            assert isinstance(reading, Extraction), (truth, reading)
            assert facts(reading.record) == (
                truth["price_cents"],
                truth["currency"],
                AVAILABILITY[truth["availability"]],
                truth["sku"],
                f"PID:{truth['post_id']}",
            )
    assert len(kinds) == 13


async def test_a_chosen_variant_is_an_offer_of_its_own() -> None:
    product = next(
        SHOP.catalogue.product(index)
        for index in range(40)
        if SHOP.catalogue.product(index).kind == "variants"
    )
    truth = SHOP.truth(product.path, tick=0)
    assert truth is not None

    for variation_id, cents in truth["variants"].items():
        reading = await read(product.path, f"variation_id={variation_id}", 0)

        assert isinstance(reading, Extraction), reading
        assert facts(reading.record)[0] == cents
        assert facts(reading.record)[4] == f"PID:{variation_id}"


def facts(offer: object) -> tuple[object, ...]:
    names = ("price_cents", "currency", "availability", "retailer_sku", "identity_key")
    return tuple(getattr(offer, name) for name in names)
