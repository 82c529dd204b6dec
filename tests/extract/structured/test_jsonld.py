"""JSON-LD as pages really hold it, from the tree and from the bytes alike."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from limpet.extract.structured import (
    JsonLd,
    json_ld_in_bytes,
    json_ld_in_tree,
    offers_of,
    products_in,
    variants_of,
)

PRODUCT: dict[str, Any] = {
    "@type": "Product",
    "name": "Boots",
    "offers": {"price": "19.99", "priceCurrency": "USD"},
}

Reader = Callable[[bytes], JsonLd]


def in_tree(markup: bytes) -> JsonLd:
    return json_ld_in_tree(LexborHTMLParser(markup))


@pytest.fixture(params=[in_tree, json_ld_in_bytes], ids=["tree", "bytes"])
def read(request: pytest.FixtureRequest) -> Reader:
    reader: Reader = request.param
    return reader


def block(value: Any, opening: str = '<script type="application/ld+json">') -> bytes:
    text = value if isinstance(value, str) else json.dumps(value)
    return f"{opening}{text}</script>".encode()


@pytest.mark.parametrize(
    "markup",
    [
        block(PRODUCT),
        block(PRODUCT, "<script type='application/ld+json' class=\"yoast\">"),
        block(PRODUCT, "<script data-x=1 type=application/ld+json>"),
        block(PRODUCT, '<SCRIPT TYPE="application/ld+json">'),
        block([PRODUCT, {"@type": "BreadcrumbList"}]),
        block({"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, PRODUCT]}),
        block({"@graph": [{"@graph": [PRODUCT]}]}),
        block({"@type": "WebPage", "mainEntity": PRODUCT}),
        block({**PRODUCT, "@type": ["Thing", "Product"]}),
        block({**PRODUCT, "@type": "https://schema.org/Product"}),
        block("<!--" + json.dumps(PRODUCT) + "-->"),
        block("//<![CDATA[\n" + json.dumps(PRODUCT) + "\n//]]>"),
        block("/* <![CDATA[ */" + json.dumps(PRODUCT) + "/* ]]> */"),
        block(json.dumps(PRODUCT) + ";"),
        block(json.dumps(PRODUCT).replace('"', "&quot;")),
        block(json.dumps({**PRODUCT, "description": "one LINE two"}).replace(" LINE ", "\n")),
        b"<!-- nothing here --><p>" + block(PRODUCT) + b"</p>",
    ],
)
def test_a_product_is_found_in_every_wrapping(read: Reader, markup: bytes) -> None:
    stated = read(b"<html><head>" + markup + b"</head></html>")

    assert [product["name"] for product in products_in(stated.items)] == ["Boots"]
    assert stated.broken_blocks == 0


def test_a_broken_block_is_remembered_and_does_not_hide_a_good_one(read: Reader) -> None:
    stated = read(block('{"@type": "Product", "offers": {,}}') + block(PRODUCT))

    assert len(products_in(stated.items)) == 1
    assert stated.broken_blocks == 1


def test_a_block_in_a_comment_is_not_read(read: Reader) -> None:
    stated = read(b"<p>a</p><!-- " + block({**PRODUCT, "name": "Old"}) + b" --><p>b</p>" + block(PRODUCT))

    assert [item["name"] for item in stated.items] == ["Boots"]


def test_a_caller_may_read_comments_too_and_only_certain_blocks() -> None:
    markup = b"<!-- " + block(PRODUCT) + b" -->" + block({"@type": "BreadcrumbList"})

    stated = json_ld_in_bytes(markup, about=b"Product", even_in_comments=True)

    assert [item["@type"] for item in stated.items] == ["Product"]


def test_a_mention_of_the_media_type_is_not_a_block(read: Reader) -> None:
    assert read(b"<p>application/ld+json</p><script>var t='application/ld+json'</script>") == JsonLd(())


def test_a_hopelessly_nested_block_is_broken_not_fatal(read: Reader) -> None:
    assert read(block("[" * 100_000)).broken_blocks == 1


@pytest.mark.parametrize(
    ("offers", "prices"),
    [
        ({"price": 5}, [5]),
        ([{"price": "5"}, {"price": "6"}], ["5", "6"]),
        ([{"priceSpecification": [{"price": "289.50", "priceCurrency": "USD"}]}], ["289.50"]),
        ({"priceSpecification": {"price": 7}}, [7]),
        (
            {"priceSpecification": [{"priceType": "https://schema.org/ListPrice", "price": 9}, {"price": 7}]},
            [7],
        ),
        ({"priceSpecification": [{"priceType": "StrikethroughPrice", "price": 9}, {"price": 7}]}, [7]),
        ({"priceSpecification": [{"price": 9}, {"priceType": "SalePrice", "price": 7}]}, [7]),
        ({"priceSpecification": [{"price": 4, "referenceQuantity": {"unitCode": "LTR"}}, {"price": 7}]}, [7]),
        ({"priceSpecification": {"price": 7, "referenceQuantity": {"unitCode": "C62"}}}, [7]),
        ({"priceSpecification": {"price": 4, "referenceQuantity": {"unitCode": "KGM"}}}, [None]),
        (
            {
                "priceSpecification": {
                    "price": 7,
                    "referenceQuantity": {"unitCode": "LTR", "valueReference": {"unitCode": "LTR"}},
                }
            },
            [7],
        ),
        ({"priceSpecification": [{"price": 6, "eligibleQuantity": {"minValue": 10}}, {"price": 7}]}, [7]),
        (
            {"priceSpecification": [{"price": 6, "validForMemberTier": {"name": "Gold"}}, {"price": 7}]},
            [7],
        ),
        ({"@type": "AggregateOffer", "offers": [{"price": 1}, {"price": 2}]}, [1, 2]),
        ({"@type": "AggregateOffer", "lowPrice": 1, "highPrice": 2}, [None]),
        ("nonsense", []),
        (None, []),
    ],
)
def test_offers_are_found_however_they_are_nested(offers: Any, prices: list[Any]) -> None:
    assert [offer.price for offer in offers_of({"@type": "Product", "offers": offers})] == prices


def test_currency_and_range_come_with_the_offer() -> None:
    (nested,) = offers_of({"offers": {"priceSpecification": {"price": "5", "priceCurrency": "EUR"}}})
    (ranged,) = offers_of({"offers": {"lowPrice": 1, "highPrice": 2, "availability": "InStock", "sku": 12}})

    assert nested.currency == "EUR"
    assert (ranged.low_price, ranged.high_price, ranged.availability, ranged.sku) == (1, 2, "InStock", "12")


def test_variants_of_a_group_are_found() -> None:
    group = {"@type": "ProductGroup", "hasVariant": [PRODUCT, "nonsense", {**PRODUCT, "name": "Blue"}]}

    assert products_in([group]) == (group,)
    assert [variant["name"] for variant in variants_of(group)] == ["Boots", "Blue"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "@type",
                        "@graph",
                        "offers",
                        "price",
                        "priceSpecification",
                        "mainEntity",
                        "hasVariant",
                        "x",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_no_json_crashes_the_reading(value: Any) -> None:
    stated = json_ld_in_bytes(block(value))

    for product in products_in(stated.items):
        offers_of(product)
        variants_of(product)


@given(st.binary(max_size=120))
def test_no_bytes_crash_the_scan(noise: bytes) -> None:
    json_ld_in_bytes(b"<script type='application/ld+json'>" + noise)
    json_ld_in_bytes(noise + b"application/ld+json" + noise)
