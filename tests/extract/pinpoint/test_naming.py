"""Names people gave to last are told from those a machine, a product or a moment gave."""

from __future__ import annotations

import pytest

from limpet.extract.pinpoint import is_steady

STEADY = [
    "price",
    "product-title",
    "pdp__price",
    "h1",
    "col-md-6",
    "sgammo-content__price",
    "productName",
    "SKU",
]
FLEETING = [
    "css-1q2w3e", "sc-bdVaJa", "Price_root__3xYz1", "px-9a1", "product-10000", "postid-19692", "instock",
    "out-of-stock", "product_cat-9mm", "is-active", "svelte-1abc2",
]  # fmt: skip


@pytest.mark.parametrize("name", STEADY)
def test_a_name_that_tells_what_a_thing_is_lasts(name: str) -> None:
    assert is_steady(name)


@pytest.mark.parametrize("name", FLEETING)
def test_a_hash_a_number_or_a_state_does_not_last(name: str) -> None:
    assert not is_steady(name)
