"""Listings: the links of one page of a category, and where its next page is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from selectolax.lexbor import LexborHTMLParser

from limpet.errors import BadAddress, UsageError
from limpet.extract.document import open_document
from limpet.extract.failure import CannotRead
from limpet.extract.structured.jsonld import json_ld_in_tree
from limpet.fetch.page import Page
from limpet.target.address import join

_PAGE_PARAMETERS = ("page", "paged", "p", "pg", "offset")
_PAGE_IN_PATH = re.compile(r"^(?P<path>.*?)/page/(?P<number>\d{1,4})/?$")


@dataclass(frozen=True, slots=True)
class Listing:
    """What one page of a listing leads to."""

    links: tuple[str, ...]
    next_page: str | None


def read_listing(page: Page) -> Listing:
    """Return the links of an HTML listing; what the page states as its list counts before what it links to."""
    try:
        tree = open_document(page)
    except CannotRead as unreadable:
        raise UsageError(
            f"{page.final_url} cannot be read: {unreadable}", fix="Look at it in a browser."
        ) from None
    stated = list(_stated(tree, page))
    links = stated or list(_linked(tree, page))
    return Listing(tuple(dict.fromkeys(links)), _next(tree, page))


def read_json_listing(page: Page, path: str, template: str) -> Listing:
    """Return the addresses a JSON answer leads to: every value at `path`, put into `template` where it says {}."""
    try:
        data = json.loads(page.body)
    except ValueError:
        raise UsageError(f"{page.final_url} is no JSON.", fix="Leave --json-path out for a page.") from None
    values = [str(value) for value in _values(data, path.split(".")) if isinstance(value, (str, int))]
    links = _joined(page, [template.replace("{}", value) if template else value for value in values])
    return Listing(tuple(dict.fromkeys(links)), _next_offset(page.final_url, len(values)))


def _values(data: Any, steps: list[str]) -> Iterator[Any]:
    if isinstance(data, list):
        for member in data:
            yield from _values(member, steps)
    elif not steps:
        yield data
    elif isinstance(data, dict) and steps[0] in data:
        yield from _values(data[steps[0]], steps[1:])


def _stated(tree: LexborHTMLParser, page: Page) -> Iterator[str]:
    for found in json_ld_in_tree(tree).of_type("ItemList"):
        listed = found.get("itemListElement")
        for element in listed if isinstance(listed, list) else []:
            item = element.get("item", element) if isinstance(element, dict) else element
            url = item.get("url") or item.get("@id") if isinstance(item, dict) else item
            yield from _joined(page, [url] if isinstance(url, str) else [])


def _linked(tree: LexborHTMLParser, page: Page) -> Iterator[str]:
    # What stands in menus and footers is the shop's, not this list's.
    for node in tree.css("header a, nav a, footer a, aside a"):
        node.attrs["href"] = ""
    yield from _joined(page, [node.attributes.get("href") or "" for node in tree.css("a[href]")])


def _joined(page: Page, links: list[str]) -> Iterator[str]:
    for link in links:
        if link and not link.startswith("#"):
            try:
                yield join(page.final_url, link)
            except BadAddress:
                continue


def _next(tree: LexborHTMLParser, page: Page) -> str | None:
    node = tree.css_first('link[rel~="next"][href], a[rel~="next"][href], a.next[href], .next > a[href]')
    stated = next(_joined(page, [node.attributes.get("href") or ""]), None) if node is not None else None
    if stated is not None and _same_list(stated, page.final_url):
        return stated
    number = _number_of(page.final_url) or 1
    for link in _joined(page, [each.attributes.get("href") or "" for each in tree.css("a[href]")]):
        if _same_list(link, page.final_url) and _number_of(link) == number + 1:
            return link
    return None


def _same_list(link: str, current: str) -> bool:
    """Whether two addresses are pages of one list: the same place, whatever the number."""
    return _place(link) == _place(current)


def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    numbered = _PAGE_IN_PATH.match(parts.path)
    return parts.netloc, (numbered["path"] if numbered else parts.path).rstrip("/")


def _number_of(url: str) -> int | None:
    parts = urlsplit(url)
    numbered = _PAGE_IN_PATH.match(parts.path)
    if numbered:
        return int(numbered["number"])
    query = parse_qs(parts.query)
    return next((int(query[name][-1]) for name in _PAGE_PARAMETERS[:4] if _is_number(query.get(name))), None)


def _is_number(values: list[str] | None) -> bool:
    return bool(values) and values is not None and values[-1].isdecimal() and len(values[-1]) < 6


def _next_offset(url: str, found: int) -> str | None:
    """Return where a JSON list goes on; one that does not count by offset is a single page."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
    if not found or not query.get("offset", "").isdecimal():
        return None
    moved = query | {"offset": str(int(query["offset"]) + found)}
    return urlunsplit(parts._replace(query=urlencode(moved)))
