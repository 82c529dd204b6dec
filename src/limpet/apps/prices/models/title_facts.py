"""What an ammunition title states in so many words; nothing is inferred from what it leaves out."""

from __future__ import annotations

import re

_ROUNDS = re.compile(r"\b(\d{1,3}(?:,\d{3})+|\d{1,6})[\s-]+(?:round|rd|rnd)s?\b", re.IGNORECASE)
_GRAINS = re.compile(r"\b(\d{1,4})[\s-]*(?:grain|gr)\b", re.IGNORECASE)
_SHOP_WORDS = re.compile(r"\s+ammo(?:unition)?(?:\s+for\s+sale)?\s*\Z", re.IGNORECASE)


def round_count_in(title: str) -> int | None:
    """Return how many rounds are sold together, when the title names exactly one number of them."""
    return _only_number(_ROUNDS.findall(title))


def grain_weight_in(title: str) -> int | None:
    """Return the weight of the bullet in grains, when the title names exactly one."""
    return _only_number(_GRAINS.findall(title))


def maker_in(link_text: str) -> str | None:
    """Return the maker a category link is about: `Hornady Ammo For Sale` is Hornady."""
    return _SHOP_WORDS.sub("", link_text).strip() or None


def _only_number(found: list[str]) -> int | None:
    numbers = {int(text.replace(",", "")) for text in found}
    number = numbers.pop() if len(numbers) == 1 else 0
    return number or None
