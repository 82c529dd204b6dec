"""How many there are of a thing, in words."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Return "1 source", "2 sources"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
