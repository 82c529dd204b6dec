"""Cents as shops write them."""

from __future__ import annotations


def padded(cents: int) -> str:
    """Return cents as dollars with two decimals: 289.50."""
    return f"{cents // 100}.{cents % 100:02}"


def unpadded(cents: int) -> str:
    """Return cents as dollars without needless zeros: 289.5, 200."""
    return padded(cents).rstrip("0").rstrip(".")


def dollars(cents: int) -> str:
    """Return cents as a visitor reads them: $1,289.50."""
    return f"${cents // 100:,}.{cents % 100:02}"
