"""Whatever a page states, in whatever type: reading it gives an offer or a reason, never a crash."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.apps.prices.offer import Offer
from limpet.apps.prices.sites import SITES
from limpet.extract import Extraction, Unreadable
from limpet.fetch.page import Page
from limpet.target import Target

SITES_FOLDER = Path(__file__).parents[3] / "src" / "limpet" / "apps" / "prices" / "sites"
SITE_BY_ID = {site.id: site for site in SITES}
NOW = datetime(2026, 2, 10, tzinfo=UTC)
WORDS = st.sampled_from(
    [
        "19.99",
        "",
        "InStock",
        "&nbsp;",
        "USD",
        "https://x.test/?pid=1&pid=2",
        "http://[",
        "Product",
        "\ud800",
        "9" * 400,
    ]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["@type", "@id", "name", "price", "sku", "offers", "url", "value", "hasVariant", "0"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


def read(site_id: str, url: str, body: bytes) -> None:
    page = Page(url, url, 200, {}, body, NOW)

    reading = SITE_BY_ID[site_id].page_model.read(page, Target(site_id, url, url, "lane"))

    assert isinstance(reading, Extraction | Unreadable)
    if isinstance(reading, Extraction):
        offer = reading.record
        assert isinstance(offer, Offer)
        assert type(offer.price_cents) is int
        for name in ("title", "url", "identity_key"):
            assert isinstance(getattr(offer, name), str)
        assert all(
            isinstance(getattr(offer, name), (str, int, tuple, datetime, type(None)))
            for name in offer.__struct_fields__
        )


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["name", "sku", "offers", "brand", "image", "mpn", "url", "@type", "hasVariant"]),
        ANYTHING,
        max_size=4,
    )
)
def test_json_ld_of_any_shape_is_read_or_refused(change: dict[str, Any]) -> None:
    product = {
        "@type": "Product",
        "name": "Boots",
        "sku": "1",
        "offers": {"price": 5, "priceCurrency": "USD"},
    } | change
    script = json.dumps(product).replace("</", "<\\/")
    body = f'<body>x<script type="application/ld+json">{script}</script>'.encode("utf-8", "replace")

    for site_id in ("midwayusa", "brownells"):
        read(site_id, "https://shop.test/a?pid=1&sku=1", body)


@settings(max_examples=100, deadline=None)
@given(ANYTHING)
def test_further_witnesses_of_any_shape_are_heard_or_ignored(said: Any) -> None:
    product = json.dumps(
        {"@type": "Product", "name": "Boots", "sku": "1", "offers": {"price": 5, "priceCurrency": "USD"}}
    )
    model = json.dumps(json.dumps({"viewModel": said}))
    words = json.dumps(said)
    script = (
        f"universal_variable.product = {words}; universal_variable.products = new Array({words});"
        f"var currentProduct = JSON.parse({model}); var datalayerProduct = {words};"
    )
    body = f'<script type="application/ld+json">{product}</script><script>{script}</script>'

    for site_id in ("midwayusa", "brownells"):
        read(site_id, "https://shop.test/a?pid=1&sku=1", body.encode("utf-8", "replace"))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_json_answers_of_any_shape_are_read_or_refused(data: st.DataObject) -> None:
    case = SITES_FOLDER / "primary_arms" / "fixtures" / "in_stock" / "page.json"
    answer = json.loads(case.read_text())
    item = answer["items"][0]
    for name in data.draw(st.lists(st.sampled_from(sorted(item)), max_size=3)):
        item[name] = data.draw(ANYTHING)

    read("primary_arms", "https://shop.test/api/items", json.dumps(answer).encode("utf-8", "replace"))


@pytest.mark.parametrize("site_id", ["midwayusa", "brownells", "primary_arms"])
@pytest.mark.parametrize(
    "body", [b"\xff\xfe\x00", b"<script type='application/ld+json'>Product", b"{}", b"null", b"\x00" * 50]
)
def test_rubbish_is_refused_with_a_reason(site_id: str, body: bytes) -> None:
    page = Page("https://shop.test/a", "https://shop.test/a", 200, {}, body, NOW)
    target = Target(site_id, "https://shop.test/a", "https://shop.test/a", "lane")

    assert isinstance(SITE_BY_ID[site_id].page_model.read(page, target), Unreadable)
