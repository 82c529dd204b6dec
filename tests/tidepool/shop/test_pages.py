"""The shop's pages, read as a visitor reads them."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from selectolax.lexbor import LexborHTMLParser

RIGHT = ".tidepool-content-single-product__details__right"


@pytest.fixture
def read(page_at):
    return partial(page_at, "shop")


def blocks(page: LexborHTMLParser) -> list[dict]:
    return [json.loads(node.text()) for node in page.css('script[type="application/ld+json"]')]


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


async def test_a_page_has_the_furniture_and_size_of_a_real_one(pool, listen, product_path) -> None:
    heard = await listen(product_path)

    assert 35_000 < len(heard.body) < 50_000
    assert b"/cdn-cgi/challenge-platform/" in heard.body
    assert heard.body.count(b'rel="canonical"') == 2


async def test_the_same_seed_gives_the_same_bytes_at_the_same_tick(pool, listen, product_path) -> None:
    first = await listen(product_path)
    pool.advance(30)
    later = await listen(product_path)
    pool.world.reset()
    again = await listen(product_path)

    assert first.body == again.body
    assert first.body != later.body


async def test_the_true_price_stands_in_its_own_place_among_many(pool, read, product_path) -> None:
    truth = pool.world.truth("shop", product_path)
    page = await read(product_path)

    assert page.css_first(f"{RIGHT}__price .woocommerce-Price-amount").text() == dollars(truth["price_cents"])
    assert len({node.text() for node in page.css(".woocommerce-Price-amount")}) > 8
    assert page.css_first(f"{RIGHT}__sku > strong").text() == f"SKU: {truth['sku']}"
    assert page.css_first(f"button.single_add_to_cart_button[name=add-to-cart][value='{truth['post_id']}']")
    assert f"postid-{truth['post_id']}" in page.css_first("body").attributes["class"]
    assert re.fullmatch(r"\d+\+ in stock", page.css_first("p.stock.in-stock").text().strip())
    assert page.css_first("h1.tidepool-content-single-product__title").text().strip() == truth[
        "name"
    ].replace(" - ", " – ")


async def test_two_product_blocks_say_the_same_price_differently(pool, read, product_path) -> None:
    truth = pool.world.truth("shop", product_path)
    theme, breadcrumbs, graph = blocks(await read(product_path))

    assert (theme["@type"], theme["brand"]["name"]) == ("Product", "Tidepool Ammo")
    assert round(float(theme["offers"]["price"]) * 100) == truth["price_cents"]
    assert not theme["offers"]["price"].endswith("0") or "." not in theme["offers"]["price"]
    assert breadcrumbs["@type"] == "BreadcrumbList"
    product = graph["@graph"][1]
    assert "brand" not in product
    assert "price" not in product["offers"][0]
    price = product["offers"][0]["priceSpecification"][0]["price"]
    assert re.fullmatch(r"\d+\.\d\d", price)
    assert round(float(price) * 100) == truth["price_cents"]


async def test_tiers_stand_in_a_table_of_their_own(read, path_of_kind) -> None:
    page = await read(path_of_kind("tiered"))

    rows = page.css(f"table{RIGHT}__qty-discounts-table tr")
    assert [row.text(strip=True)[:9] for row in rows] == ["Quantity ", "2 or More", "4 or More"]


async def test_a_sale_shows_the_old_price_crossed_out(pool, read, path_of_kind) -> None:
    path = path_of_kind("on_sale")
    price = (await read(path)).css_first(f"{RIGHT}__price")

    assert price.css_first("ins").text() == dollars(pool.world.truth("shop", path)["price_cents"])
    assert price.css_first("del") is not None


@pytest.mark.parametrize(
    ("kind", "stock_class", "stock_text", "schema"),
    [
        ("sold_out", "out-of-stock", "Out of stock", "OutOfStock"),
        ("sold_out_unpriced", "out-of-stock", "Out of stock", "OutOfStock"),
        ("backorder", "available-on-backorder", "Available on backorder", "BackOrder"),
        ("preorder", "available-on-preorder", "Available for preorder", "PreOrder"),
        ("discontinued", "out-of-stock", "No longer available", "Discontinued"),
    ],
)
async def test_stock_is_said_in_words_classes_and_schema(
    read, path_of_kind, kind, stock_class, stock_text, schema
):
    page = await read(path_of_kind(kind))

    assert page.css_first(f"p.stock.{stock_class}").text().strip() == stock_text
    assert blocks(page)[0]["offers"]["availability"] == f"https://schema.org/{schema}"


async def test_a_sold_out_page_keeps_its_price_and_offers_a_notice(pool, read, path_of_kind) -> None:
    path = path_of_kind("sold_out")
    page = await read(path)

    assert page.css_first(f"{RIGHT}__price").text().strip() == dollars(
        pool.world.truth("shop", path)["price_cents"]
    )
    assert page.css_first("#wc_bis_product_form") is not None
    assert page.css_first("button.single_add_to_cart_button") is None
    assert "ready to ship" not in page.css_first('meta[property="og:description"]').attributes["content"]


@pytest.mark.parametrize(("kind", "shown"), [("sold_out_unpriced", ""), ("call_for_price", "Call for price")])
async def test_a_page_without_price_has_none_anywhere_it_counts(read, path_of_kind, kind, shown) -> None:
    page = await read(path_of_kind(kind))

    theme, _, graph = blocks(page)
    assert page.css_first(f"{RIGHT}__price").text().strip() == shown
    assert "price" not in theme["offers"]
    assert "offers" not in graph["@graph"][1]


async def test_a_zero_price_is_shown_as_such(read, path_of_kind) -> None:
    page = await read(path_of_kind("zero_price"))

    assert page.css_first(f"{RIGHT}__price").text().strip() == "$0.00"
    assert blocks(page)[2]["@graph"][1]["offers"][0]["priceSpecification"][0]["price"] == "0.00"


async def test_variants_show_a_range_until_one_is_chosen(pool, read, path_of_kind) -> None:
    path = path_of_kind("variants")
    variants = pool.world.truth("shop", path)["variants"]
    chosen, cents = next(iter(variants.items()))

    undecided, decided = await read(path), await read(f"{path}?variation_id={chosen}")

    assert blocks(undecided)[2]["@graph"][1]["offers"][0]["@type"] == "AggregateOffer"
    assert len(undecided.css(f"{RIGHT}__price .woocommerce-Price-amount")) == 2
    assert decided.css_first(f"{RIGHT}__price").text().strip() == dollars(cents)


async def test_a_delisted_product_answers_with_its_category(read, path_of_kind) -> None:
    page = await read(path_of_kind("delisted"))

    assert blocks(page)[0]["@type"] == "Thing"
    assert "/catalog/" in page.css_first("link[rel=canonical]").attributes["href"]


@pytest.mark.parametrize(("path", "status"), [("/product/9mm-luger-ammo/none/", 404), ("/nowhere/", 404)])
async def test_pages_that_never_were_are_404(listen, path, status) -> None:
    assert (await listen(path)).status == status


async def test_a_withdrawn_product_is_410(listen, path_of_kind) -> None:
    assert (await listen(path_of_kind("withdrawn"))).status == 410


async def test_a_missing_slash_is_redirected(listen, product_path) -> None:
    heard = await listen(product_path.rstrip("/"))

    assert heard.status == 301
    assert f"{product_path}\r\n".encode() in heard.data


async def test_home_category_and_sitemaps_lead_to_products(pool, read, visitor, product_path) -> None:
    home = await read("/")
    category = next(
        node.attributes["href"] for node in home.css("nav a") if "/catalog/" in node.attributes["href"]
    )
    async with visitor.get(category) as response:
        listing = LexborHTMLParser(await response.text())
    async with visitor.get(pool.url("shop", "/sitemap.xml")) as response:
        [sitemap] = re.findall("<loc>(.*?)</loc>", await response.text())
    async with visitor.get(sitemap) as response:
        places = re.findall("<loc>(.*?)</loc>", await response.text())

    assert listing.css("li.product a")
    assert len(places) == 200
    assert pool.url("shop", product_path) in places


async def test_robots_allows_products_and_names_the_sitemap(listen) -> None:
    heard = await listen("/robots.txt")

    assert b"Disallow: /cart/" in heard.body
    assert b"/sitemap.xml" in heard.body


async def test_a_sitemap_page_that_is_not_there_is_404(listen) -> None:
    assert (await listen("/sitemap-9.xml")).status == 404
