"""Text from outside, fit for a terminal: shown, never obeyed."""

from __future__ import annotations

import re

# A title may hold the bytes that clear a screen, rename a window or turn a line around; breaks and tabs may stay.
_ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SHOWN_AS = "\ufffd"


def harmless(text: str) -> str:
    """Return the text without what a terminal would obey instead of showing it."""
    return _ORDERS.sub(_SHOWN_AS, text)
