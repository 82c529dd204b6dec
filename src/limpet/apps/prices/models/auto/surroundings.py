"""Where on the page the product is: its title, its button, the box that holds both, and what is said nearby."""

from __future__ import annotations

import re
from dataclasses import dataclass

from limpet.apps.prices.models.auto.button import BuyButton, common_ancestor
from limpet.apps.prices.models.auto.outline import Element, Outline

_PERCENT = re.compile(r"(?<![\d.,])(\d{1,2})\s?%")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The places amounts are measured against."""

    title: Element | None
    button: BuyButton | None
    box: Element | None  # the innermost element that holds both


def surroundings(outline: Outline, title: Element | None, button: BuyButton | None) -> Surroundings:
    """Return the product's box: what holds its title and its button, unless that is the whole page."""
    if title is None or button is None:
        return Surroundings(title, button, None)
    shared = outline.elements[common_ancestor(outline, outline.ancestry(title.index), button.element.index)]
    return Surroundings(title, button, shared if shared.parent >= 0 else None)


def percentages_in(outline: Outline, around: Surroundings) -> frozenset[int]:
    """Return the percentages that stand near the product's title or in its box: a discount proves two prices."""
    start = around.title.first_text if around.title is not None else 0
    return frozenset(
        int(found[1])
        for text in outline.texts[start : start + 80]
        if len(text.words) <= 60
        for found in _PERCENT.finditer(text.words)
    )
