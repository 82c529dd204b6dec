from __future__ import annotations

import hashlib

import pytest

from limpet.errors import BadIdentity
from limpet.target.identity import identity_key


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"pid": "12345678", "sku": "A", "url": "https://a.example/"}, "PID:12345678"),
        ({"sku": "FEDERAL-9MM-115-50", "url": "https://a.example/"}, "SKU:FEDERAL-9MM-115-50"),
        ({"pid": " ", "sku": "A"}, "SKU:A"),
        ({"pid": " 7 "}, "PID:7"),
        ({"sku": "a:b"}, "SKU:a%3Ab"),
        ({"sku": "a%3Ab"}, "SKU:a%253Ab"),
    ],
)
def test_the_steadiest_name_wins(given: dict[str, str], key: str) -> None:
    assert identity_key(**given) == key


def test_an_address_is_hashed_in_its_canonical_spelling() -> None:
    digest = hashlib.sha256(b"https://a.example/x").hexdigest()[:16]

    assert identity_key(url="http://A.example/x/?utm_source=mail#top") == f"URL:{digest}"


@pytest.mark.parametrize("given", [{}, {"pid": ""}, {"pid": " ", "sku": "\t", "url": ""}, {"sku": "x" * 256}])
def test_nothing_to_recognise_it_by_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(BadIdentity):
        identity_key(**given)
