"""Prices that templates cut into pieces - sign, whole, raised cents - put together again."""

from __future__ import annotations

import re

from limpet.apps.prices.models.auto.amounts import plain

LONGEST_PRICE = 48
_FEWEST_SIGNS = 4
_WHOLE = re.compile(r"(?:^|[^\d.,])(?:\d{1,3}(?:[.,' ]\d{3})+|\d{1,6})$")
_WHOLE_AND_SIGN = re.compile(r"\d\s?[€£]$")  # "19€" before raised cents
_CENTS = re.compile(r"\d\d(?:\D|$)")
_DOT_GROUPS = re.compile(r"\d\.\d{3}$")


def joined(pieces: list[str], *, may_hold_cents: list[bool]) -> str:
    """Return the pieces as one text; a lone pair of digits after a whole number is its cents."""
    signs = [plain(piece) for piece in pieces]
    if len(signs) >= _FEWEST_SIGNS and all(len(sign) <= 1 for sign in signs):
        # Every sign in an element of its own; a blank that became nothing was one all the same.
        return "".join(sign or " " for sign in signs)
    text = ""
    for raw, cents_here in zip(pieces, may_hold_cents, strict=True):
        piece = plain(raw)
        if not text or not piece:
            text = text or piece
        elif cents_here and _CENTS.match(piece) and _WHOLE.search(text):
            text = f"{text}{',' if _DOT_GROUPS.search(text) else '.'}{piece}"
        elif _belongs(text, piece) or (
            cents_here and _CENTS.fullmatch(piece) and _WHOLE_AND_SIGN.search(text)
        ):
            text += piece
        else:
            text = f"{text} {piece}"
    return text


def _belongs(text: str, piece: str) -> bool:
    """Whether the piece goes on where the text stops: `19` `.` `99`, `1,` `299`, `19,` `-`."""
    if piece[0] in ".,":
        return text[-1].isdigit()
    if text[-1] in ".," and len(text) > 1 and text[-2].isdigit():
        return piece[0].isdigit() or piece[0] in "-–—"
    return False
