"""The data that a page's scripts and attributes carry for the shop's own code: found and read, never run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.prices.models.auto.literal import read_literal
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.extract.structured.state import state_after

_LONGEST_SCRIPT = 3_000_000
_LONGEST_LITERAL = 60_000
_LONGEST_ATTRIBUTE = 200_000
_MOST_STATES = 40
_MOST_READ = 8_000_000  # characters of script looked through for one page
_MOST_VALUES = 150_000
_ABOUT = "rice"  # price, Price; whoever says it otherwise is not heard
# `x = {`, `push({`, `gtag("event", "view_item", {`: where data begins.
_OPENING = re.compile(
    r"[\w$\]\"')]\s*=\s*(?=[{\[]|JSON\.parse)|[\w$]\((?:\s*(?:\"[^\"]{0,40}\"|'[^']{0,40}')\s*,)*\s*(?=[{\[])"
)
_STRING_OR_BRACKET = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|[{}\[\]]")
_CURRENCY = re.compile(
    r"\b(?:currency(?:_?code|Iso|Unit)?|priceCurrency|meta\.currency)[\"']?\s*[:=]\s*[\"']([A-Z]{3})[\"']"
    r"|Shopify\.currency\s*=\s*\{\s*\"active\"\s*:\s*\"([A-Z]{3})\"",
    re.I,
)
_IN_MINOR_UNITS = re.compile(rb"cdn\.shopify\.com|Shopify\.shop\b|ShopifyAnalytics|gid://shopify/")


def values_in(tree: LexborHTMLParser) -> Iterator[Any]:
    """Yield every piece of data that mentions a price: JSON blocks, assigned objects, attributes."""
    budget = _Budget()
    yield from _in_attributes(tree)
    for script, kind in _scripts(tree):
        if "json" in kind or script.lstrip()[:1] in "{[":
            yield from _loaded(script)
        else:
            yield from _assigned(script, budget)


def variations_in(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """Yield the variants that the product's own form carries."""
    for name in ("data-product_variations", "data-variants"):
        holders = tree.css(f"[{name}]")
        # Two of them: cards of a list have theirs too.
        for listed in _loaded(holders[0].attributes.get(name) or "") if len(holders) == 1 else ():
            yield from (
                each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, dict)
            )


def currency_in(tree: LexborHTMLParser) -> str | None:
    """Return the one currency the page's scripts name; none when they name several."""
    found = {
        (match[1] or match[2]).upper() for script, _ in _scripts(tree) for match in _CURRENCY.finditer(script)
    }
    return found.pop() if len(found) == 1 else None


def counts_cents(markup: bytes) -> bool:
    """Whether the page is of a platform whose data writes whole numbers of cents."""
    return _IN_MINOR_UNITS.search(markup) is not None


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the value, itself and those inside."""
    waiting, looked_at = [value], 0
    while waiting and looked_at < _MOST_VALUES:
        each = waiting.pop()
        looked_at += 1
        if isinstance(each, dict):
            yield each
            waiting.extend(inner for inner in each.values() if isinstance(inner, (dict, list)))
        elif isinstance(each, list):
            waiting.extend(inner for inner in each if isinstance(inner, (dict, list)))


class _Budget:
    """How much of one page's scripts may still be read: a hostile page must not cost a minute."""

    def __init__(self) -> None:
        self.states, self.signs = _MOST_STATES, _MOST_READ


def _scripts(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for script in tree.css("script"):
        kind = (script.attributes.get("type") or "").lower()
        if "ld+json" in kind or script.attributes.get("src"):
            continue
        text = script.text(deep=True)
        if 20 < len(text) <= _LONGEST_SCRIPT and (_ABOUT in text or "urrency" in text):
            yield text, kind


def _assigned(text: str, budget: _Budget) -> Iterator[Any]:
    read_up_to = 0
    for found in _OPENING.finditer(text):
        if found.end() < read_up_to:
            continue
        if budget.states <= 0 or budget.signs <= 0 or text.find(_ABOUT, found.end()) < 0:
            return
        value, read_up_to = _read_at(text, found.end(), budget)
        if value is not None:
            budget.states -= 1
            yield value


def _read_at(text: str, start: int, budget: _Budget) -> tuple[Any, int]:
    if text.startswith("JSON.parse", start):
        budget.signs -= len(text) - start
        try:
            return state_after(text[start - 1 :], text[start - 1]), start
        except BadJson:
            return None, start
    end = _end_of(text, start)
    budget.signs -= end - start
    piece = text[start:end]
    if _ABOUT not in piece:
        # Code without a price in it may hold objects with one further inside, but none that we want.
        return None, end if len(piece) < _LONGEST_LITERAL else start
    try:
        return loads(piece.encode("utf-8", "replace")), end
    except BadJson:
        pass
    try:
        return (read_literal(piece) if len(piece) <= _LONGEST_LITERAL else None), start
    except BadJson:
        return None, start


def _end_of(text: str, start: int) -> int:
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text, start):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
            if depth == 0:
                return token.end()
    return len(text)


def _in_attributes(tree: LexborHTMLParser) -> Iterator[Any]:
    body = tree.body
    if body is None:
        return
    for selector in (
        "[data-product]", "[data-product-json]", "[data-props]", "[data-product-data]",
        "[data-analytics]", "[data-json]", "[data-variants]", "[data-product-info]", "[data-gtm]", "[data-state]",
        "[data-item]", "[data-model]", "[data-react-props]", "[data-tracking]", "[data-ecommerce]", "[props]",
    ):  # fmt: skip
        for node in body.css(selector)[:20]:
            value = node.attributes.get(selector[1:-1]) or ""
            if value[:1] in ("{", "[") and _ABOUT in value and len(value) <= _LONGEST_ATTRIBUTE:
                yield from _loaded(value)


def _loaded(text: str) -> Iterator[Any]:
    try:
        yield loads(text.encode("utf-8", "replace"))
    except BadJson:
        return
