"""From bytes to a tree, past the guard: what cannot be parsed safely says so, and is never "no price"."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from limpet.extract.charset import to_utf8
from limpet.extract.extraction import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.nesting import objection_to
from limpet.fetch.page import Page

_NOT_MARKUP = (b"%PDF", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b")


def markup_of(page: Page) -> bytes:
    """Return the page's markup as UTF-8, or break off when it is empty or not markup at all."""
    if not page.body.strip():
        raise CannotRead(Missing.EMPTY_PAGE, "the body is empty")
    if page.body.startswith(_NOT_MARKUP):
        raise CannotRead(Missing.NOT_PARSABLE, "the body is a file, not markup")
    markup = to_utf8(page.body, page.headers.get("content-type", "")).rstrip(b"\0")
    if b"\0" in markup:
        # A NUL in the middle of a tag or an entity makes another one of it: "&#8211;" becomes "&#8" and "211;".
        raise CannotRead(Missing.NOT_PARSABLE, "there are NUL bytes between the characters")
    return markup


def tree_of(markup: bytes) -> LexborHTMLParser:
    """Return the tree of UTF-8 markup, or break off when building it would not be safe."""
    problem = objection_to(markup)
    if problem is not None:
        raise CannotRead(Missing.NOT_PARSABLE, problem)
    return LexborHTMLParser(markup)


def open_document(page: Page) -> LexborHTMLParser:
    """Return the page as a tree; raise CannotRead when it is empty, too large, too deep or no markup."""
    return tree_of(markup_of(page))
