"""What the event field says: a ball, a break, or how it all ended."""

from __future__ import annotations

import re

from limpet.apps.matches.record import MatchStatus, Phase

_ABANDONED = re.compile(r"\b(abandoned|no result|called off|cancelled)\b", re.IGNORECASE)
_ENDED = re.compile(r"\b(won by|won the|beat|tied|drawn|match ends|conceded|awarded)\b", re.IGNORECASE)
_BREAKS = (
    (re.compile(r"innings break", re.IGNORECASE), Phase.INNINGS_BREAK),
    (re.compile(r"\b(stumps|day \d+ (?:ends|over))\b", re.IGNORECASE), Phase.STUMPS),
    (
        re.compile(r"\b(rain|drizzle|wet outfield|bad light|play (?:stopped|halted))\b|^d$", re.IGNORECASE),
        Phase.RAIN,
    ),
)


def ending_in(text: str) -> MatchStatus | None:
    """Return how the match ended when the text says that it did."""
    if _ABANDONED.search(text):
        return MatchStatus.ABANDONED
    return MatchStatus.COMPLETED if _ENDED.search(text) else None


def break_in(text: str) -> Phase | None:
    """Return which break the text tells of, if any."""
    return next((phase for pattern, phase in _BREAKS if pattern.search(text)), None)
