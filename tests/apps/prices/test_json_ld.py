"""The shared JSON-LD reading: which product is meant, and what it costs, or why that cannot be told."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from limpet.apps.prices.models.json_ld import JsonLdPage
from limpet.apps.prices.offer import Offer
from limpet.extract import Extraction, Unreadable
from limpet.extract.parse.stock import Availability
from limpet.fetch.page import Page
from limpet.target import Target

ADDRESS = "https://shop.test/boots/red"
SHOP = JsonLdPage(version="1.0.0", variant_parameter="variant")
OF_THE_OFFER = ("price", "priceCurrency", "availability", "lowPrice", "highPrice", "shippingDetails")
OFFER = {"@type": "Offer", "price": "19.99", "priceCurrency": "USD", "availability": "InStock"}
BOOTS = {"@type": "Product", "name": "Red boots", "sku": "R1", "offers": OFFER}


def read(
    *blocks: Any, query: str = "", head: str = "", body: str = "Boots"
) -> Extraction[Offer] | Unreadable:
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(block)}</script>' for block in blocks)
    url = ADDRESS + query
    page = Page(
        url,
        url,
        200,
        {"content-type": "text/html"},
        f"<html><head>{head}{scripts}</head><body>{body}</body></html>".encode(),
        datetime(2026, 2, 10, tzinfo=UTC),
    )
    return SHOP.read(page, Target("shop", url, url, "shop.test"))


def offer_in(reading: Extraction[Offer] | Unreadable) -> Offer:
    assert isinstance(reading, Extraction), reading
    return reading.record


def reason_of(reading: Extraction[Offer] | Unreadable) -> str:
    assert isinstance(reading, Unreadable), reading
    return reading.reason.value


def boots(**changes: Any) -> dict[str, Any]:
    """The boots with other values, each put where it belongs: into the product or into its offer."""
    offer = OFFER | {name: value for name, value in changes.items() if name in OF_THE_OFFER}
    return BOOTS | {"offers": offer} | {n: value for n, value in changes.items() if n not in OF_THE_OFFER}


@pytest.mark.parametrize(
    "block",
    [
        BOOTS,
        [BOOTS, {"@type": "BreadcrumbList"}],
        {"@graph": [{"@type": "WebPage"}, BOOTS]},
        {"@type": "ItemPage", "mainEntity": BOOTS},
        boots(offers=[OFFER]),
        boots(offers={"@type": "AggregateOffer", "offers": [OFFER]}),
        boots(price=None, lowPrice=19.99, highPrice=19.99),
        boots(price=19.99),
        boots(price="$19.99"),
    ],
)
def test_an_offer_is_found_in_every_nesting_shops_use(block: Any) -> None:
    offer = offer_in(read(block))

    assert (offer.price_cents, offer.currency, offer.availability) == (1999, "USD", Availability.IN_STOCK)
    assert (offer.identity_key, offer.title) == ("SKU:R1", "Red boots")


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (boots(price=None), "price_not_found"),
        (boots(price=""), "price_not_found"),
        (boots(price=None, availability="SoldOut"), "oos_no_price"),
        (boots(price="call us"), "price_not_found"),
        (boots(price="call us", availability="OutOfStock"), "price_not_found"),
        (boots(price=None, lowPrice=10, highPrice=20), "ambiguous_price"),
        (boots(price=None, lowPrice=10), "ambiguous_price"),
        (boots(price=-5), "ambiguous_price"),
        (boots(price="1.234"), "ambiguous_price"),
        (boots(offers=[OFFER, {**OFFER, "price": "17.99"}]), "ambiguous_price"),
        (boots(offers=[OFFER, {**OFFER, "priceCurrency": "EUR"}]), "ambiguous_price"),
        (boots(name=" &nbsp; "), "title_not_found"),
        (boots(name="Caf\ufffd"), "not_parsable"),
        ({"@type": "Organization", "name": "no Product"}, "page_structure_changed"),
        ({"@type": "CollectionPage", "name": "Products"}, "listing_page"),
        (boots(sku="9" * 300), "page_structure_changed"),
    ],
)
def test_what_cannot_be_believed_says_why(block: Any, reason: str) -> None:
    assert reason_of(read(block)) == reason


def test_a_price_of_zero_is_read_as_zero() -> None:
    assert offer_in(read(boots(price="0.00"))).price_cents == 0


@pytest.mark.parametrize(
    ("word", "availability"),
    [
        ("https://schema.org/InStock", Availability.IN_STOCK),
        ("http://schema.org/Discontinued", Availability.OUT_OF_STOCK),
        ("PreOrder", Availability.BACKORDER),
        ("Unavailable", Availability.UNKNOWN),
        (None, Availability.UNKNOWN),
    ],
)
def test_availability_comes_from_an_explicit_word(word: str | None, availability: Availability) -> None:
    assert offer_in(read(boots(availability=word))).availability is availability


SIZES = {
    "@type": "ProductGroup",
    "name": "Boots",
    "brand": {"name": "Harbor"},
    "hasVariant": [
        {
            "@type": "Product",
            "sku": "S7",
            "gtin13": "0029465063924",
            "offers": {**OFFER, "url": "?variant=107"},
        },
        {"@type": "Product", "sku": "S8", "offers": {**OFFER, "price": 25, "url": f"{ADDRESS}?variant=108"}},
    ],
}


def test_of_several_variants_none_is_taken_unless_named() -> None:
    assert reason_of(read(SIZES)) == "ambiguous_variants"


@pytest.mark.parametrize("query", ["?variant=108", "?variant=s8", "?colour=red&variant=108", "?VARIANT=S8"])
def test_the_address_chooses_a_variant_by_any_of_its_names(query: str) -> None:
    offer = offer_in(read(SIZES, query=query))

    assert (offer.price_cents, offer.retailer_sku, offer.brand) == (2500, "S8", "Harbor")
    assert offer.identity_key == "PID:108"


@pytest.mark.parametrize("query", ["?variant=109", "?variant=107&variant=108"])
def test_a_variant_that_is_not_there_or_not_one_is_refused(query: str) -> None:
    assert reason_of(read(SIZES, query=query)) == "ambiguous_variants"


def test_a_longer_product_number_is_a_upc_too() -> None:
    assert offer_in(read(SIZES, query="?variant=107")).upc == "029465063924"


def test_offers_of_one_product_are_told_apart_by_their_own_sku() -> None:
    packs = boots(sku="FAMILY", offers=[{**OFFER, "sku": "A"}, {**OFFER, "sku": "B", "price": 5}])

    chosen = offer_in(read(packs, query="?variant=B"))

    assert (chosen.identity_key, chosen.price_cents) == ("SKU:B", 500)
    assert reason_of(read(packs)) == "ambiguous_variants"


@pytest.mark.parametrize("beside", [[], [{**OFFER, "sku": "B", "price": 5, "url": "?variant=2"}]])
@pytest.mark.parametrize(
    ("offer", "key"),
    [({"sku": "A"}, "SKU:A"), ({"url": "?variant=1"}, "PID:1"), ({"sku": "A", "url": "?variant=1"}, "PID:1")],
)
def test_a_variant_keeps_its_identity_when_another_comes_beside_it(
    offer: dict[str, str], key: str, beside: list[dict[str, Any]]
) -> None:
    packs = boots(sku="FAMILY", productID="77", offers=[OFFER | offer, *beside])
    asked = offer.get("sku") or "1"

    assert offer_in(read(packs, query=f"?variant={asked}")).identity_key == key


def test_two_blocks_about_one_product_are_one_product() -> None:
    assert offer_in(read(BOOTS, boots(price=19.99, brand="Harbor"))).brand == "Harbor"


def test_cards_of_other_products_are_not_variants_of_this_one() -> None:
    other = boots(sku="X9", price="5.00", url="https://shop.test/socks")

    offer = offer_in(read(boots(url="/boots/red/"), other))

    assert offer.price_cents == 1999


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ('<meta property="product:price:amount" content="18.50">', "ambiguous_price"),
        (
            '<meta property="og:price:amount" content="19.99"><meta property="og:price:currency" content="EUR">',
            "ambiguous_price",
        ),
    ],
)
def test_meta_tags_that_name_another_price_are_heard(head: str, reason: str) -> None:
    assert reason_of(read(BOOTS, head=head)) == reason


def test_meta_tags_that_deny_stock_make_it_unknown() -> None:
    head = '<meta property="product:availability" content="out of stock">'

    assert offer_in(read(BOOTS, head=head)).availability is Availability.UNKNOWN


def test_a_crossed_out_price_in_the_meta_tags_is_no_objection() -> None:
    head = (
        '<meta property="product:price:amount" content="29.99">'
        '<meta property="product:sale_price:amount" content="19.99">'
    )

    assert offer_in(read(BOOTS, head=head)).price_cents == 1999


@pytest.mark.parametrize(
    ("canonical", "reason"),
    [
        ("https://shop.test/boots/", "listing_page"),
        ("/", "listing_page"),
        ("https://shop.test/boots/red", "page_structure_changed"),
        ("https://shop.test/boo", "page_structure_changed"),
    ],
)
def test_a_page_that_calls_itself_the_category_is_a_listing(canonical: str, reason: str) -> None:
    assert reason_of(read(head=f'<link rel="canonical" href="{canonical}">')) == reason


def test_a_category_full_of_products_is_a_listing_and_not_a_family() -> None:
    head = '<link rel="canonical" href="/boots/">'

    assert reason_of(read(BOOTS, boots(sku="R2"), head=head)) == "listing_page"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (" ", "empty_page"),
        ("<div>" * 20_000, "not_parsable"),
        ("Boots, 19.99", "page_structure_changed"),
    ],
)
def test_a_page_without_a_product_says_what_it_is_instead(body: str, reason: str) -> None:
    assert reason_of(read(body=body)) == reason


def test_a_commented_out_product_is_not_sold() -> None:
    block = f'<!-- <script type="application/ld+json">{json.dumps(boots(sku="OLD", price=1))}</script> -->'

    assert offer_in(read(BOOTS, head=block)).price_cents == 1999


@pytest.mark.parametrize(
    ("rate", "cents"),
    [
        ({"shippingRate": {"value": 6.99, "currency": "USD"}}, 699),
        ({"shippingRate": {"value": "0", "currency": "USD"}}, 0),
        ({"shippingRate": {"value": 6.99, "currency": "CAD"}}, None),
        (
            [
                {"shippingRate": {"value": 5, "currency": "USD"}},
                {"shippingRate": {"value": 9, "currency": "USD"}},
            ],
            None,
        ),
        ("free", None),
    ],
)
def test_shipping_is_taken_when_there_is_one_rate_in_the_same_currency(rate: Any, cents: int | None) -> None:
    assert offer_in(read(boots(shippingDetails=rate))).shipping_cents == cents


@pytest.mark.parametrize(
    ("image", "stored"),
    [
        ("/img/a b.jpg", "https://shop.test/img/a%20b.jpg"),
        (["//cdn.test/1.jpg", "2.jpg"], "https://cdn.test/1.jpg"),
        ({"contentUrl": "https://cdn.test/3.jpg"}, "https://cdn.test/3.jpg"),
        ("http://[broken", None),
        ("data:image/png;base64,AAAA", None),
    ],
)
def test_an_image_is_stored_as_a_browser_would_ask_for_it(image: Any, stored: str | None) -> None:
    assert offer_in(read(boots(image=image))).image_url == stored


def test_a_shop_that_numbers_its_articles_is_recognised_by_the_number_in_every_spelling_of_the_address() -> (
    None
):
    shop = replace(SHOP, sku_is_product_id=True)
    body = f'<script type="application/ld+json">{json.dumps(BOOTS)}</script>'.encode()
    keys = set()

    for url in (ADDRESS, f"{ADDRESS}?variant=R1", f"{ADDRESS}/?utm_source=x", f"{ADDRESS}?variant=R1&a=b"):
        page = Page(url, url, 200, {}, body, datetime(2026, 2, 10, tzinfo=UTC))
        keys.add(offer_in(shop.read(page, Target("shop", url, url, "shop.test"))).identity_key)

    assert keys == {"PID:R1"}
