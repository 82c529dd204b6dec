"""Takes away what makes a page easy: telling names, markup, buttons. What is still read must still be right."""

from __future__ import annotations

import re
import zlib

_NAMES = re.compile(
    r'\b(class|id|itemprop|name|data-(?:hook|test|auto|price-type|role|selenium|price-amount))="([^"]*)"'
)
_MARKUP = re.compile(
    r'<script type="application/ld\+json">.*?</script>|<meta property="[^"]*price[^>]*>', re.DOTALL
)
_BUTTONS = re.compile(r'<button.*?</button>|<input type="(?:submit|button|image)[^>]*>', re.DOTALL)

LESS = ("names", "markup", "buttons")


def without(html: str, less: tuple[str, ...]) -> str:
    """Return the page without these aids."""
    if "names" in less:
        html = _NAMES.sub(lambda found: f'{found[1]}="{_hashed(found[2])}"', html)
    if "markup" in less:
        html = _MARKUP.sub("", html)
    if "buttons" in less:
        html = _BUTTONS.sub("", html)
    return html


def _hashed(names: str) -> str:
    return " ".join(f"x{zlib.crc32(name.encode()):08x}" for name in names.split())
