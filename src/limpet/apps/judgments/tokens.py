"""Action tokens: what the court calls a document, in its index, on its buttons and in its AJAX call.

Nothing else in the house may normalise a token: files, cases and tests all come here.
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import unquote_plus

_NOT_ALPHANUMERIC = re.compile(r"[^A-Z0-9]+")
_BETWEEN_TOKENS = re.compile(r"[|,;/\\\s]+")  # \s holds the no-break space too
_MOST_UNESCAPES = 3  # &amp;amp; has been seen; a text that never settles is not unescaped for ever


def normalize_action_token(token: str) -> str:
    """Return the token's one spelling: letters and digits alone, in upper case; empty when none is left."""
    return _NOT_ALPHANUMERIC.sub("", unquote_plus(plain_text(token)).upper())


def tokens_in(cell: str) -> list[str]:
    """Return the tokens of an Actions cell as the court spells them, each once, in their order.

    Entities are read before the cell is split: the `;` that ends one separates nothing.
    """
    parts = _BETWEEN_TOKENS.split(plain_text(cell))
    return list(dict.fromkeys(part for part in parts if normalize_action_token(part)))


def plain_text(text: str) -> str:
    """Return what a reader would see: entities read, every kind of space one space, none at the ends."""
    return " ".join((text if "&" not in text else _unescaped(text)).split())


def _unescaped(text: str) -> str:
    for _ in range(_MOST_UNESCAPES):
        if (read := unescape(text)) == text:
            break
        text = read
    return text
