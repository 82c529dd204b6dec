"""Whether something stands in the card of another product."""

from __future__ import annotations

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.outline import Element, Outline

_CARD_LEVELS = 5
_CARD_LENGTH = 200


def is_in_a_card(outline: Outline, root: int, title: Element | None) -> bool:
    """Whether a small block around the element leads to one other page both by a picture and by a name.

    A picture alone is enough in a row of blocks built alike; the sign of a bank beside a price stands alone.
    """
    for index in outline.ancestry(root)[:_CARD_LEVELS]:
        block = outline.elements[index]
        holds_title = title is not None and index <= title.index < block.end
        if holds_title or outline.length_of(index) > _CARD_LENGTH:
            return False
        links = [each for each in outline.elements[index : block.end] if each.own & naming.LINKED]
        pictured = {each.node.attributes.get("href") for each in links if each.node.css_first("img")}
        named = {each.node.attributes.get("href") for each in links if outline.length_of(each.index) > 1}
        if pictured & named or (pictured and _has_a_twin(outline, block)):
            return True
    return False


def _has_a_twin(outline: Outline, block: Element) -> bool:
    """Whether the next block is built alike and leads somewhere by a picture as well."""
    if block.parent < 0:
        return False
    parent = outline.elements[block.parent]
    following = outline.elements[block.end] if block.end < parent.end else None
    before = [
        each for each in outline.elements[parent.index + 1 : block.index] if each.parent == parent.index
    ]
    beside = [each for each in (following, *before[-1:]) if each is not None]
    return any(
        each.tag == block.tag and each.names == block.names and each.node.css_first("a img") is not None
        for each in beside
    )
