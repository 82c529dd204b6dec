"""Whether something stands in the card of another product."""

from __future__ import annotations

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.outline import Element, Outline

_CARD_LEVELS = 5
_CARD_LENGTH = 200


def is_in_a_card(outline: Outline, root: int, title: Element | None) -> bool:
    """Whether a small block around the element leads to one other page both by a picture and by a name."""
    for index in outline.ancestry(root)[1:_CARD_LEVELS]:
        block = outline.elements[index]
        holds_title = title is not None and index <= title.index < block.end
        if holds_title or outline.length_of(index) > _CARD_LENGTH:
            return False
        links = [each for each in outline.elements[index : block.end] if each.own & naming.LINKED]
        pictured = {each.node.attributes.get("href") for each in links if each.node.css_first("img")}
        named = {each.node.attributes.get("href") for each in links if outline.length_of(each.index) > 1}
        if pictured & named:
            return True
    return False
