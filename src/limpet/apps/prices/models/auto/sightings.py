"""Every amount a visitor can see, with what it is and how likely it is the price of this product.

The points are fixed and few, so that a person can say why one amount came before another:
see `_points`. Amounts that carry a disqualifying mark (crossed out, per unit, another product's ...) are kept
as evidence, never as the price.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from limpet.apps.prices.models.auto import naming, wording
from limpet.apps.prices.models.auto.amounts import (
    MOST_CENTS,
    Money,
    amounts_in,
    bare_amount,
    holds_amount,
    is_harmless,
    is_sign,
    plain,
)
from limpet.apps.prices.models.auto.button import BuyButton, common_ancestor
from limpet.apps.prices.models.auto.outline import Element, Outline
from limpet.apps.prices.models.auto.pieces import LONGEST_PRICE, joined

_NOT_THIS_ONE = (
    naming.OLD | naming.FINANCE | naming.SHIPPING | naming.SAVING | naming.OTHERS | naming.FRAME | naming.HIDDEN
    | naming.LINKED | naming.TIER | wording.PER_UNIT | wording.RANGE | wording.ABOUT
)  # fmt: skip
_LEFT_OUT = naming.OLD | naming.HIDDEN  # not part of the price they stand in
_LONGEST_SENTENCE = 400
_MOST_SIGHTINGS = 3_000  # the product stands among the first; whoever shows more means to hurt
_LOOK_AROUND = 160
_LABEL = 28
_BLOCKS = frozenset((
    "div", "p", "li", "td", "th", "dt", "dd", "tr", "ul", "ol", "table", "section", "article", "h1", "h2", "h3", "h4",
    "h5", "h6", "form", "header", "footer", "dl", "main", "aside", "figure", "body", "button", "tbody", "option",
))  # fmt: skip
# Hardly a letter: such a text may be a piece of a price. "1,204 ratings" is none.
_MOSTLY_DIGITS = re.compile(r"(?:[^\d\w]|[^\W\d_]{1,4}(?=[\W\d])|\d|[^\W\d_]{1,4}$)*")
_PERCENT = re.compile(r"(?<![\d.,])(\d{1,2})\s?%")
_LABELS = frozenset(("dt", "th", "label"))
_REPEATED = 3


@dataclass(frozen=True, slots=True)
class Sighting:
    """One amount on the page."""

    cents: int
    currency: str | None
    has_sign: bool
    words: str
    root: int  # the element that holds this amount and nothing else, as high up as that is true
    first_text: int
    marks: int
    is_named: bool  # its element, or one just around it, is called a price
    is_alone: bool  # nothing else stands in its element: no sentence around it
    points: int = 0

    @property
    def may_be_the_price(self) -> bool:
        """Whether nothing says it is something else."""
        return not self.marks & _NOT_THIS_ONE and self.cents > 0


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


def sightings_in(outline: Outline, around: Surroundings, hint: str | None) -> list[Sighting]:
    """Return every amount of the page, best first."""
    found: dict[tuple[int, int, int], Sighting] = {}
    for position, text in enumerate(outline.texts):
        if len(found) >= _MOST_SIGHTINGS:
            break
        if _may_hold_money(text.words):
            for sighting in _sightings_at(outline, position, hint):
                found.setdefault((sighting.root, sighting.first_text, sighting.cents), sighting)
    repeated = _repeated(outline, found.values())
    rated = [replace(each, points=_points(outline, each, around, repeated)) for each in found.values()]
    return sorted(rated, key=lambda each: (-each.points, each.first_text))


def _may_hold_money(words: str) -> bool:
    """Tell quickly what need not be looked at: most texts of a page."""
    if len(words) > _LONGEST_SENTENCE or not any(map(str.isdigit, words)):
        return False
    return (len(words) <= LONGEST_PRICE and _MOSTLY_DIGITS.fullmatch(words) is not None) or holds_amount(
        words
    )


def percentages_in(outline: Outline, around: Surroundings) -> frozenset[int]:
    """Return the percentages that stand near the product's title or in its box: a discount proves two prices."""
    start = around.title.first_text if around.title is not None else 0
    return frozenset(
        int(found[1])
        for text in outline.texts[start : start + 80]
        if len(text.words) <= 60
        for found in _PERCENT.finditer(text.words)
    )


def _sightings_at(outline: Outline, position: int, hint: str | None) -> list[Sighting]:
    owner = outline.texts[position].owner
    root, words, money = _whole_price(outline, owner, hint)
    if money is not None:
        if root == owner and outline.elements[owner].own & naming.CENTS and len(words) <= 2:
            return []  # half a number
        return [_sighting(outline, root, _first_kept(outline, root, position), words, money, alone=True)]
    words = plain(outline.texts[position].words)
    return [_sighting(outline, owner, position, words, each, alone=False) for each in amounts_in(words, hint)]


def _whole_price(outline: Outline, owner: int, hint: str | None) -> tuple[int, str, Money | None]:
    """Return the highest element around this text that shows one amount and nothing else."""
    best: tuple[int, str, Money | None] = (owner, "", None)
    index = owner
    while index >= 0 and outline.length_of(index) <= LONGEST_PRICE:
        words = _price_words(outline, index)
        money = _only_amount(words, hint, is_named=_is_named(outline, index))
        if money is not None:
            best = (index, words, money)
        elif best[2] is not None:
            break
        if _leaves(outline, owner, index):
            break
        index = outline.elements[index].parent
    return best


def _leaves(outline: Outline, owner: int, index: int) -> bool:
    """Whether the next element up would leave this text out of its price: crossed out here, but not there."""
    parent = outline.elements[index].parent
    around = outline.elements[parent].marks if parent >= 0 else 0
    return bool(outline.elements[owner].marks & _LEFT_OUT & ~around)


def _first_kept(outline: Outline, root: int, position: int) -> int:
    element = outline.elements[root]
    left_out = _LEFT_OUT & ~element.marks
    kept = range(element.first_text, element.end_text)
    return next(
        (at for at in kept if not outline.elements[outline.texts[at].owner].marks & left_out), position
    )


def _price_words(outline: Outline, index: int) -> str:
    pieces = outline.pieces(index, without=_LEFT_OUT & ~outline.elements[index].marks)
    named = _is_named(outline, index) or _is_sign_whole_cents([words for words, _ in pieces])
    cents = [named or bool(outline.elements[owner].own & naming.CENTS) for _, owner in pieces]
    return joined([words for words, _ in pieces], may_hold_cents=cents)


def _is_sign_whole_cents(pieces: list[str]) -> bool:
    """Whether three pieces are a sign, a whole and two digits: so built only by those who raise the cents."""
    if len(pieces) != 3 or not (is_sign(pieces[0]) or is_sign(pieces[2])):
        return False
    whole, cents = pieces[1:] if is_sign(pieces[0]) else pieces[:2]
    return whole[-1].isdigit() and len(cents) == 2 and cents.isdigit()


def _only_amount(words: str, hint: str | None, *, is_named: bool) -> Money | None:
    found = list(amounts_in(words, hint))
    if found and len({each.cents for each in found}) == 1:  # once for eyes, once for ears
        rest = words
        for each in reversed(found):
            rest = f"{rest[: each.start]} {rest[each.end :]}"
        return found[0] if is_harmless(rest) else None
    if found or not is_named:
        return None
    bare = bare_amount(words, hint)
    return bare if bare is not None and (_has_decimals(words) or hint is not None) else None


def _has_decimals(words: str) -> bool:
    return (len(words) > 3 and words.strip()[-3] in ".,") or words.rstrip().endswith(
        (",-", ":-", ".-", ",–", ".–")
    )


def _is_named(outline: Outline, index: int) -> bool:
    return any(outline.elements[each].own & naming.PRICE for each in outline.ancestry(index)[:3])


def _sighting(
    outline: Outline, root: int, first_text: int, words: str, money: Money, *, alone: bool
) -> Sighting:
    before, after = _words_around(outline, root, first_text, words, money)
    near = outline.ancestry(root)[:4]
    marks = outline.elements[root].marks | outline.elements[_digits_owner(outline, root, first_text)].marks
    for each in near[:3]:
        own = outline.elements[each].own
        if own & naming.PRICE:
            marks |= own & (naming.CURRENT | naming.REGULAR | naming.PRICE)
    marks |= wording.marks_before(before) | wording.marks_after(after)
    if before.endswith(":") or outline.elements[outline.texts[max(first_text - 1, 0)].owner].tag in _LABELS:
        marks |= 0 if marks & naming.CURRENT else wording.LABELLED
    if money.cents > MOST_CENTS:
        marks |= wording.ABOUT
    return Sighting(
        cents=money.cents,
        currency=money.currency,
        has_sign=money.has_sign,
        words=words[money.start : money.end],
        root=root,
        first_text=first_text,
        marks=marks,
        is_named=any(outline.elements[each].own & naming.PRICE for each in near),
        is_alone=alone,
    )


def _digits_owner(outline: Outline, root: int, first_text: int) -> int:
    """Return the element whose text holds the digits; a piece with the sign alone may be named otherwise."""
    texts = outline.texts[first_text : max(outline.elements[root].end_text, first_text + 1)]
    return next((text.owner for text in texts if any(sign.isdigit() for sign in text.words)), root)


def _words_around(outline: Outline, root: int, first_text: int, words: str, money: Money) -> tuple[str, str]:
    """Return the words just before and after the amount: of its own line, else a short label beside it."""
    before, after = words[: money.start].strip(), words[money.end :].strip()
    alone = not before and not after
    end_text = outline.elements[root].end_text if alone else first_text + 1
    left_out = _LEFT_OUT & ~outline.elements[outline.texts[first_text].owner].marks
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
    home = _own_block(outline, root)
    found: list[str] = []
    for position in positions:
        text = outline.texts[position]
        has_digits = any(sign.isdigit() for sign in text.words)
        marks = outline.elements[text.owner].marks & left_out
        # "Regular Price" before an amount names it; after one it names the next.
        if marks & naming.HIDDEN or (marks and (has_digits or positions.step > 0)):
            continue
        block = _own_block(outline, text.owner)
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


def _own_block(outline: Outline, index: int) -> int:
    return next((each for each in outline.ancestry(index) if outline.elements[each].tag in _BLOCKS), index)


def _signature(outline: Outline, sighting: Sighting) -> tuple[str, ...]:
    line = outline.ancestry(sighting.root)[:4]
    return tuple(f"{outline.elements[each].tag} {outline.elements[each].names}" for each in line)


def _repeated(outline: Outline, sightings: Iterable[Sighting]) -> frozenset[int]:
    """Return the roots that stand in a row of at least three built alike: a list of products or of options."""
    signatures = {each.root: _signature(outline, each) for each in sightings}
    alike = Counter(signatures.values())
    return frozenset(root for root, signature in signatures.items() if alike[signature] >= _REPEATED)


def _points(outline: Outline, sighting: Sighting, around: Surroundings, repeated: frozenset[int]) -> int:
    marks = sighting.marks
    points = 25 * sighting.is_named + 12 * sighting.has_sign
    points += 8 * bool(marks & naming.CURRENT)
    points += _place(outline, sighting, around)
    if not sighting.is_alone and not marks & naming.CURRENT:
        points -= 14
    points -= 12 * bool(marks & naming.CARD)
    points -= 14 * bool(marks & naming.OPTION)
    points -= 10 * bool(marks & naming.REGULAR)
    points -= 14 * bool(marks & wording.WITHOUT_TAX)
    points -= 18 * bool(marks & naming.REVIEW)
    points -= 25 * bool(marks & naming.UNIT)
    points -= 10 * bool(marks & wording.LABELLED)
    points -= 14 * bool(marks & naming.TOTAL)
    points -= 20 * bool(marks & wording.FROM)
    points -= 20 * (sighting.root in repeated)
    return points


def _place(outline: Outline, sighting: Sighting, around: Surroundings) -> int:
    """Up to 45 points for standing in the product's box, soon after its title, near its button."""
    points = 0
    if around.box is not None and around.box.index <= sighting.root < around.box.end:
        points += 15
    if around.title is not None:
        steps = sighting.first_text - around.title.end_text
        points += max(0, 20 - steps // 5) if steps >= 0 else max(0, 10 + steps // 2)
    if around.button is not None:
        steps = abs(sighting.first_text - around.button.element.first_text)
        points += max(0, 10 - steps // 5)
    return points
