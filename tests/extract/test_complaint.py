"""A failed reading names its field and its selector."""

from __future__ import annotations

import pytest

from limpet.extract.complaint import field_in, selector_in

SAID = [
    ("price_not_found", "price: nothing matches 'div.price'", "price", "div.price"),
    ("page_structure_changed", "product: nothing matches 'div.a > p'", "product", "div.a > p"),
    ("title_not_found", "title: nothing at 'h1' | 'name'", "title", "h1 | name"),
    ("title_not_found", "title: nothing at pagetitle | displayname", "title", "pagetitle | displayname"),
    ("unknown_availability", "no explicit stock signal on the page", "availability", ""),
    ("blocked_page", "a captcha", "", ""),
    (None, None, "", ""),
]


@pytest.mark.parametrize(("reason", "details", "field", "selector"), SAID)
def test_field_and_selector_are_found(reason, details, field, selector) -> None:
    assert (field_in(reason, details), selector_in(details)) == (field, selector)
