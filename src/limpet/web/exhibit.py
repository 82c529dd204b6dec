"""A stored page made safe to look at: its source as text, and a plain rendering that can do nothing.

Three walls stand before a hostile page: what could act is cut out here, the frame it is shown in is sandboxed
without any permission, and our content policy, which the frame inherits, allows neither scripts nor the network.
"""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from limpet.extract.charset import to_utf8
from limpet.extract.document import tree_of
from limpet.extract.failure import CannotRead
from limpet.web.static import address_of

MOST_SHOWN = 200_000
_MOST_RENDERED = 2_000_000
_ACTIVE = [
    *("script", "noscript", "style", "link", "meta", "base", "template", "slot", "dialog"),
    *("iframe", "frame", "frameset", "object", "embed", "applet", "portal"),
    *("audio", "video", "source", "track", "img", "picture", "svg", "math", "canvas"),
]
# Attributes that only say something; every other one could ask for something.
_SAYING = frozenset(
    {"class", "title", "alt", "lang", "dir", "colspan", "rowspan", "value", "placeholder", "type", "datetime"}
    | {"checked", "selected", "disabled", "open", "start"}
)
_TEXTUAL = ("text/", "application/json", "application/xml", "application/xhtml+xml", "application/ld+json")


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What can be shown of a body."""

    text: str = ""
    is_cut: bool = False
    is_binary: bool = False
    rendering: str = ""  # a whole document for a sandboxed frame; empty when there is none
    refusal: str = ""  # why there is none


def exhibit_of(body: bytes, *, media_type: str, charset: str | None) -> Exhibit:
    """Return what can be shown; costs time on large pages, so call it beside the event loop."""
    if is_binary(body, media_type):
        return Exhibit(is_binary=True, refusal="The body is a file, not a page.")
    text = as_text(body, media_type=media_type, charset=charset)
    rendering, refusal = _rendered(text, media_type)
    return Exhibit(text[:MOST_SHOWN], len(text) > MOST_SHOWN, rendering=rendering, refusal=refusal)


def as_text(body: bytes, *, media_type: str, charset: str | None) -> str:
    """Return the body as text, however its origin encoded it."""
    content_type = f"{media_type}; charset={charset}" if charset else media_type
    return to_utf8(body, content_type).decode("utf-8", "replace")


def is_binary(body: bytes, media_type: str) -> bool:
    """Whether showing it as text would show nothing."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False  # UTF-16 says so itself
    return b"\x00" in body[:4_096] or not (media_type.startswith(_TEXTUAL) or not media_type or _reads(body))


def _reads(body: bytes) -> bool:
    try:
        body[:4_096].decode("utf-8")
    except UnicodeDecodeError as wrong:
        return wrong.start > 4_000  # only the last character was cut in two
    return True


def _disarm(tree: LexborHTMLParser) -> None:
    tree.strip_tags(_ACTIVE, recursive=True)
    tree.unwrap_tags(["form"])  # shops keep the price inside
    for node in tree.css("*"):
        for name in [name for name in node.attributes if name not in _SAYING]:
            del node.attrs[name]


def _rendered(text: str, media_type: str) -> tuple[str, str]:
    if media_type and "html" not in media_type:
        return "", f"A body of type {media_type} has no rendering."
    if len(text) > _MOST_RENDERED:
        return "", "The page is too large to be rendered; its source is below."
    try:
        tree = tree_of(text.encode("utf-8", "replace"))
    except CannotRead as problem:
        return "", f"The page is not rendered, because parsing it is not safe: {problem.details}."
    _disarm(tree)
    body = tree.body.html if tree.body is not None else ""
    head = (
        '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        "<meta http-equiv=\"content-security-policy\" content=\"default-src 'none'; style-src 'self'\">"
        f'<link rel="stylesheet" href="{address_of("evidence.css")}">'
    )
    return head + (body or ""), ""
