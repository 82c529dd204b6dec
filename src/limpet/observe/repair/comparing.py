"""How two pages differ in structure: names that vanished or appeared around what was read, and in what is stated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from limpet.extract.pinpoint import Spot
from limpet.extract.pinpoint.naming import is_simple
from limpet.extract.structured.jsonld import has_type
from limpet.extract.structured.microdata import microdata_in_tree
from limpet.extract.structured.paths import leaves_of
from limpet.observe.repair.findings import Difference
from limpet.observe.repair.looking import OpenPage

_MOST_SHOWN = 40
_TYPES = ("Product", "ProductGroup", "Offer", "AggregateOffer", "BreadcrumbList", "WebPage", "ItemPage")


def differences(good: OpenPage, bad: OpenPage, *, read: Iterable[Spot]) -> tuple[Difference, ...]:
    """Return what only one of the pages has, kind by kind; kinds without a difference are left out."""
    around = {name for spot in read for each in good.layout.ancestry(spot) for name in _names(each)}
    old, new = _vocabulary(good), _vocabulary(bad)
    kinds = (
        ("names around what was read", around - new, set[str]()),
        ("class names and ids of the page", old - new, new - old),
        ("JSON-LD", set(_json_ld_paths(good)), set(_json_ld_paths(bad))),
        ("meta tags", set(good.material.meta), set(bad.material.meta)),
        ("microdata", set(_microdata_paths(good)), set(_microdata_paths(bad))),
        ("JSON paths", set(_answer_paths(good)), set(_answer_paths(bad))),
    )
    found = (_difference(kind, was - now, now - was) for kind, was, now in kinds)
    return tuple(each for each in found if each.vanished or each.appeared)


def likeness_percent(good: OpenPage, bad: OpenPage) -> int | None:
    """Return how many of all names both pages have in common; None when there are none to compare."""
    if good.material.tree is None or bad.material.tree is None:
        old, new = set(_answer_paths(good)), set(_answer_paths(bad))
    else:
        old, new = _vocabulary(good), _vocabulary(bad)
    return round(100 * len(old & new) / len(old | new)) if old | new else None


def _difference(kind: str, vanished: set[str], appeared: set[str]) -> Difference:
    return Difference(
        kind,
        tuple(sorted(vanished)[:_MOST_SHOWN]),
        tuple(sorted(appeared)[:_MOST_SHOWN]),
        len(vanished),
        len(appeared),
    )


def _vocabulary(page: OpenPage) -> set[str]:
    return {name for spot in page.layout.spots for name in _names(spot)}


def _names(spot: Spot) -> Iterator[str]:
    attributes = spot.node.attributes
    if attributes.get("id"):
        yield f"#{attributes['id']}"
    yield from (f".{each}" for each in (attributes.get("class") or "").split() if is_simple(each))


def _json_ld_paths(page: OpenPage) -> Iterator[str]:
    for item in page.material.stated:
        kind = next((each for each in _TYPES if has_type(item, each)), "other")
        yield from (f"{kind}.{path}" for path, _ in leaves_of(item) if "@" not in path)


def _microdata_paths(page: OpenPage) -> Iterator[str]:
    if page.material.tree is not None:
        for item in microdata_in_tree(page.material.tree):
            yield from (path for path, _ in leaves_of(item))


def _answer_paths(page: OpenPage) -> Iterator[str]:
    if page.material.tree is None:
        yield from (path for path, _ in leaves_of(page.material.answer))
