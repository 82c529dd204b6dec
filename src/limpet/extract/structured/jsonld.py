"""JSON-LD: from the tree, or straight from the bytes where no tree is needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from limpet.extract.structured.loose_json import BadJson, loads

# The whole media type: a long needle lets the search skip through the page three times faster.
_NEEDLE = b"application/ld+json"
_OPENING = re.compile(rb"<script(?=[\s/])[^>]*+>", re.IGNORECASE)
_CLOSING = re.compile(rb"</script[\s/>]", re.IGNORECASE)
_DEEPEST_GRAPH = 8


class JsonLd(Struct, frozen=True):
    """Every object the page's blocks state, in page order, and how many blocks could not be read."""

    items: tuple[dict[str, Any], ...]
    broken_blocks: int = 0

    def of_type(self, *types: str) -> tuple[dict[str, Any], ...]:
        """Return the objects of any of these types, `Product` and `https://schema.org/Product` alike."""
        return tuple(item for item in self.items if has_type(item, *types))


def has_type(item: dict[str, Any], *types: str) -> bool:
    """Whether the object's `@type` (a name, an address or a list of them) is one of `types`."""
    stated = item.get("@type")
    if isinstance(stated, str):
        return stated.rpartition("/")[2] in types
    names = stated if isinstance(stated, list) else ()
    return any(isinstance(name, str) and name.rpartition("/")[2] in types for name in names)


def json_ld_in_tree(tree: LexborHTMLParser) -> JsonLd:
    """Return what the scripts of the tree state."""
    scripts = tree.css('script[type*="ld+json" i]')
    return _read(script.text(deep=True).encode("utf-8", "replace") for script in scripts)


def json_ld_in_bytes(markup: bytes, *, about: bytes = b"", even_in_comments: bool = False) -> JsonLd:
    """Return what the scripts state without building a tree.

    `about` skips blocks that do not contain these bytes, such as `Product`. Telling comments from content
    takes a pass over the page; a caller who only wants a second opinion may do without.
    """
    return _read(block for block in _blocks(markup, even_in_comments) if about in block)


def _blocks(markup: bytes, even_in_comments: bool) -> Iterator[bytes]:
    position, comment_ends = 0, 0
    while (at := markup.find(_NEEDLE, position)) >= 0:
        position = at + len(_NEEDLE)
        if not even_in_comments:
            comment_ends = _end_of_comment_around(markup, at, since=comment_ends)
            if comment_ends > at:
                position = comment_ends
                continue
        opening = _OPENING.match(markup, max(markup.rfind(b"<", 0, at), 0))
        if opening is None or opening.end() < at:
            continue
        closing = _CLOSING.search(markup, opening.end())
        position = closing.start() if closing else len(markup)
        yield markup[opening.end() : position]
        comment_ends = position


def _end_of_comment_around(markup: bytes, at: int, *, since: int) -> int:
    """Return where the last comment opened before `at` ends; beyond `at` when it covers that place."""
    ends = since
    while (opens := markup.find(b"<!--", ends, at)) >= 0:
        closes = markup.find(b"-->", opens + 4)
        ends = closes + 3 if closes >= 0 else len(markup)
        if ends > at:
            break
    return ends


def _read(blocks: Iterable[bytes]) -> JsonLd:
    items: list[dict[str, Any]] = []
    broken = 0
    for block in blocks:
        try:
            items.extend(_flat(loads(block), _DEEPEST_GRAPH))
        except BadJson:
            broken += 1
    return JsonLd(tuple(items), broken)


def _flat(value: Any, levels: int) -> Iterator[dict[str, Any]]:
    """Yield the objects of a block: itself, the members of an array, and those of an `@graph`."""
    if isinstance(value, list) and levels:
        for member in value:
            yield from _flat(member, levels - 1)
    elif isinstance(value, dict):
        graph = value.get("@graph")
        if graph is None or "@type" in value:
            yield value
        if graph is not None and levels:
            yield from _flat(graph, levels - 1)
