"""Microdata, meta tags and the state that scripts carry."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from limpet.extract.structured import (
    meta_in_tree,
    microdata_in_tree,
    offers_of,
    products_in,
    script_json,
    state_after,
)
from limpet.extract.structured.loose_json import BadJson


def test_microdata_reads_like_json_ld() -> None:
    tree = LexborHTMLParser(
        """<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name"> Boots
        </h1><img itemprop="image" src="/a.jpg"><img itemprop="image" src="/b.jpg">
        <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price"
        content="19.99">$19.99</span><meta itemprop="priceCurrency" content="USD">
        <link itemprop="availability" href="https://schema.org/InStock"></div></div>
        <div itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ann</b></div>"""
    )

    product, person = microdata_in_tree(tree)

    assert products_in([product, person]) == (product,)
    assert (product["name"], product["image"]) == ("Boots", ["/a.jpg", "/b.jpg"])
    (offer,) = offers_of(product)
    assert (offer.price, offer.currency, offer.availability) == ("19.99", "USD", "https://schema.org/InStock")


def test_meta_tags_are_found_by_property_or_name_and_the_first_wins() -> None:
    tree = LexborHTMLParser(
        '<meta property="OG:Title" content=" Boots "><meta name="description" content="d">'
        '<meta property="og:title" content="Later"><meta property="product:price:amount" content="19.99">'
    )

    assert meta_in_tree(tree) == {"og:title": "Boots", "description": "d", "product:price:amount": "19.99"}


@pytest.mark.parametrize(
    ("script", "marker", "value"),
    [
        ('window.__STATE__ = {"a": [1, {"b": "}"}]}; more()', "window.__STATE__", {"a": [1, {"b": "}"}]}),
        ('var x={"a":"\\"}"};var y={}', "var x", {"a": '"}'}),
        ('dataLayer=[{"a":1},{"a":2}];', "dataLayer", [{"a": 1}, {"a": 2}]),
        ('render({"a":1})', "render", {"a": 1}),
        (r'var p = JSON.parse("{\u0022price\u0022:\u0022$10.99\u0022}");', "var p", {"price": "$10.99"}),
        (r"""var p = JSON.parse('{"a":"it\'s \x41 \\n"}');""", "var p", {"a": "it's A \n"}),
        (r'var p = JSON.parse("{\"a\":\"\ud83d\ude00\"}")', "var p", {"a": "😀"}),
    ],
)
def test_state_is_read_without_running_it(script: str, marker: str, value: Any) -> None:
    assert state_after(script, marker) == value


@pytest.mark.parametrize(
    "script",
    [
        "nothing here",
        "window.__STATE__ = compute();",
        'window.__STATE__ = {"a": 1',
        "window.__STATE__ = {a: alert(1)}",
        "window.__STATE__ = " + "[" * 100_000,
        'window.__STATE__ = JSON.parse("not json")',
    ],
)
def test_state_that_is_no_json_is_refused(script: str) -> None:
    with pytest.raises(BadJson):
        state_after(script, "window.__STATE__")


def test_a_json_script_is_found_by_its_selector() -> None:
    tree = LexborHTMLParser('<script type="application/json" id="data">{"a": "<b>"}</script>')

    assert script_json(tree, "script#data") == {"a": "<b>"}
    with pytest.raises(BadJson, match="nope"):
        script_json(tree, "script#nope")


@given(st.text(max_size=80))
def test_no_script_crashes_the_scan(noise: str) -> None:
    for script in (f"s = {noise}", f's = {{"a": {noise}', f's = JSON.parse("{noise}")'):
        try:
            state_after(script, "s")
        except BadJson:
            continue
