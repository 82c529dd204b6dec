"""Sitemaps of a shop: an index, and pages of a thousand addresses."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from tidepool.site import Response

ADDRESSES_PER_PAGE = 1_000


def sitemap(path: str, size: int, *, base: str, path_of: Callable[[int], str]) -> Response | None:
    """Return the index at /sitemap.xml or one of its pages; None where there is none such."""
    pages = -(-size // ADDRESSES_PER_PAGE)
    if path == "/sitemap.xml":
        places = [f"{base}/sitemap-{page}.xml" for page in range(1, pages + 1)]
        return _xml("sitemapindex", "sitemap", places)
    number = path.removeprefix("/sitemap-").removesuffix(".xml")
    if not number.isdecimal() or not 1 <= int(number) <= pages:
        return None
    first = (int(number) - 1) * ADDRESSES_PER_PAGE
    indexes = range(first, min(first + ADDRESSES_PER_PAGE, size))
    return _xml("urlset", "url", [base + path_of(index) for index in indexes])


def _xml(root: str, item: str, places: list[str]) -> Response:
    rows = "".join(f"<{item}><loc>{escape(place)}</loc></{item}>" for place in places)
    text = f'<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</{root}>'
    return Response(200, text.encode(), (("Content-Type", "application/xml; charset=UTF-8"),))
