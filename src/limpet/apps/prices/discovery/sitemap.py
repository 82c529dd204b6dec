"""Sitemaps: the addresses they list, and the further sitemaps an index names. Read without building a tree."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from html import unescape

from limpet.errors import UsageError
from limpet.fetch.page import Page

_MOST_BYTES = 64 * 1024 * 1024  # the protocol allows 50 MB, unpacked
_GZIP = b"\x1f\x8b"
_LOC = re.compile(
    rb"<loc[^>]{0,200}>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,8192}?)\s*(?:\]\]>)?\s*</loc>", re.IGNORECASE
)
_IS_INDEX = re.compile(rb"<sitemapindex[\s>]", re.IGNORECASE)
_IS_LIST = re.compile(rb"<urlset[\s>]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file lists, in its order."""

    places: tuple[str, ...]
    is_index: bool


def read_sitemap(page: Page) -> Sitemap:
    """Return what the file lists; raise UsageError when it is no sitemap."""
    body = _unpacked(page.body)
    head = body[:4_096]
    is_index = _IS_INDEX.search(head) is not None
    if not is_index and _IS_LIST.search(head) is None:
        raise UsageError(
            f"{page.final_url} is no sitemap.",
            fix="robots.txt of the site may name one: --sitemap auto looks there.",
        )
    # A regular expression, because an XML parser would have to be kept from entities, depth and size.
    places = [unescape(found.decode("utf-8", "replace")) for found in _LOC.findall(body)]
    return Sitemap(tuple(dict.fromkeys(places)), is_index)


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(body, _MOST_BYTES)
    except zlib.error as broken:
        raise UsageError(
            "The sitemap is packed, and the packing is broken.", fix="Ask the site again."
        ) from broken
    if unpacker.unconsumed_tail:
        raise UsageError("The sitemap is larger than 64 MB unpacked.", fix="Name one of its parts instead.")
    return text
