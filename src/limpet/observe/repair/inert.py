"""A kept page made fit to be handed on: nothing in it can run, and no token of a session is left in it."""

from __future__ import annotations

import re

from limpet.extract.charset import to_utf8
from limpet.extract.document import tree_of
from limpet.extract.failure import CannotRead
from limpet.fetch.page import Page

_ACTIVE_TAGS = ["iframe", "object", "embed", "applet", "base", "noscript"]
_LINKS = ("href", "src", "action", "formaction", "xlink:href")
_DATA_SCRIPT = re.compile(r"json", re.IGNORECASE)
# Every repetition is bounded: some pages are built to hurt.
_SECRET_NAME = (
    r"[\w.-]{0,60}(?:csrf|xsrf|nonce|token|session|auth(?!or)|secret|apikey|api_key|jwt)[\w.-]{0,60}"
)
_HIDDEN = re.compile(
    rf'(name=["\']?{_SECRET_NAME}["\']?[^<>]{{0,300}}?\b(?:value|content)=)(["\'])[^"\']{{0,4000}}\2',
    re.IGNORECASE,
)
_HIDDEN_BEFORE = re.compile(
    rf'(\b(?:value|content)=)(["\'])[^"\']{{0,4000}}\2(?=[^<>]{{0,300}}?\bname=["\']?{_SECRET_NAME})',
    re.IGNORECASE,
)
_IN_JSON = re.compile(
    rf'((?:"|\\u0022){_SECRET_NAME}(?:"|\\u0022)\s{{0,5}}:\s{{0,5}})"[^"]{{0,4000}}"', re.IGNORECASE
)
_IN_ADDRESS = re.compile(
    r"((?:[?&]|&amp;)(?:x-amz-[\w-]{1,40}|signature|sig|token|access_token|auth|sid|session(?:_?id)?|wpnonce|_wpnonce)=)[^&\"'\s<>]*",
    re.IGNORECASE,
)
REMOVED = "removed"


def without_secrets(text: str) -> str:
    """Return the text with the values of tokens, nonces and signatures taken out; their names stay."""
    text = _HIDDEN.sub(rf"\1\2{REMOVED}\2", text)
    text = _HIDDEN_BEFORE.sub(rf"\1\2{REMOVED}\2", text)
    text = _IN_JSON.sub(rf'\1"{REMOVED}"', text)
    return _IN_ADDRESS.sub(rf"\1{REMOVED}", text)


def as_text(page: Page) -> str:
    """Return the page as text to be read in an editor, without secrets."""
    return without_secrets(
        to_utf8(page.body, page.headers.get("content-type", "")).decode("utf-8", "replace")
    )


def disarmed(page: Page) -> bytes:
    """Return the page without anything a browser would run or fetch by itself; data in scripts stays."""
    text = as_text(page)
    if text.lstrip()[:1] in ("{", "["):
        return text.encode()
    try:
        tree = tree_of(text.encode("utf-8", "replace"))
    except CannotRead:
        return text.encode()
    tree.strip_tags([*_ACTIVE_TAGS, "style"], recursive=True)
    for script in tree.css("script"):
        if not _DATA_SCRIPT.search(script.attributes.get("type") or ""):
            script.decompose()
    for link in tree.css('link[rel="stylesheet"], link[rel="preload"], meta[http-equiv="refresh"]'):
        link.decompose()
    for node in tree.css("*"):
        for name, value in list(node.attributes.items()):
            runs = name.startswith("on") or (
                name in _LINKS and (value or "").strip().lower().startswith("javascript:")
            )
            if runs or name in ("srcset", "style"):
                del node.attrs[name]
    return (tree.html or "").encode()
