"""Prices that stand in attributes: for the shop's own scripts, for forms, for what is written later."""

from __future__ import annotations

import re
from collections.abc import Iterator

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.amounts import amounts_in, plain
from limpet.apps.prices.models.auto.outline import Element, Outline
from limpet.apps.prices.models.auto.statements import read_stated
from limpet.apps.prices.models.auto.surroundings import Surroundings
from limpet.extract.parse.price import Price

_NOT_HERE = (
    naming.OLD | naming.UNIT | naming.FINANCE | naming.SHIPPING | naming.SAVING | naming.OTHERS | naming.CARD
    | naming.FRAME | naming.TIER | naming.LINKED | naming.REVIEW | naming.TOTAL | naming.OPTION | naming.REGULAR
)  # fmt: skip
_HOLDS_A_PRICE = re.compile(
    r"data-(?:[a-z]+-)?(?:price|amount|value)(?:-(?:amount|value|numeric|raw|final))?|content|value"
)
_SPOKEN = frozenset(("aria-label", "title", "alt", "value"))
_LONGEST_LABEL = 40
_EXACT = re.compile(r"\d{1,7}[.,]\d{1,2}|\d{1,7}\.\d{3,12}")


def attribute_prices(outline: Outline, around: Surroundings, currency: str | None) -> frozenset[Price]:
    """Return the exact amounts in attributes of elements called a price, in the product's box where there is one."""
    found = set()
    for element in _called_price(outline, around):
        for name, value in element.node.attributes.items():
            if value and _HOLDS_A_PRICE.fullmatch(name) and _EXACT.fullmatch(value.strip()):
                price, rounded = read_stated(value.strip().replace(",", "."), currency)
                if price is not None and not rounded and price.cents > 0:
                    found.add(price)
            elif value and name in _SPOKEN and len(value) <= _LONGEST_LABEL:
                found |= {Price(each.cents, each.currency) for each in amounts_in(plain(value), currency)}
    return frozenset(found)


def _called_price(outline: Outline, around: Surroundings) -> Iterator[Element]:
    box = around.box
    elements = outline.elements if box is None else outline.elements[box.index : box.end]
    start = around.title.index if around.title is not None else 0
    for element in elements:
        if element.own & naming.PRICE and not element.marks & _NOT_HERE and element.index > start:
            yield element
