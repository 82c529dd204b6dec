"""Searches a page for a value that is no longer where it was: the same value first, then its kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from limpet.extract.pinpoint import Spot, Wanted, names_for
from limpet.extract.places import ReadFrom
from limpet.extract.structured.paths import leaves_of
from limpet.extract.structured.products import products_in
from limpet.observe.repair.findings import Candidate
from limpet.observe.repair.looking import OpenPage

_MOST = 5
_MOST_SPOTS = 12
_SAME_PLACE = "the same position on the page, under another name"
_SAME_VALUE = "the value that was read before"
_SAME_KIND = "the same kind of value"


def candidates_for(
    place: ReadFrom, sought: Wanted | None, page: OpenPage, *, position: Spot | None, tag: str
) -> tuple[tuple[Candidate, ...], Spot | None]:
    """Return where the value may be now, the likeliest first, and the element of the first one."""
    if page.material.tree is None:
        return tuple(_in_answer(place, sought, page))[:_MOST], None
    found = list(_in_elements(place, sought, page, position=position, tag=tag))
    found.sort(key=lambda each: each[0])
    told = [candidate for _, candidate, _ in found]
    stated = list(_stated(sought, page))
    shown = told + stated if place.way == "css" else stated + told
    spot = found[0][2] if found and shown[0] is told[0] else None
    once = {(each.way, each.where): each for each in reversed(shown)}
    return tuple(reversed(once.values()))[:_MOST], spot


def _in_elements(
    place: ReadFrom, sought: Wanted | None, page: OpenPage, *, position: Spot | None, tag: str
) -> Iterator[tuple[tuple[Any, ...], Candidate, Spot]]:
    box = page.boxes.get(place.within) if place.within else None
    scope = box if box is not None else page.material.tree
    assert scope is not None
    for order, (spot, why) in enumerate(_spots(place, sought, page, position=position)[:_MOST_SPOTS]):
        for name in names_for(spot.node, scope=scope, limit=2):
            rank = (
                why != _SAME_PLACE,
                why == _SAME_KIND,
                spot.tag != tag,
                not name.is_steady,
                -name.points,
                order,
            )
            says = _words(spot, place)[:80]
            yield rank, Candidate("css", name.selector, says, why, name.is_steady), spot


def _spots(
    place: ReadFrom, sought: Wanted | None, page: OpenPage, *, position: Spot | None
) -> list[tuple[Spot, str]]:
    box = page.boxes.get(place.within) if place.within else None
    around = page.layout.spot_of(box) if box is not None else None
    spots = page.layout.spots[around.index : around.end] if around is not None else page.layout.spots
    there = [(position, _SAME_PLACE)] if position is not None and _fits(position, place, sought) else []
    if sought is None:
        return there
    same = [(each, _SAME_VALUE) for each in spots if sought.is_it(_words(each, place))]
    alike = (
        []
        if same or there
        else [(each, _SAME_KIND) for each in spots if sought.is_alike(_words(each, place))]
    )
    return there + same + alike


def _words(spot: Spot, place: ReadFrom) -> str:
    if place.attribute:
        return (spot.node.attributes.get(place.attribute) or "").strip()
    return spot.words or ""


def _fits(spot: Spot, place: ReadFrom, sought: Wanted | None) -> bool:
    """Whether what stands in the old position can be the value; a box needs only to be there."""
    words = _words(spot, place)
    return sought is None or sought.is_it(words) or sought.is_alike(words)


def _stated(sought: Wanted | None, page: OpenPage) -> Iterator[Candidate]:
    if sought is None:
        return
    for product in products_in(page.material.stated):
        for path, value in leaves_of(product):
            if _is_it(sought, value):
                yield Candidate("json_ld", path, str(value)[:80], _SAME_VALUE)
    for name, value in page.material.meta.items():
        if _is_it(sought, value):
            yield Candidate("meta", name, str(value)[:80], _SAME_VALUE)


def _in_answer(place: ReadFrom, sought: Wanted | None, page: OpenPage) -> Iterator[Candidate]:
    if sought is None:
        return
    base = page.items.get(place.within, "")
    for path, value in leaves_of(page.material.answer, numbered=not base):
        below = path.removeprefix(f"{base}.") if base else path
        if (not base or path.startswith(f"{base}.")) and _is_it(sought, value):
            yield Candidate("json_path", below, str(value)[:80], _SAME_VALUE)


def _is_it(sought: Wanted, value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool) and sought.is_it(str(value))
