"""Scores as crex writes them."""

from __future__ import annotations

import re
from typing import Any

from limpet.apps.matches.balls import Overs, parse_overs

_SCORE = re.compile(r"\s*(\d{1,4})\s*[/-]\s*(\d{1,2})\s*(d)?\s*(?:\(\s*([\d.]+)\s*\)?)?\s*", re.IGNORECASE)
MOST_WICKETS = 10
Score = tuple[int, int, Overs, bool]  # runs, wickets, overs, declared


def score_of(text: Any) -> Score | None:
    """Read `106/10(31.1` or `107-3`; None when it is no score."""
    found = _SCORE.fullmatch(text) if isinstance(text, str) else None
    if found is None or int(found[2]) > MOST_WICKETS:
        return None
    overs = parse_overs(found[4]) if found[4] else Overs()
    return (int(found[1]), int(found[2]), overs, bool(found[3])) if overs is not None else None


def whole(value: Any) -> int | None:
    """Return a count; a bare number and its text are the same, anything else is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value >= 0 else None
    text = value.strip().rstrip("*") if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else None


def wholes(value: Any, count: int) -> tuple[int, ...] | None:
    """Return the first `count` numbers of `35.24.0.2`, or None when they are not all there."""
    parts = value.strip().rstrip("*").split(".") if isinstance(value, str) else []
    numbers = [whole(part) for part in parts[:count]]
    if len(numbers) < count or None in numbers:
        return None
    return tuple(number for number in numbers if number is not None)


def words(value: Any) -> str:
    """Return a text with single blanks; crex says nothing by an absent field, an empty one, or a number."""
    return (
        " ".join(str(value).split()) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    )
