"""The page's JSON-LD, the slips of real templates forgiven: stray commas, loose quotes, offers by reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeGuard

from selectolax.lexbor import LexborHTMLParser

from limpet.extract.structured.jsonld import JsonLd, has_type, json_ld_in_bytes, json_ld_in_tree
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.extract.structured.products import products_in

_COMMA_TOO_MANY = re.compile(r",\s*([}\]])")
_COMMA_TOO_FEW = re.compile(r"([\"}\]\d])(\s*\n\s*)(?=\"[\w@]+\"\s*:)")
_CONTROL = re.compile(r"[\x00-\x1f]+")
_BAD_ESCAPE = re.compile(r"\\(?![\"\\/bfnrtu])")
# A quote ends a string only before what may follow a value; any other was meant to be read.
_QUOTE = re.compile(r"(?<!\\)\"")
_AFTER_KEY_OR_VALUE = re.compile(r"\s*(?::|[}\]]|,\s*(?:[\"{\[\-\d]|true|false|null|[}\]])|$)")
_BEFORE_STRING = re.compile(r"[{\[,:]\s*$")
_LONGEST_MENDED = 200_000
_LOOK_BACK = 40
_SOLD = ("Product", "ProductGroup")
_ALSO_SOLD = (
    "IndividualProduct",
    "ProductModel",
    "SomeProducts",
    "Vehicle",
    "Car",
    "Book",
    "SoftwareApplication",
)
_POINTING = ("itemOffered", "about", "mainEntityOfPage", "mainEntity", "item")
_REFERRED = ("offers", "brand", "hasVariant", "priceSpecification")


def json_ld_of(tree: LexborHTMLParser) -> JsonLd:
    """Return the page's JSON-LD, also of blocks that are broken in one of the usual ways."""
    whole = json_ld_in_tree(tree)
    if not whole.broken_blocks:
        return whole
    items: list[dict[str, Any]] = list(whole.items)
    for script in tree.css('script[type*="ld+json" i]'):
        block = script.text(deep=True)
        try:
            loads(block.encode("utf-8", "replace"))
        except BadJson:
            items.extend(_mended(block[:_LONGEST_MENDED]))
    return JsonLd(tuple(items), whole.broken_blocks)


def json_ld_products(json_ld: JsonLd) -> tuple[dict[str, Any], ...]:
    """Return the products of JSON-LD, also those one step below another object, their offers put in place."""
    found = list(products_in(json_ld.items))
    for item in json_ld.items:
        if has_type(item, *_SOLD):
            continue
        for name in _POINTING:
            inner = item.get(name)
            if isinstance(inner, dict) and has_type(inner, *_SOLD) and inner not in found:
                found.append(inner | ({"offers": item} if has_type(item, "Offer") else {}))
        if has_type(item, *_ALSO_SOLD):
            found.append(item)
    by_id = {item["@id"]: item for item in json_ld.items if isinstance(item.get("@id"), str)}
    return tuple(_resolved(item, by_id) for item in found)


def _resolved(item: dict[str, Any], by_id: dict[str, dict[str, Any]], levels: int = 2) -> dict[str, Any]:
    """Return the object with what it points at by `@id` put in its place."""
    if not levels:
        return item
    changed = {}
    for name in _REFERRED:
        value = item.get(name)
        members = value if isinstance(value, list) else [value]
        if any(_points(each, by_id) for each in members):
            whole = [by_id[each["@id"]] if _points(each, by_id) else each for each in members]
            changed[name] = [
                _resolved(each, by_id, levels - 1) if isinstance(each, dict) else each for each in whole
            ]
    return item | changed if changed else item


def _points(value: Any, by_id: dict[str, dict[str, Any]]) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict) and set(value) <= {"@id", "@type"} and value.get("@id") in by_id


def _mended(block: str) -> Iterator[dict[str, Any]]:
    simple = _COMMA_TOO_FEW.sub(r"\1,\2", block)
    simple = _COMMA_TOO_MANY.sub(r"\1", _CONTROL.sub(" ", _BAD_ESCAPE.sub(" ", simple)))
    for candidate in (simple, _with_quotes_escaped(simple)):
        markup = b'<script type="application/ld+json">' + candidate.encode("utf-8", "replace") + b"</script>"
        read = json_ld_in_bytes(markup)
        if not read.broken_blocks:
            yield from read.items
            return


def _with_quotes_escaped(block: str) -> str:
    """Return the text with a backslash before every quote that neither opens nor closes a string."""
    pieces, start, is_inside = [], 0, False
    for quote in _QUOTE.finditer(block):
        at = quote.start()
        if not is_inside:
            is_inside = bool(_BEFORE_STRING.search(block, max(0, at - _LOOK_BACK), at))
            continue
        if _AFTER_KEY_OR_VALUE.match(block, at + 1):
            is_inside = False
            continue
        pieces.append(block[start:at] + "\\")
        start = at
    return "".join(pieces) + block[start:]
