"""The product's title, and the element that shows it: everything else is judged by its distance to it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from limpet.apps.prices.models.auto import naming
from limpet.apps.prices.models.auto.outline import Element, Outline

_WORD = re.compile(r"\w+", re.UNICODE)
_PRODUCT_NAME = re.compile(
    r"(?:product|item|pdp|prod|article|artikel|produkt|goods)[-_]*(?:detail[-_]*)?(?:title|name|heading|headline)"
    r"|(?:title|name)[-_]*(?:product|item)|(?:^|\s)name(?:\s|$)|producttitle|productname",
    re.I,
)
_LONGEST = 400
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
    if best is not None:
        return best
    named = [
        each
        for each in outline.elements
        if each.tag in ("h2", "h3", "h4", "span", "div", "strong", "p", "a", "td", "b") and each.names
        and _PRODUCT_NAME.search(each.names)
        and not each.marks & naming.OTHERS
    ]  # fmt: skip
    return _best(outline, named, names, least=0.5) if names else None


def _best(
    outline: Outline, elements: list[Element], names: list[str], *, least: float = 0.0
) -> Element | None:
    ranked = []
    for element in elements:
        if not 2 <= outline.length_of(element.index) <= _LONGEST or element.marks & naming.OTHERS:
            continue
        words = outline.words_of(element.index)
        score = max((likeness(words, name) for name in names), default=0.0)
        frame = bool(element.marks & (naming.FRAME | naming.HIDDEN))
        if score >= least:
            ranked.append((score - (0.2 if frame else 0.0), len(words_in(words)), -element.index, element))
    return max(ranked, key=lambda each: each[:3])[3] if ranked else None


def without_site(title: str, host: str) -> str:
    """Return a page title without the shop's own name."""
    parts = [part for part in _SITE_PART.split(title) if part.strip()]
    label = re.sub(r"[^a-z0-9]", "", host.removeprefix("www.").partition(".")[0])
    kept = [part for part in parts if re.sub(r"[^a-z0-9]", "", part.lower()) not in (label, host)]
    return max(kept or parts or [title], key=len).strip()
