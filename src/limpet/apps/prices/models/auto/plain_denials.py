"""Short lines of their own that say one cannot have it now, although no element there is named after stock."""

from __future__ import annotations

import re

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.labels import own_block
from limpet.apps.prices.models.auto.outline import Element, Outline
from limpet.apps.prices.models.auto.surroundings import Surroundings
from limpet.extract.parse.stock import Availability

_LONGEST = 100
_NEAR_TITLE = 120  # texts after the title
_AFTER_BUTTON = 6  # texts after the button
_ELSEWHERE = (
    naming.OTHERS | naming.FRAME | naming.HIDDEN | naming.CARD | naming.REVIEW | naming.OPTION | naming.LINKED
)
_SAYS_NO = (
    r"(?:temporarily |currently )?(?:out[\s-]of[\s-]stock|sold[\s-]?out|unavailable)"
    r"|(?:not|no longer)(?: currently)? (?:in stock|available)"
    r"|ausverkauft|nicht (?:mehr )?(?:verfügbar|lieferbar|auf lager|vorrätig)|vergriffen|(?:en )?rupture(?: de stock)?"
    r"|épuisée?|indisponible|non disponible|victime de son succès|esaurito|non disponibile|agotado|no disponible"
    r"|sin (?:existencias|stock)|esgotado|indisponível|uitverkocht|niet (?:op voorraad|leverbaar|beschikbaar)"
    r"|slutsåld|slut i lager|ej i lager|udsolgt|ikke på lager|utsolgt|loppu(?:nut)?|brak w magazynie|niedostępny"
    r"|wyprzedan[eyao]|vyprodáno|není skladem|nincs (?:raktáron|készleten)|stoc epuizat|нет в наличии"
    r"|немає в наявності|품절|hết hàng|stok habis|tükendi|stokta yok|売り切れ|在庫切れ|品切れ|已售罄|缺货"
)
_AROUND_IT = (
    r"(?:sorry|(?:this|the) (?:item|product|article)|we are|it|is|currently|temporarily|at the moment|right now|now"
    r"|(?:dieser|der) artikel|(?:dieses|das) produkt|ist|derzeit|zurzeit|zur zeit|momentan|aktuell|leider"
    r"|(?:ce|cet|le|l') ?(?:produit|article)|est|actuellement|momentanément|temporairement)"
)
_LABEL = r"(?:(?:availability|stock(?: status)?|status|verfügbarkeit|lagerstatus|disponibilité|disponibilità)\s?:?\s)?"
_DENIES = re.compile(rf"{_LABEL}(?:{_AROUND_IT}[\s,]+)*(?:{_SAYS_NO})(?:[\s,]+{_AROUND_IT})*\s*[.!]*", re.I)
_LATER = re.compile(
    rf"{_LABEL}(?:{_AROUND_IT}[\s,]+)*(?:available )?(?:on|for|to)? ?(?:back|pre)[\s-]?order(?:ed)?(?: only)?\s*[.!]*",
    re.I,
)
_END_OF_SENTENCE = re.compile(r"(?<=[.!])\s|\s[-–—|]\s")
# "Pick-up" above "not available" speaks of another way to get it.
_OTHER_WAY = re.compile(
    r"pick[\s-]?up|collect|in[\s-]store|stores?\b|filiale|markt|abhol|magasin|retrait|negozio|tienda|deliver|shipping"
    r"|gift|engrav|sizes?\b|colou?rs?\b",
    re.I,
)
_ITEMS = frozenset(("li", "tr", "td", "dd", "label", "option"))


def plainly_denied(outline: Outline, around: Surroundings) -> Availability:
    """Return OUT_OF_STOCK or BACKORDER when a line of its own near the product says so, else UNKNOWN."""
    said = {_said_by(outline, around, position) for position in _near(outline, around)} - {
        Availability.UNKNOWN
    }
    return said.pop() if len(said) == 1 else (Availability.OUT_OF_STOCK if said else Availability.UNKNOWN)


def _near(outline: Outline, around: Surroundings) -> range:
    """Return the places from the title to a little behind the button."""
    if around.title is None or around.button is None:
        return range(0)
    start = around.title.end_text
    end = max(around.button.element.end_text, start) + _AFTER_BUTTON
    return range(start, min(end, start + _NEAR_TITLE, len(outline.texts)))


def _said_by(outline: Outline, around: Surroundings, position: int) -> Availability:
    text = outline.texts[position]
    if len(text.words) > _LONGEST or outline.elements[text.owner].marks & _ELSEWHERE:
        return Availability.UNKNOWN
    block = own_block(outline, text.owner)
    meant = _meant(outline, block)
    if meant is Availability.UNKNOWN or not _is_about_the_product(outline, around, block):
        return Availability.UNKNOWN
    return meant


def _meant(outline: Outline, index: int) -> Availability:
    words = outline.words_of(index) if outline.length_of(index) <= _LONGEST else ""
    if _LATER.fullmatch(words):
        return Availability.BACKORDER
    first, *others = _END_OF_SENTENCE.split(words)
    if _DENIES.fullmatch(first.strip()) is None:
        return Availability.UNKNOWN
    later = any(_LATER.fullmatch(each.strip()) for each in others)
    return Availability.BACKORDER if later else Availability.OUT_OF_STOCK


def _is_about_the_product(outline: Outline, around: Surroundings, block: int) -> bool:
    """Whether the line speaks of the whole product: not of one of several things, nor of one way to get it."""
    for index in outline.ancestry(block)[1:]:
        if _holds_the_product(outline.elements[index], around):
            break
        if _meant(outline, index) is Availability.UNKNOWN and _is_one_of_many(outline, around, index):
            return False
    before = outline.texts[outline.elements[block].first_text - 1].words
    return not _OTHER_WAY.search(before[:_LONGEST])


def _is_one_of_many(outline: Outline, around: Surroundings, index: int) -> bool:
    """Whether an element is an item of a list, or stands beside another built alike."""
    element = outline.elements[index]
    if element.tag in _ITEMS:
        return True
    parent = outline.elements[element.parent]
    beside = [each for each in outline.elements[parent.index + 1 : parent.end] if each.parent == parent.index]
    return any(
        each.index != index
        and (each.tag, each.names) == (element.tag, element.names)
        and not _holds_the_product(each, around)
        for each in beside
    )


def _holds_the_product(element: Element, around: Surroundings) -> bool:
    held = (around.title, around.button.element if around.button is not None else None)
    return any(each is not None and element.index <= each.index < element.end for each in held)
