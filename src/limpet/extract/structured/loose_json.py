"""JSON as pages really hold it: in comments, in CDATA, entity-encoded, with raw line breaks in strings."""

from __future__ import annotations

import html
import json
from typing import Any

import orjson

_OPENINGS = (b"<!--", b"//<![CDATA[", b"// <![CDATA[", b"/*<![CDATA[*/", b"/* <![CDATA[ */", b"<![CDATA[")
_CLOSINGS = (b"//-->", b"// -->", b"-->", b"//]]>", b"// ]]>", b"/*]]>*/", b"/* ]]> */", b"]]>", b";")


class BadJson(ValueError):
    """The text is not JSON, not even with the usual blemishes removed."""


def loads(text: bytes) -> Any:
    """Return the value the text holds, or raise BadJson."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return _loads_blemished(text)


def _loads_blemished(text: bytes) -> Any:
    bare = _unwrapped(text.strip())
    for candidate in (bare, html.unescape(bare.decode("utf-8", "replace")).encode()):
        try:
            # `strict=False` forgives raw line breaks inside strings, a frequent slip of hand-made templates.
            return json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
    raise BadJson("not JSON")


def _unwrapped(text: bytes) -> bytes:
    for opening in _OPENINGS:
        if text.startswith(opening):
            text = text[len(opening) :].lstrip()
            break
    # A statement may end inside its wrapping (`};-->`), so both are taken off, one after the other.
    for _ in range(2):
        for closing in _CLOSINGS:
            if text.endswith(closing):
                text = text[: -len(closing)].rstrip()
                break
    return text
