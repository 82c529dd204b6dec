"""What is looked for on a page: a value that is known, or failing that a value of its kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from limpet.extract.parse.price import Price, parse_price, price_from_json
from limpet.extract.parse.stock import Availability, parse_schema_availability, parse_stock

_LONGEST_STOCK = 60
_LONGEST_PRICE = 40


@dataclass(frozen=True, slots=True)
class Wanted:
    """Tells whether words, or a value in structured data, are what is looked for."""

    field: str
    is_it: Callable[[str], bool]
    is_alike: Callable[[str], bool]  # the same kind of value: another price, another word for stock


def wanted(field: str, value: Any) -> Wanted:
    """Return what to look for, for a field of a record with this value."""
    if isinstance(value, Availability):
        return Wanted(
            field, lambda words: _stock_in(words) is value, lambda words: _stock_in(words) is not None
        )
    if field.endswith("_cents") and isinstance(value, int):
        return Wanted(field, lambda words: _cents_in(words) == value, lambda words: bool(_cents_in(words)))
    text = " ".join(str(value).split()).casefold()
    return Wanted(field, lambda words: _same(words, text), lambda words: False)


def _same(words: str, text: str) -> bool:
    """Whether the words are the text, also behind a label: `SKU: 90226`."""
    said = " ".join(words.split()).casefold()
    label, colon, rest = said.partition(":")
    return said == text or (bool(colon) and len(label) <= 20 and rest.strip() == text)


def _stock_in(words: str) -> Availability | None:
    if not words or len(words) > _LONGEST_STOCK:
        return None
    for read in (parse_schema_availability(words), parse_stock(words)):
        if read is not Availability.UNKNOWN:
            return read
    return None


def _cents_in(words: str) -> int | None:
    if not words or len(words) > _LONGEST_PRICE or not any(sign.isdigit() for sign in words):
        return None
    for read in (parse_price(words), price_from_json(words, currency=None)):
        if isinstance(read, Price):
            return read.cents
    return None
