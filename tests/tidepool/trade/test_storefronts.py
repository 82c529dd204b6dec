"""What holds for every shop, whatever its pages look like."""

from __future__ import annotations

import re

import pytest

from tidepool.site import Setup
from tidepool.trade import Kind, Storefront
from tidepool.world import SITES

SHOPS = ["shop", "midway", "brown", "primary"]
ASKING_FOR_JSON = {"Accept": "application/json"}

pytestmark = pytest.mark.parametrize("site", SHOPS)


@pytest.fixture
def shop(site: str) -> Storefront:
    built = SITES[site](Setup(seed=7))
    assert isinstance(built, Storefront)
    return built


@pytest.fixture
def place(pool, site):
    """Return where a product is read: at its page, or at the API where the page says nothing."""

    def place(product) -> str:
        return pool.site(site).api_path(product) if site == "primary" else product.path

    return place


async def test_any_forty_products_hold_every_kind(shop) -> None:
    assert {shop.catalogue.product(index).kind for index in range(30, 70)} == set(Kind)


async def test_every_product_is_found_at_its_own_path_and_has_a_truth(shop) -> None:
    for product in shop.catalogue:
        truth = shop.truth(product.path, tick=3)

        assert shop.catalogue.at(product.path.partition("?")[0]) == product
        assert truth["kind"] == product.kind
        assert truth["sku"]
        assert truth["name"]
    assert len({product.path for product in shop.catalogue}) == shop.catalogue.size
    assert shop.truth("/nowhere", tick=3) is None


async def test_truth_moves_with_the_tick_and_only_with_the_tick(shop, site) -> None:
    again = SITES[site](Setup(seed=7))
    lives = []
    for product in shop.catalogue:
        life = [shop.truth(product.path, tick=tick) for tick in range(40)]
        assert life == [again.truth(product.path, tick=tick) for tick in range(40)]
        lives.append(life)

    assert sum(len({truth["price_cents"] for truth in life}) > 2 for life in lives) > 100
    assert any({"InStock", "OutOfStock"} == {truth["availability"] for truth in life} for life in lives)


async def test_a_chosen_variant_has_its_own_truth(shop) -> None:
    path = next(product.path for product in shop.catalogue if product.kind is Kind.VARIANTS)
    family = shop.truth(path, tick=0)

    for number, cents in family["variants"].items():
        if shop.choice == "id":
            path = "/api/items"
        chosen = shop.truth(f"{path}?{shop.choice}={number}", tick=0)
        assert (chosen["price_cents"], chosen["chosen"]) == (cents, number)


async def test_the_same_world_answers_with_the_same_bytes(pool, visitor, site, place) -> None:
    product = next(iter(pool.site(site).catalogue))

    async def ask() -> bytes:
        async with visitor.get(pool.url(site, place(product)), headers=ASKING_FOR_JSON) as response:
            return await response.read()

    first = await ask()
    pool.advance(30)
    later = await ask()
    pool.world.reset()

    assert first == await ask()
    assert first != later


async def test_an_unchanged_page_is_304_and_a_changed_one_has_a_new_tag(pool, visitor, site, place) -> None:
    product = next(one for one in pool.site(site).catalogue if one.kind is Kind.IN_STOCK)
    address = pool.url(site, place(product))
    async with visitor.get(address, headers=ASKING_FOR_JSON) as first:
        tag = first.headers["ETag"]

    async with visitor.get(address, headers={**ASKING_FOR_JSON, "If-None-Match": tag}) as same:
        assert same.status == 304
    pool.advance(20)
    async with visitor.get(address, headers={**ASKING_FOR_JSON, "If-None-Match": tag}) as changed:
        assert changed.status == 200
        assert changed.headers["ETag"] != tag


async def test_robots_names_the_sitemap_and_the_sitemap_every_product(pool, visitor, site) -> None:
    async with visitor.get(pool.url(site, "/robots.txt")) as response:
        [index] = re.findall("Sitemap: (.*)", await response.text())
    async with visitor.get(index) as response:
        [page] = re.findall("<loc>(.*?)</loc>", await response.text())
    async with visitor.get(page) as response:
        places = re.findall("<loc>(.*?)</loc>", await response.text())

    assert places == [pool.url(site, product.path) for product in pool.site(site).catalogue]


async def test_every_listed_address_answers_as_its_kind_should(pool, visitor, site) -> None:
    for product in list(pool.site(site).catalogue)[:40]:
        async with visitor.get(pool.url(site, product.path)) as response:
            await response.read()
            assert response.status == (410 if product.kind is Kind.WITHDRAWN else 200), product.path


async def test_home_and_categories_are_pages_and_nonsense_is_404(pool, visitor, site) -> None:
    shelf = pool.site(site).shelf
    category = pool.site(site).catalogue.product(0).category

    for path, status in (
        ("/", 200),
        (shelf.category_path(category), 200),
        ("/nowhere/", 404),
        ("/sitemap-9.xml", 404),
        ("/product/99", 404),
    ):
        async with visitor.get(pool.url(site, path)) as response:
            assert response.status == status, path


async def test_a_visitor_may_only_look(pool, visitor, site) -> None:
    async with visitor.post(pool.url(site, "/")) as response:
        assert response.status == 405


@pytest.mark.parametrize(
    ("fault", "status", "sign"),
    [
        ("challenge_200", 200, "Just a moment..."),
        ("challenge_403", 403, "Just a moment..."),
        ("challenge_503", 503, "Just a moment..."),
        ("captcha_200", 200, "g-recaptcha"),
        ("rate_limited_seconds", 429, ""),
        ("empty_body", 200, ""),
    ],
)
async def test_the_usual_faults_work_at_every_shop(pool, visitor, site, place, fault, status, sign) -> None:
    product = next(iter(pool.site(site).catalogue))
    pool.set_fault(site, fault)

    async with visitor.get(pool.url(site, place(product)), headers=ASKING_FOR_JSON) as response:
        text = await response.text()

    assert response.status == status
    assert sign in text


async def test_plain_shops_sell_only_what_is_simple(site) -> None:
    plain = SITES[site](Setup(seed=7, products=90, plain=True))

    assert {product.kind for product in plain.catalogue} == {Kind.IN_STOCK}
