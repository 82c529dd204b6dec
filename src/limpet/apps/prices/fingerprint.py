"""How a product is recognised at another shop: by a trusted UPC, else by what it is made of, else not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# A cartridge is the same article when all of these agree; one that is missing makes it nobody's twin.
_BULLET = ("brand", "caliber", "grain_weight", "bullet_type", "round_count")
_SHELL = ("brand", "caliber", "load_type", "shell_length", "round_count")
_NOISE = re.compile(r"[^a-z0-9.]+")


def valid_upc(text: str | None) -> str | None:
    """Return the UPC or EAN as 13 digits when its check digit is right, else None."""
    digits = re.sub(r"[\s-]", "", text or "")
    if not digits.isascii() or not digits.isdigit() or len(digits) not in (12, 13):
        return None
    padded = digits.rjust(13, "0")
    weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(padded[:12]))
    return padded if (10 - weighted % 10) % 10 == int(padded[12]) and padded.strip("0") else None


def fingerprint_of(brand: str | None, attributes: Mapping[str, Any]) -> str | None:
    """Return the fingerprint, or None when any part of it is unknown: a guess would merge two products."""
    facts = {"brand": brand, **attributes}
    for kind, fields in (("bullet", _BULLET), ("shell", _SHELL)):
        values = [_plain(facts.get(name)) for name in fields]
        if all(values):
            return "|".join([kind, *values])
    return None


def _plain(value: Any) -> str:
    return _NOISE.sub("-", str(value).casefold()).strip("-") if value not in (None, "") else ""
