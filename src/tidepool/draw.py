"""Chance that repeats itself: the same question about the same thing always gets the same answer."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def draw(below: int, *about: object) -> int:
    """Return a number from 0 up to `below`, depending on nothing but what it is about."""
    text = "/".join(map(str, about))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) % below


def pick(among: Sequence[T], *about: object) -> T:
    """Return one of several, depending on nothing but what it is about."""
    return among[draw(len(among), *about)]
