"""Paths into JSON lead to a value or nowhere; they never raise."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.extract.structured.paths import first_at, value_at
from limpet.extract.structured.state import BadJson, state_after

DATA = {"items": [{"price": 5, "tags": ["a"]}, {"price": 0}], "0": "zero", "blank": ""}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("items.0.price", 5),
        ("items.1.price", 0),
        ("items.0.tags.0", "a"),
        ("0", "zero"),
        ("", DATA),
        ("items.2.price", None),
        ("items.-1", None),
        ("items.price", None),
        ("items.0.price.cents", None),
        ("items.²", None),
        ("nothing", None),
    ],
)
def test_a_path_leads_to_its_value_or_to_none(path: str, value: Any) -> None:
    assert value_at(DATA, path) == value


def test_the_first_path_that_leads_somewhere_is_taken() -> None:
    assert first_at(DATA, ("nothing", "blank", "items.1.price", "items.0.price")) == 0
    assert first_at(None, ("a",)) is None


def test_an_array_made_with_new_is_an_array() -> None:
    script = 'x.products = new Array({"id": "1, )"},{"id": "2"} );'

    assert state_after(script, "x.products") == [{"id": "1, )"}, {"id": "2"}]


@pytest.mark.parametrize(
    "script", ["x = new Array(5)", "x = new Array(", 'x = new Array({"a": 1},', "x = new Array()"]
)
def test_an_array_that_is_not_one_is_bad_json(script: str) -> None:
    with pytest.raises(BadJson):
        state_after(script, "x")
