"""Selectors are derived from what an element is called, match it alone, and never count children."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from limpet.extract.pinpoint import names_for

PAGES = [
    ('<div><span itemprop="price" class="x">1</span></div>', "span", 'span[itemprop="price"]'),
    ('<div><b data-testid="amount" id="p">1</b></div>', "b", 'b[data-testid="amount"]'),
    ('<div><p id="price">1</p><p>2</p></div>', "#price", "#price"),
    ('<div><p class="css-1q2w3e price">1</p><p class="css-1q2w3e">2</p></div>', ".price", "p.price"),
    ('<div class="box"><i class="a">1</i></div><i class="a">2</i>', ".box i", "div.box > i.a"),
    ('<div id="product-123" class="product"><h1>x</h1></div>', "h1", "h1"),
]


@pytest.mark.parametrize(("markup", "element", "selector"), PAGES)
def test_the_steadiest_name_comes_first(markup: str, element: str, selector: str) -> None:
    tree = LexborHTMLParser(markup)
    node = tree.css_first(element)
    assert node is not None

    names = names_for(node, scope=tree)

    assert names[0].selector == selector
    assert all([each.mem_id for each in tree.css(name.selector)] == [node.mem_id] for name in names)


def test_a_name_made_by_a_machine_is_told_as_one() -> None:
    tree = LexborHTMLParser('<div><p class="css-1q2w3e">1</p><p class="css-9z8y7x">2</p></div>')
    node = tree.css_first("p")
    assert node is not None

    names = names_for(node, scope=tree)

    assert names and not any(name.is_steady for name in names)


def test_without_a_name_of_its_own_there_is_none_rather_than_a_count() -> None:
    tree = LexborHTMLParser("<div><p>1</p><p>2</p></div>")
    node = tree.css_first("p")
    assert node is not None

    assert names_for(node, scope=tree) == []


def test_names_nobody_could_write_in_a_selector_are_left_alone() -> None:
    odd = (
        '<div class="w-1/2 md:flex a.b"><a<b id="1x" itemprop="\'] *" data-"q="1" class="price">1</a<b></div>'
    )
    tree = LexborHTMLParser(odd)

    for node in tree.css("body *"):
        assert all(len(tree.css(name.selector)) == 1 for name in names_for(node, scope=tree))
