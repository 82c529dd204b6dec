"""What the page's scripts carry about the product: state for the shop's own code, read as data, never run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.prices.models.auto.statements import read_stated
from limpet.apps.prices.models.auto.title import likeness
from limpet.extract.parse.price import Price
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.extract.structured.state import state_after

_LONGEST_SCRIPT = 3_000_000
_MOST_STATES = 24
_MOST_READ = 8_000_000  # characters of script looked through for one page
_MOST_VALUES = 150_000
_ASSIGNMENT = re.compile(
    r"(?<![\w.$])(?:window|self|var|let|const)[\s.\[\"'][\w.$\"'\[\] ]{1,60}=\s*(?=\{|\[|JSON\.parse)"
)
_NAME_KEYS = (
    "name",
    "title",
    "productName",
    "displayName",
    "product_name",
    "productTitle",
    "item_name",
    "Name",
)
_NOW_KEYS = re.compile(
    r"(?:sale|current|final|selling|special|now|offer|our|discounted|promo|actual)_?price"
    r"|price_?(?:sale|current|final|now)",
    re.I,
)
_PLAIN_KEYS = ("price", "Price", "prices", "priceInfo", "pricing", "priceData", "priceRange", "offers")
_INNER_KEYS = (
    "current",
    "currentPrice",
    "sale",
    "final",
    "now",
    "selling",
    "value",
    "amount",
    "price",
    "raw",
    "formatted",
)
_CURRENCY_KEYS = ("currency", "currencyCode", "priceCurrency", "currency_code", "currencyIso", "currencyUnit")


def state_prices(tree: LexborHTMLParser, title: str) -> frozenset[Price]:
    """Return the exact prices of the objects in the page's state that bear the product's name."""
    if not title:
        return frozenset()
    prices: set[Price] = set()
    for state in _states(tree):
        for item in _objects(state):
            name = next((item[key] for key in _NAME_KEYS if isinstance(item.get(key), str)), None)
            if name and likeness(name, title) > 0.9:
                prices.update(_price_of(item))
    return frozenset(prices)


def _states(tree: LexborHTMLParser) -> Iterator[Any]:
    read = looked_through = 0
    for script in tree.css("script"):
        kind = (script.attributes.get("type") or "").lower()
        if "ld+json" in kind or script.attributes.get("src"):
            continue
        text = script.text(deep=True)
        if not 20 < len(text) <= _LONGEST_SCRIPT or "rice" not in text:
            continue
        if "json" in kind or text.lstrip()[:1] in "{[":
            yield from _loaded(text)
            read += 1
            continue
        for found in _ASSIGNMENT.finditer(text):
            read += 1
            looked_through += len(text) - found.start()
            if read > _MOST_STATES or looked_through > _MOST_READ:
                return
            try:
                yield state_after(text[found.start() :], found[0].rstrip())
            except BadJson:
                continue


def _loaded(text: str) -> Iterator[Any]:
    try:
        yield loads(text.encode("utf-8", "replace"))
    except BadJson:
        return


def _objects(state: Any) -> Iterator[dict[str, Any]]:
    waiting, looked_at = [state], 0
    while waiting and looked_at < _MOST_VALUES:
        value = waiting.pop()
        looked_at += 1
        if isinstance(value, dict):
            yield value
            waiting.extend(each for each in value.values() if isinstance(each, (dict, list)))
        elif isinstance(value, list):
            waiting.extend(each for each in value if isinstance(each, (dict, list)))


def _price_of(item: dict[str, Any]) -> Iterator[Price]:
    currency = _currency_in(item)
    now = [value for key, value in item.items() if _NOW_KEYS.fullmatch(key)]
    for value in now or [item[key] for key in _PLAIN_KEYS if key in item][:1]:
        price = _exact(value, currency, levels=3)
        if price is not None and price.cents > 0:
            yield price


def _exact(value: Any, currency: str | None, *, levels: int) -> Price | None:
    """Return the price when its notation leaves no doubt; whole numbers may be cents and are not believed."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict) and levels:
        currency = _currency_in(value) or currency
        inner = next((value[key] for key in _INNER_KEYS if value.get(key) not in (None, "", 0)), None)
        return _exact(inner, currency, levels=levels - 1)
    if isinstance(value, bool) or not isinstance(value, (float, str)):
        return None
    if isinstance(value, str) and value.strip().isdigit():
        return None
    price, rounded = read_stated(value, currency)
    return price if not rounded else None


def _currency_in(item: dict[str, Any]) -> str | None:
    return next(
        (item[key] for key in _CURRENCY_KEYS if isinstance(item.get(key), str) and len(item[key]) == 3), None
    )
