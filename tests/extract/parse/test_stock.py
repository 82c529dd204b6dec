"""Stock words: what denies is asked before what affirms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.extract.parse.stock import Availability, parse_schema_availability, parse_stock

IN, OUT, LATER, UNKNOWN = (
    Availability.IN_STOCK,
    Availability.OUT_OF_STOCK,
    Availability.BACKORDER,
    Availability.UNKNOWN,
)


@pytest.mark.parametrize(
    ("text", "availability"),
    [
        ("17+ in stock", IN),
        ("In Stock", IN),
        ("Only 3 left", IN),
        ("Only 3 items left!", IN),
        ("Available", IN),
        ("In stock and ready to ship", IN),
        ("Out of stock", OUT),
        ("Out-of-stock", OUT),
        ("Sold out", OUT),
        ("Unavailable", OUT),
        ("Currently unavailable", OUT),
        ("not available", OUT),
        ("Not currently available", OUT),
        ("Not in stock", OUT),
        ("Unavailable - Limited Production", OUT),
        ("No longer available", OUT),
        ("Discontinued", OUT),
        ("0 in stock", OUT),
        ("Notify me", OUT),
        ("NOTIFY ME", OUT),
        ("Available for Preorder", LATER),
        ("BACKORDER", LATER),
        ("Available on backorder", LATER),
        ("Out of stock - available on backorder", LATER),
        ("Special Order", LATER),
        ("", UNKNOWN),
        ("Ask us", UNKNOWN),
        ("Select options to see availability", UNKNOWN),
        ("Call for availability", UNKNOWN),
        ("In stock at 3 stores", UNKNOWN),
        ("Is it in stock?", UNKNOWN),
        ("Box in stock, case out of stock", UNKNOWN),
        ("Not available for preorder", UNKNOWN),
        ("Instructions included", UNKNOWN),
    ],
)
def test_stock_text_says_whether_it_can_be_bought(text: str, availability: Availability) -> None:
    assert parse_stock(text) is availability


@pytest.mark.parametrize(
    ("value", "availability"),
    [
        ("https://schema.org/InStock", IN),
        ("http://schema.org/InStock/", IN),
        ("InStock", IN),
        ("in_stock", IN),
        ("https://schema.org/LimitedAvailability", IN),
        ("https://schema.org/OutOfStock", OUT),
        ("https://schema.org/SoldOut", OUT),
        ("https://schema.org/Discontinued", OUT),
        ("https://schema.org/BackOrder", LATER),
        ("https://schema.org/PreOrder", LATER),
        ("https://schema.org/InStoreOnly", UNKNOWN),
        ("maybe", UNKNOWN),
        ("", UNKNOWN),
        (None, UNKNOWN),
    ],
)
def test_schema_org_words_are_read_as_names_or_addresses(
    value: str | None, availability: Availability
) -> None:
    assert parse_schema_availability(value) is availability


@given(st.text(max_size=60))
def test_no_text_crashes_and_nothing_denied_is_in_stock(text: str) -> None:
    assert isinstance(parse_stock(text), Availability)
    assert parse_stock(f"Unavailable {text}") is not IN
