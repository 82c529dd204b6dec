"""The product's title, and the element that shows it: everything else is judged by its distance to it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.outline import Element, Outline

_WORD = re.compile(r"\w+", re.UNICODE)
_PRODUCT_NAME = re.compile(
    r"(?:product|item|pdp|prod|article|artikel|produkt|goods)[-_]*(?:detail[-_]*)?(?:title|name|heading|headline)"
    r"|(?:title|name)[-_]*(?:product|item)|(?:^|[\s_-])(?:name|title|heading|headline)(?:\s|$)|producttitle|productname",
    re.I,
)
_LONGEST = 400
_LIKELY, _LEAST_ELSEWHERE, _MARGIN = 0.6, 0.45, 0.1
_SHORTEST = 4
_ELSEWHERE = naming.OTHERS | naming.FRAME | naming.CARD | naming.LINKED | naming.OPTION | naming.HIDDEN
_SURELY_ELSEWHERE = naming.SURELY_FRAME | naming.LINKED | naming.OPTION | naming.HIDDEN
_HOME = frozenset(("/", "./", "index.php", "/index.html", "/index.php", "#"))
# Sites put their own name at either end of a page's title.
_SITE_PART = re.compile(r"\s+[|•·»–—-]\s+|\s*\|\s*")


def words_in(text: str) -> frozenset[str]:
    """Return the words of a text for comparing, in lower case."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def likeness(one: str, other: str) -> float:
    """Return how much of two names is the same: 1.0 for equal, 0.0 for nothing in common."""
    mine, theirs = words_in(one), words_in(other)
    if not mine or not theirs:
        return 0.0
    shared = len(mine & theirs)
    return shared / min(len(mine), len(theirs)) * (0.5 + 0.5 * shared / max(len(mine), len(theirs)))


def title_element(outline: Outline, known_names: Iterable[str]) -> Element | None:
    """Return the heading that names the product: the one most like what head and structured data call it."""
    names = [name for name in known_names if name]
    headings = [each for each in outline.elements if each.tag == "h1"]
    best = _best(outline, headings, names)
    if best is not None and (best[0] >= _LIKELY or not names):
        return best[1]
    # Where the first heading is the shop's own, or there is none, the product is named in a lesser one.
    lesser = [each for each in outline.elements if _may_name_a_product(outline, each)]
    other = _best(outline, lesser, names, least=_LEAST_ELSEWHERE) if names else None
    if other is not None and (best is None or other[0] > best[0] + _MARGIN):
        # Neighbours have names too, and some are nearly the same.
        is_exact = words_in(outline.words_of(other[1].index)) in _wanted(names)
        return other[1] if is_exact else _first_that_says(outline, names) or other[1]
    return best[1] if best is not None else _first_that_says(outline, names)


def _first_that_says(outline: Outline, names: list[str]) -> Element | None:
    """Return the first element that says one of these names and nothing else, on a page without headings."""
    wanted = _wanted(names)
    for unwanted in (_ELSEWHERE, _SURELY_ELSEWHERE):
        for text in outline.texts:
            element = outline.elements[text.owner]
            if element.marks & unwanted or len(text.words) > _LONGEST:
                continue
            words = words_in(text.words)
            if len(words) > 1 and words in wanted:
                return element
    return None


def _wanted(names: list[str]) -> list[frozenset[str]]:
    """Return the words of each name, with and without what a site puts beside it."""
    parts = (part for name in names for part in (name, *_SITE_PART.split(name)))
    return [words_in(part) for part in parts if len(part) > _SHORTEST]


def _may_name_a_product(outline: Outline, element: Element) -> bool:
    within = outline.elements[element.index + 1 : element.end][:2]
    if element.own & naming.OTHERS or any(each.marks & naming.LINKED for each in (element, *within)):
        return False
    if element.tag in ("h2", "h3", "h4"):
        return True
    named = element.tag in ("span", "div", "strong", "p", "a", "td", "b") and element.names
    return bool(named) and _PRODUCT_NAME.search(element.names) is not None


def _best(
    outline: Outline, elements: list[Element], names: list[str], *, least: float = 0.0
) -> tuple[float, Element] | None:
    ranked = []
    for element in elements:
        if not 2 <= outline.length_of(element.index) <= _LONGEST:
            continue
        words = outline.words_of(element.index)
        score = max((_fit(words, name) for name in names), default=0.0)
        if element.marks & (naming.FRAME | naming.HIDDEN | naming.OTHERS):
            score -= 0.2
        if _leads_home(outline, element):
            score -= 0.6
        if score >= least or not names:
            ranked.append((score, len(words_in(words)), -element.index, element))
    best = max(ranked, key=lambda each: each[:3]) if ranked else None
    return (best[0], best[3]) if best is not None else None


def _fit(words: str, name: str) -> float:
    """Return how well a heading renders a name: alike, and not only a small part of it such as the shop's."""
    theirs = words_in(name)
    covered = len(words_in(words) & theirs) / len(theirs) if theirs else 0.0
    return (likeness(words, name) * 2 + covered) / 3


def _leads_home(outline: Outline, element: Element) -> bool:
    around = (element, *outline.elements[element.index + 1 : element.end][:3])
    if element.parent >= 0:
        around = (*around, outline.elements[element.parent])
    return any(
        each.tag == "a" and (each.node.attributes.get("href") or "").strip() in _HOME for each in around
    )


def without_site(title: str, host: str) -> str:
    """Return a page title without the shop's own name."""
    parts = [part for part in _SITE_PART.split(title) if part.strip()]
    label = re.sub(r"[^a-z0-9]", "", host.removeprefix("www.").partition(".")[0])
    kept = [part for part in parts if re.sub(r"[^a-z0-9]", "", part.lower()) not in (label, host)]
    return max(kept or parts or [title], key=len).strip()
