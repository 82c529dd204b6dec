"""How a product is recognised at another shop: by a trusted UPC, else by what it is made of, else not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

# A cartridge is the same article when all of these agree; one that is missing makes it nobody's twin.
_BULLET = ("brand", "caliber", "grain_weight", "bullet_type", "round_count")
_SHELL = ("brand", "caliber", "load_type", "shell_length", "round_count")
_NOISE = re.compile(r"[^a-z0-9.]+")


def valid_upc(text: str | None) -> str | None:
    """Return the UPC or EAN as 13 digits when its check digit is right, else None."""
    if not text:
        return None
    digits = re.sub(r"[\s-]", "", text)
    if not digits.isascii() or not digits.isdigit() or len(digits) not in (12, 13):
        return None
    padded = digits.rjust(13, "0")
    weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(padded[:12]))
    return padded if (10 - weighted % 10) % 10 == int(padded[12]) and padded.strip("0") else None


def fingerprint_of(brand: str | None, attributes: Mapping[str, Any]) -> str | None:
    """Return the fingerprint, or None when any part of it is unknown: a guess would merge two products."""
    facts = {"brand": brand, **attributes}
    for kind, fields in (("bullet", _BULLET), ("shell", _SHELL)):
        stated = [facts.get(name) for name in fields]
        if None in stated or "" in stated:
            continue
        values = [_plain(str(value)) for value in stated]
        if all(values):
            return "|".join([kind, *values])
    return None


@lru_cache(maxsize=4_096)  # a shop has few makers and few calibers, and thousands of products
def _plain(value: str) -> str:
    return _NOISE.sub("-", value.casefold()).strip("-")
