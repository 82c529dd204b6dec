"""A selector that finds nothing names itself."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from limpet.extract import Missing
from limpet.extract.failure import CannotRead, SelectorMissed
from limpet.extract.select import attribute, every, first, maybe, only, text_of

TREE = LexborHTMLParser(
    "<div><p class=stock>\n 17+   in\u00a0stock </p><a href=' /x '>one</a><a>two</a></div>"
)


def test_the_first_match_is_returned() -> None:
    assert text_of(first(TREE, "p.stock", field="stock")) == "17+ in stock"


def test_a_miss_names_selector_and_field() -> None:
    with pytest.raises(SelectorMissed) as miss:
        first(TREE, "p.price", field="price", reason=Missing.PRICE_NOT_FOUND)

    assert (miss.value.selector, miss.value.field) == ("p.price", "price")
    assert miss.value.reason is Missing.PRICE_NOT_FOUND
    assert "p.price" in miss.value.details
    assert "price" in miss.value.details


def test_a_miss_is_a_missing_selector_unless_said_otherwise() -> None:
    with pytest.raises(SelectorMissed) as miss:
        first(TREE, "p.price", field="price")

    assert miss.value.reason is Missing.SELECTOR_NOT_FOUND


def test_one_match_is_not_two() -> None:
    with pytest.raises(SelectorMissed, match="2 matches"):
        only(TREE, "a", field="link", reason=Missing.AMBIGUOUS_PRICE)

    assert only(TREE, "p", field="stock", reason=Missing.AMBIGUOUS_PRICE).tag == "p"


def test_an_attribute_that_must_be_there_is_missed_by_name() -> None:
    links = every(TREE, "a")

    assert attribute(links[0], "href", field="link") == "/x"
    with pytest.raises(SelectorMissed, match=r"a\[href\]"):
        attribute(links[1], "href", field="link")


def test_finding_nothing_may_be_fine() -> None:
    assert maybe(TREE, "p.none") is None
    assert text_of(None) == ""


def test_text_whose_bytes_are_damaged_is_not_read() -> None:
    tree = LexborHTMLParser("<p>200 \ufffd\ufffdRound Case</p>")

    with pytest.raises(CannotRead) as failure:
        text_of(maybe(tree, "p"))

    assert failure.value.reason is Missing.NOT_PARSABLE
