"""The words beside an amount: those of its own line, or the one short label next to it."""

from __future__ import annotations

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.amounts import Money, plain
from limpet.apps.prices.models.auto.outline import Outline

LEFT_OUT = naming.OLD | naming.HIDDEN  # not part of the price they stand in
_LOOK_AROUND = 160
_LABEL = 28
_BLOCKS = frozenset((
    "div", "p", "li", "td", "th", "dt", "dd", "tr", "ul", "ol", "table", "section", "article", "h1", "h2", "h3", "h4",
    "h5", "h6", "form", "header", "footer", "dl", "main", "aside", "figure", "body", "button", "tbody", "option",
))  # fmt: skip


def words_around(outline: Outline, root: int, first_text: int, words: str, money: Money) -> tuple[str, str]:
    """Return the words just before and after the amount: of its own line, else a short label beside it."""
    before, after = words[: money.start].strip(), words[money.end :].strip()
    alone = not before and not after
    end_text = outline.elements[root].end_text if alone else first_text + 1
    left_out = LEFT_OUT & ~outline.elements[outline.texts[first_text].owner].marks
    block = _small_block(outline, root)
    if not before:
        earlier = range(first_text - 1, outline.elements[block].first_text - 1, -1)
        before = " ".join(reversed(_line(outline, root, earlier, left_out)))
    if not after:
        after = " ".join(_line(outline, root, range(end_text, outline.elements[block].end_text), left_out))
    return plain(before), plain(after)


def _small_block(outline: Outline, index: int) -> int:
    parent = outline.elements[index].parent
    while parent >= 0 and outline.length_of(parent) <= _LOOK_AROUND:
        index, parent = parent, outline.elements[parent].parent
    return index


def _line(outline: Outline, root: int, positions: range, left_out: int) -> list[str]:
    """Return the texts at these places that stand in the amount's own line, or the one short label beside it."""
    home = own_block(outline, root)
    found: list[str] = []
    for position in positions:
        text = outline.texts[position]
        has_digits = any(sign.isdigit() for sign in text.words)
        marks = outline.elements[text.owner].marks & left_out
        # "Regular Price" before an amount names it; after one it names the next.
        if marks & naming.HIDDEN or (marks and (has_digits or positions.step > 0)):
            continue
        block = own_block(outline, text.owner)
        if block != home:
            # "ex VAT" at the end of the line above speaks of the amount up there.
            if not (found or has_digits or len(text.words) > _LABEL or _shows_digits(outline, block)):
                found.append(text.words)
            break
        found.append(text.words)
    return found


def _shows_digits(outline: Outline, block: int) -> bool:
    if outline.length_of(block) > _LOOK_AROUND:
        return False
    return any(sign.isdigit() for sign in outline.words_of(block))


def own_block(outline: Outline, index: int) -> int:
    """Return the nearest element around this one that begins a line."""
    return next((each for each in outline.ancestry(index) if outline.elements[each].tag in _BLOCKS), index)
