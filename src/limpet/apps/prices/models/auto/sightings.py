"""Every amount a visitor can see, with what it is.

Amounts that carry a disqualifying mark (crossed out, per unit, another product's ...) are kept as evidence, never
as the price.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from limpet.apps.prices.models.auto import naming, wording
from limpet.apps.prices.models.auto.amounts import (
    MOST_CENTS,
    Money,
    amounts_in,
    bare_amount,
    holds_amount,
    is_harmless,
    is_sign,
    pence,
    plain,
)
from limpet.apps.prices.models.auto.labels import LEFT_OUT, words_around
from limpet.apps.prices.models.auto.outline import Outline
from limpet.apps.prices.models.auto.pieces import LONGEST_PRICE, joined

_NOT_THIS_ONE = (
    naming.OLD | naming.FINANCE | naming.SHIPPING | naming.SAVING | naming.OTHERS | naming.FRAME | naming.HIDDEN
    | naming.LINKED | naming.TIER | wording.PER_UNIT | wording.RANGE | wording.ABOUT
)  # fmt: skip
# What a name alone may say wrongly: `buy-block-prices` are no quantity prices, `retail-price` may be today's.
_DOUBTFUL = naming.OLD | naming.TIER | naming.OTHERS | naming.FRAME
# ... and what a name further up may mean for its other contents.
_DOUBTFUL_ABOVE = naming.FINANCE | naming.SHIPPING | naming.SAVING
_LONGEST_SENTENCE = 400
_LONGEST_LABEL = 80
_LONGEST_REMARK = 24  # letters beside an amount, before it is only mentioned
_BEFORE_DIGITS = re.compile(r"[^\d]{3,40}(?=\d)")
_MOST_SIGHTINGS = 3_000  # the product stands among the first; whoever shows more means to hurt
# Hardly a letter: such a text may be a piece of a price. "1,204 ratings" is none.
_MOSTLY_DIGITS = re.compile(r"(?:[^\d\w]|[^\W\d_]{1,4}(?=[\W\d])|\d|[^\W\d_]{1,4}$)*")
_NEAR_LEVELS = 2
_LABELS = frozenset(("dt", "th", "label"))


@dataclass(frozen=True, slots=True)
class Sighting:
    """One amount on the page."""

    cents: int
    currency: str | None
    has_sign: bool
    names_one: bool  # its sign means one currency and no other
    words: str
    root: int  # the element that holds this amount and nothing else, as high up as that is true
    first_text: int
    end_text: int
    marks: int
    is_named: bool  # its element, or one just around it, is called a price
    is_alone: bool  # nothing else stands in its element: no sentence around it
    is_in_passing: bool = False  # a sentence about something mentions it
    own_names: str = ""  # of the element that holds its digits
    said: int = 0  # those of its marks that words gave
    near: int = 0  # ... and those of the names right around it
    points: int = 0

    @property
    def may_be_the_price(self) -> bool:
        """Whether nothing says it is something else."""
        return (
            not self.marks & _NOT_THIS_ONE
            and self.cents > 0
            and not (self._is_an_extra or self.is_in_passing)
        )

    @property
    def is_only_misnamed(self) -> bool:
        """Whether nothing but a name such as `retail-price` speaks against it: no line through it, no word."""
        against = self.marks & _NOT_THIS_ONE
        doubtful = _DOUBTFUL | (_DOUBTFUL_ABOVE & ~self.near)
        firm = self.marks & (naming.STRUCK | naming.SURELY_FRAME) or against & (self.said | ~doubtful)
        # Who calls it old calls it a price; and what a column is called says little about its contents.
        is_price = self.is_named or against == naming.OLD or not against & self.near
        return bool(against) and not firm and self.cents > 0 and is_price and self.is_alone

    @property
    def _is_an_extra(self) -> bool:
        """Whether it stands in the sentence of a thing to choose: "take the old one away 29.99"."""
        return bool(self.marks & naming.OPTION) and not (self.is_alone or self.is_named)


def sightings_in(outline: Outline, hint: str | None) -> list[Sighting]:
    """Return every amount of the page, in page order and without points."""
    found: dict[tuple[int, int, int], Sighting] = {}
    for position, text in enumerate(outline.texts):
        if len(found) >= _MOST_SIGHTINGS:
            break
        if _may_hold_money(text.words):
            for sighting in _sightings_at(outline, position, hint):
                found.setdefault((sighting.root, sighting.first_text, sighting.cents), sighting)
    return list(found.values())


def _may_hold_money(words: str) -> bool:
    """Tell quickly what need not be looked at: most texts of a page."""
    if len(words) > _LONGEST_SENTENCE or not any(map(str.isdigit, words)):
        return False
    return (len(words) <= LONGEST_PRICE and _MOSTLY_DIGITS.fullmatch(words) is not None) or holds_amount(
        words
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
    return bool(outline.elements[owner].marks & LEFT_OUT & ~around)


def _first_kept(outline: Outline, root: int, position: int) -> int:
    element = outline.elements[root]
    left_out = LEFT_OUT & ~element.marks
    kept = range(element.first_text, element.end_text)
    return next(
        (at for at in kept if not outline.elements[outline.texts[at].owner].marks & left_out), position
    )


def _price_words(outline: Outline, index: int) -> str:
    pieces = outline.pieces(index, without=LEFT_OUT & ~outline.elements[index].marks)
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
    if bare is None:
        return pence(words, hint)
    return bare if _has_decimals(words) or hint is not None else None


def _has_decimals(words: str) -> bool:
    return (len(words) > 3 and words.strip()[-3] in ".,") or words.rstrip().endswith(
        (",-", ":-", ".-", ",–", ".–")
    )


def _is_named(outline: Outline, index: int) -> bool:
    return any(outline.elements[each].own & naming.PRICE for each in outline.ancestry(index)[:3])


def _sighting(
    outline: Outline, root: int, first_text: int, words: str, money: Money, *, alone: bool
) -> Sighting:
    before, after = words_around(outline, root, first_text, words, money)
    near = outline.ancestry(root)[:4]
    digits = _digits_owner(outline, root, first_text)
    inside = [
        each for each in outline.ancestry(digits) if each > root
    ]  # from the digits up to what holds them
    marks = outline.elements[root].marks | outline.elements[digits].marks
    for each in (*inside, *near[:3]):
        own = outline.elements[each].own
        if own & naming.PRICE:
            marks |= own & (naming.CURRENT | naming.REGULAR | naming.PRICE)
    said = wording.marks_before(before or _for_ears(outline, near)) | wording.marks_after(after)
    marks |= said
    if before.endswith(":") or outline.elements[outline.texts[max(first_text - 1, 0)].owner].tag in _LABELS:
        marks |= 0 if marks & naming.CURRENT else wording.LABELLED
    if money.cents > MOST_CENTS or _is_converted(outline, first_text, words, money):
        marks |= wording.ABOUT
    return Sighting(
        cents=money.cents,
        currency=money.currency,
        has_sign=money.has_sign,
        names_one=money.names_one,
        words=words[money.start : money.end],
        root=root,
        first_text=first_text,
        end_text=outline.elements[root].end_text if alone else first_text + 1,
        marks=marks,
        is_named=any(outline.elements[each].own & naming.PRICE for each in (*inside, *near)),
        is_alone=alone,
        is_in_passing=not (alone or marks & naming.CURRENT) and _is_talk(words, money),
        own_names=f"{outline.elements[root].names} {outline.elements[digits].names}".strip(),
        said=said,
        near=_names_around(outline, digits),
    )


def _is_converted(outline: Outline, first_text: int, words: str, money: Money) -> bool:
    """Whether the amount stands in brackets behind one of another currency: "19,99 € (39,10 лв.)"."""
    before = words[: money.start].rstrip()
    if not (before.endswith("(") and words[money.end :].lstrip().startswith(")")):
        return False
    earlier = outline.texts[first_text - 1].words if before == "(" and first_text else before[:-1]
    found = list(amounts_in(plain(earlier[-LONGEST_PRICE:]), None))
    return bool(found) and found[-1].currency not in (None, money.currency)


def _is_talk(words: str, money: Money) -> bool:
    return sum(sign.isalpha() for sign in words[: money.start] + words[money.end :]) > _LONGEST_REMARK


def _names_around(outline: Outline, digits: int) -> int:
    """Return what the names from the digits up to the element that is called a price say; above it they say little."""
    marks = 0
    for each in outline.ancestry(digits)[:_NEAR_LEVELS]:
        own = outline.elements[each].own
        marks |= own
        if own & naming.PRICE:
            break
    return marks


def _for_ears(outline: Outline, near: list[int]) -> str:
    """Return what an ARIA label says before the amount: "original price $30.00" tells what styles show to eyes."""
    for each in near[:2]:
        label = outline.elements[each].node.attributes.get("aria-label") or ""
        found = _BEFORE_DIGITS.match(label[:_LONGEST_LABEL])
        if found is not None:
            return found[0].rstrip(" $£€¥")
    return ""


def _digits_owner(outline: Outline, root: int, first_text: int) -> int:
    """Return the element whose text holds the digits; a piece with the sign alone may be named otherwise."""
    texts = outline.texts[first_text : max(outline.elements[root].end_text, first_text + 1)]
    return next((text.owner for text in texts if any(sign.isdigit() for sign in text.words)), root)
