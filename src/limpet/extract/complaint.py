"""What a failed reading says about itself: the field it was about, and the selector that found nothing."""

from __future__ import annotations

import re

from limpet.extract.extraction import Missing

_FIELD = re.compile(r"\A([a-z_]{2,30}): ")
_SELECTOR = re.compile(r"nothing (?:matches|at) (?P<quoted>(['\"]).+?\2(?: \| (['\"]).+?\3)*|\S[^()]*)")
_BY_REASON = {
    Missing.PRICE_NOT_FOUND.value: "price",
    Missing.AMBIGUOUS_PRICE.value: "price",
    Missing.TITLE_NOT_FOUND.value: "title",
    "unknown_availability": "availability",
    "zero_price_extracted": "price",
    "invalid_price": "price",
}


def field_in(reason: str | None, details: str | None) -> str:
    """Return the field the complaint is about, or an empty text."""
    named = _FIELD.match(details or "")
    return named[1] if named else _BY_REASON.get(reason or "", "")


def selector_in(details: str | None) -> str:
    """Return the selector or path that found nothing, or an empty text."""
    found = _SELECTOR.search(details or "")
    parts = found["quoted"].split(" | ") if found else ()
    return " | ".join(part.strip().strip("'\"") for part in parts)
