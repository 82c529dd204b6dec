"""A shop of any shape can change overnight."""

from __future__ import annotations

import pytest

SHOPS = ["shop", "midway", "brown", "primary"]


@pytest.fixture
def ask(pool, visitor, path_of_kind):
    async def ask(site: str) -> str:
        path = path_of_kind("in_stock", site)
        if site == "primary":
            path = f"/api/items?url={path[1:]}"
        async with visitor.get(pool.url(site, path), headers={"Accept": "application/json"}) as response:
            assert response.status == 200
            return await response.text()

    return ask


@pytest.mark.parametrize(
    ("site", "what", "gone", "kept"),
    [
        ("shop", "json_ld", ["ld+json"], ["woocommerce-Price-amount"]),
        ("shop", "classes", ["woocommerce-Price-amount"], ["ld+json"]),
        ("shop", "keys", ['"offers":', '"availability":'], ["ld+json", "woocommerce-Price-amount"]),
        ("midway", "json_ld", ["ld+json"], ["universal_variable"]),
        ("midway", "keys", ['"offers":', '"price":', '"status":'], ["ld+json", '"offerList":']),
        ("midway", "everything", ["ld+json", "product-page-main-heading"], ["universal_variable"]),
        ("brown", "json_ld", ["ld+json"], [r"\u0022viewModel\u0022"]),
        ("brown", "keys", ['"offers":', r"\u0022viewModel\u0022"], ["ld+json", r"\u0022productModel\u0022"]),
        ("brown", "everything", ["ld+json", "pdp-info__", "isInStock\\u0022"], ["currentProduct"]),
        ("primary", "keys", ['"onlinecustomerprice":', '"isinstock":'], ['"customer_price":', '"items":']),
        ("primary", "everything", ['"onlinecustomerprice":', '"internalid":'], ['"items":']),
    ],
)
async def test_a_redesign_takes_away_what_a_reader_relied_on(pool, ask, site, what, gone, kept) -> None:
    healthy = await ask(site)
    pool.set_fault(site, "redesigned", what=what)

    drifted = await ask(site)

    assert all(sign in healthy and sign not in drifted for sign in gone)
    assert all(sign in drifted for sign in kept)


@pytest.mark.parametrize("site", SHOPS)
async def test_one_shop_drifts_and_the_others_do_not(pool, ask, site) -> None:
    others = [other for other in SHOPS if other != site]
    before = [await ask(other) for other in others]
    pool.set_fault(site, "redesigned")

    assert [await ask(other) for other in others] == before


@pytest.mark.parametrize(
    ("site", "shown"),
    [
        ("midway", '"price":"0.00"'),
        ("brown", '"price":0.00,'),
        ("brown", r"formattedProductCurrentPrice\u0022:\u0022$0.00\u0022"),
        ("primary", '"onlinecustomerprice":0.00,'),
    ],
)
async def test_prices_can_turn_to_zero_at_every_shop(pool, ask, site, shown) -> None:
    pool.set_fault(site, "price_zero")

    assert shown in await ask(site)


@pytest.mark.parametrize(
    ("site", "silent"),
    [
        ("midway", ["schema.org/InStock", '"status": "Available"', "'hasSellableProducts': true"]),
        ("brown", ["schema.org/InStock", r"\u0022isInStock\u0022:true"]),
        ("primary", ['"isinstock":true', '"ispurchasable":true']),
    ],
)
async def test_stock_can_turn_unknown_at_every_shop(pool, ask, site, silent) -> None:
    healthy = await ask(site)
    pool.set_fault(site, "stock_unknown")

    drifted = await ask(site)

    assert all(sign in healthy and sign not in drifted for sign in silent)


@pytest.mark.parametrize("site", ["midway", "brown", "primary"])
async def test_the_currency_can_change_at_every_shop(pool, ask, site) -> None:
    pool.set_fault(site, "currency_changed")

    drifted = await ask(site)

    assert '"EUR"' in drifted
    assert '"USD"' not in drifted


@pytest.mark.parametrize("site", ["midway", "brown"])
async def test_a_broken_block_can_stand_before_the_good_ones(pool, ask, site) -> None:
    healthy = await ask(site)
    pool.set_fault(site, "json_ld_malformed")

    drifted = await ask(site)

    assert drifted.count("ld+json") == healthy.count("ld+json") + 1
    assert drifted.index('"offers":{"price":}') < drifted.index("schema.org/InStock")
