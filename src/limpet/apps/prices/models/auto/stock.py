"""Whether one can buy it now: from markup, from words about stock near the product, from its button."""

from __future__ import annotations

import re
from collections.abc import Callable

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.button import BuyButton
from limpet.apps.prices.models.auto.outline import Outline
from limpet.apps.prices.models.auto.plain_denials import plainly_denied
from limpet.apps.prices.models.auto.state import State
from limpet.apps.prices.models.auto.statements import Statement
from limpet.apps.prices.models.auto.surroundings import Surroundings
from limpet.extract.parse.stock import Availability, parse_schema_availability, parse_stock

_NEAR_TEXTS = 120
_LONGEST = 100
_SHORT = 40
_SOLD_OUT = {Availability.OUT_OF_STOCK, Availability.UNKNOWN}
_ELSEWHERE = naming.OTHERS | naming.FRAME | naming.HIDDEN | naming.CARD | naming.REVIEW | naming.OPTION
_DENIED = re.compile(
    r"ausverkauft|nicht (?:verfügbar|lieferbar|auf lager|vorrätig)|vergriffen|rupture|épuisé|indisponible"
    r"|non disponible|victime de son succès|esaurito"
    r"|non disponibile|agotado|no disponible|sin (?:existencias|stock)|esgotado|indisponível|uitverkocht"
    r"|niet (?:op voorraad|leverbaar|beschikbaar)"
    r"|slutsåld|slut i lager|ej i lager|udsolgt|ikke på lager|utsolgt|loppu(?:nut)?|brak w magazynie"
    r"|niedostępny|wyprzedan"
    r"|vyprodáno|není skladem|nedostupn|nincs (?:raktáron|készleten)|stoc epuizat|нет в наличии|немає в наявності"
    r"|품절|hết hàng|สินค้าหมด|stok habis|tükendi|stokta yok|εξαντλ|אזל|売り切れ|在庫切れ"
    r"|品切れ|已售罄|缺货",
    re.I,
)
_AFFIRMED = re.compile(
    r"auf lager|sofort (?:lieferbar|verfügbar)|lieferbar|verfügbar|vorrätig|en stock|disponible"
    r"|disponibile|in magazzino|en existencia"
    r"|em stock|disponível|op voorraad|leverbaar|i lager|finns i lager|på lager|varastossa|na stanie"
    r"|dostępny|w magazynie|skladem|raktáron"
    r"|készleten|în stoc|в наличии|в наявності|재고 있음|còn hàng|มีสินค้า|tersedia|stokta|διαθέσιμ|σε απόθεμα|במלאי"
    r"|在庫あり|在庫有|有货|現貨",
    re.I,
)
_META_WORDS = {
    "instock": Availability.IN_STOCK, "in stock": Availability.IN_STOCK, "available": Availability.IN_STOCK,
    "true": Availability.IN_STOCK, "available for order": Availability.BACKORDER, "in": Availability.IN_STOCK,
    "oos": Availability.OUT_OF_STOCK, "out of stock": Availability.OUT_OF_STOCK, "pending": Availability.OUT_OF_STOCK,
    "false": Availability.OUT_OF_STOCK, "unavailable": Availability.OUT_OF_STOCK,
    "preorder": Availability.BACKORDER, "backorder": Availability.BACKORDER,
}  # fmt: skip


def availability_of(
    outline: Outline,
    around: Surroundings,
    statements: list[Statement],
    cents: int | None,
    *,
    state: Callable[[], State] = State,
) -> Availability:
    """Return what every explicit signal agrees on; UNKNOWN when they contradict each other or say nothing."""
    shown = _shown(outline, around)
    button = _of_button(around.button)
    if Availability.OUT_OF_STOCK in (button, *shown) and {button, *shown} <= _SOLD_OUT:
        # What the page tells people is newer than what a cached block of markup says.
        return Availability.OUT_OF_STOCK
    firm = _stated(statements, cents) | shown
    if button in (Availability.OUT_OF_STOCK, Availability.BACKORDER):
        firm.add(button)
    if firm == {Availability.IN_STOCK, Availability.BACKORDER}:
        return Availability.BACKORDER  # it can be ordered, and the more exact word says when
    if len(firm) > 1:
        return Availability.UNKNOWN
    if not firm:
        denied = plainly_denied(outline, around) if button is Availability.IN_STOCK else Availability.UNKNOWN
        if denied is not Availability.UNKNOWN:
            # A button that can be pressed does not make "out of stock" untrue: it may only put one on a list.
            return denied if denied is Availability.BACKORDER else Availability.UNKNOWN
        known = (button, _said_nearby(outline, around))
        return next((each for each in known if each is not Availability.UNKNOWN), None) or _in_state(state())
    answer = firm.pop()
    contradicted = answer is Availability.OUT_OF_STOCK and button is Availability.IN_STOCK
    return Availability.UNKNOWN if contradicted else answer


def _stated(statements: list[Statement], cents: int | None) -> set[Availability]:
    same = [each for each in statements if each.price is not None and each.price.cents == cents]
    said = {_from_words(each.availability) for each in same or statements} - {Availability.UNKNOWN}
    if Availability.IN_STOCK in said and len(same or statements) > 1:
        # Sizes of one article: some can be bought at this price.
        return {Availability.IN_STOCK}
    return said


def _from_words(value: str | None) -> Availability:
    if not value:
        return Availability.UNKNOWN
    known = parse_schema_availability(value)
    return known if known is not Availability.UNKNOWN else _META_WORDS.get(value.strip().lower(), known)


def _shown(outline: Outline, around: Surroundings) -> set[Availability]:
    said: set[Availability] = set()
    start = around.title.first_text if around.title is not None else 0
    for element in outline.elements:
        if not element.own & naming.STOCK or element.marks & _ELSEWHERE:
            continue
        if around.title is not None and not start <= element.first_text <= start + _NEAR_TEXTS:
            continue
        if outline.length_of(element.index) <= _LONGEST:
            said.add(_from_text(outline.words_of(element.index, without=naming.HIDDEN)))
    return said - {Availability.UNKNOWN}


def _in_state(state: State) -> Availability:
    said = {_from_words(each) for each in state.stock} - {Availability.UNKNOWN}
    return said.pop() if len(said) == 1 else Availability.UNKNOWN


def _said_nearby(outline: Outline, around: Surroundings) -> Availability:
    """Return what the short lines after the title say about stock, when no element is named after it."""
    start = around.title.first_text if around.title is not None else 0
    said = {
        _from_text(text.words)
        for text in outline.texts[start : start + _NEAR_TEXTS]
        if len(text.words) <= _SHORT and not outline.elements[text.owner].marks & _ELSEWHERE
    } - {Availability.UNKNOWN}
    return said.pop() if len(said) == 1 else Availability.UNKNOWN


def _from_text(words: str) -> Availability:
    if not words:
        return Availability.UNKNOWN
    known = parse_stock(words)
    if known is not Availability.UNKNOWN:
        return known
    if _DENIED.search(words):
        return Availability.OUT_OF_STOCK
    return Availability.IN_STOCK if _AFFIRMED.search(words) else Availability.UNKNOWN


def _of_button(button: BuyButton | None) -> Availability:
    if button is None:
        return Availability.UNKNOWN
    if button.says_sold_out:
        return Availability.OUT_OF_STOCK
    if button.says_later:
        return Availability.BACKORDER
    # A button that is off may only wait for a size to be chosen.
    return Availability.IN_STOCK if button.is_enabled else Availability.UNKNOWN
