"""The shop's goods: invented by seed, moved by tick."""

from __future__ import annotations

import pytest

from tidepool.shop import SHELF, Catalogue, Kind, offer_of


def test_the_same_seed_invents_the_same_products() -> None:
    assert list(Catalogue(7, 100, shelf=SHELF)) == list(Catalogue(7, 100, shelf=SHELF))
    assert list(Catalogue(7, 100, shelf=SHELF)) != list(Catalogue(8, 100, shelf=SHELF))


@pytest.mark.parametrize("seed", [0, 1, 7, 12345, -3])
def test_any_forty_products_in_a_row_hold_every_kind(seed: int) -> None:
    catalogue = Catalogue(seed, 100, shelf=SHELF)

    assert {catalogue.product(index).kind for index in range(30, 70)} == set(Kind)


def test_every_product_is_found_at_its_own_path_and_only_there() -> None:
    catalogue = Catalogue(7, 300, shelf=SHELF)

    assert all(catalogue.at(product.path) == product for product in catalogue)
    assert len({product.path for product in catalogue}) == 300
    assert catalogue.at("/product/9mm-luger-ammo/some-other-slug-tp00001/") is None
    assert catalogue.at("/product/9mm-luger-ammo/x-tp0009999/") is None


def test_a_hundred_thousand_products_are_invented_only_when_asked_for() -> None:
    catalogue = Catalogue(7, 100_000, shelf=SHELF)

    last = catalogue.product(99_999)

    assert catalogue.at(last.path) == last
    assert catalogue.product.cache_info().currsize == 1


def test_an_offer_is_a_pure_function_of_seed_product_and_tick() -> None:
    first, again = Catalogue(7, 50, shelf=SHELF), Catalogue(7, 50, shelf=SHELF)

    for tick in (0, 3, 17, 3):
        assert [offer_of(p, seed=7, tick=tick) for p in first] == [
            offer_of(p, seed=7, tick=tick) for p in again
        ]


def test_an_offer_stands_still_since_the_tick_it_names() -> None:
    for product in Catalogue(7, 60, shelf=SHELF):
        offer = offer_of(product, seed=7, tick=25)

        assert 0 <= offer.since_tick <= 25
        assert all(offer_of(product, seed=7, tick=tick) == offer for tick in range(offer.since_tick, 26))


def test_prices_and_stock_move_over_time() -> None:
    products = [product for product in Catalogue(7, 60, shelf=SHELF) if product.kind is Kind.IN_STOCK]
    offers = [[offer_of(product, seed=7, tick=tick) for tick in range(60)] for product in products]

    assert all(len({offer.price_cents for offer in life}) > 2 for life in offers)
    assert any({"InStock", "OutOfStock"} == {offer.availability for offer in life} for life in offers)


def test_plain_products_are_all_of_the_simple_kind() -> None:
    assert {product.kind for product in Catalogue(7, 100, shelf=SHELF, plain=True)} == {Kind.IN_STOCK}
