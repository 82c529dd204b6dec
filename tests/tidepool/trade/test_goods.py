"""The goods are the same in every shop; prices, stock and what is special about them are not."""

from __future__ import annotations

from tidepool.site import Setup
from tidepool.world import SITES

SHOPS = [build(Setup(seed=7, products=80)) for build in (SITES["midway"], SITES["brown"], SITES["primary"])]


def test_one_product_has_one_code_everywhere() -> None:
    for index in range(80):
        codes = {shop.catalogue.product(index).upc for shop in SHOPS}

        assert len(codes) == 1


def test_every_code_passes_a_scanner() -> None:
    for product in SHOPS[0].catalogue:
        digits = [int(digit) for digit in product.upc]

        assert len(digits) == 12
        assert (sum(digits[::2]) * 3 + sum(digits[1::2])) % 10 == 0


def test_shops_ask_different_prices_for_the_same_thing() -> None:
    prices = [[shop.truth(one.path, tick=0)["price_cents"] for one in shop.catalogue] for shop in SHOPS]

    assert sum(len(set(asked)) > 1 for asked in zip(*prices, strict=True)) > 60


def test_what_is_tiered_here_is_something_else_there() -> None:
    kinds = [[product.kind for product in shop.catalogue] for shop in SHOPS]

    assert sum(len(set(alike)) > 1 for alike in zip(*kinds, strict=True)) > 40
