"""Which places of a site hold nothing any more, and where their values may be now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from selectolax.lexbor import LexborNode

from limpet.extract.pinpoint import Spot, Wanted, wanted
from limpet.extract.places import ReadFrom
from limpet.observe.repair.findings import PlaceFinding
from limpet.observe.repair.looking import OpenPage, said_by, trail_of
from limpet.observe.repair.searching import candidates_for


def place_findings(
    places: Sequence[ReadFrom], good: OpenPage | None, bad: OpenPage, *, sought: Mapping[str, Any]
) -> tuple[PlaceFinding, ...]:
    """Return how each place stands; boxes come first, so that what is in them is looked for in the right one."""
    inside = [each.within for each in places if each.within]
    found = []
    for place in places:
        is_box = place.name in inside
        found.append(_finding(place, good, bad, sought=sought, is_box=is_box))
    return tuple(found)


def _finding(
    place: ReadFrom, good: OpenPage | None, bad: OpenPage, *, sought: Mapping[str, Any], is_box: bool
) -> PlaceFinding:
    nodes = good.nodes_at(place) if good is not None else []
    before = len(good.values_at(place)) if good is not None else None
    here, now = bad.nodes_at(place), len(bad.values_at(place))
    old = good.layout.spot_of(nodes[0]) if good is not None and nodes else None
    is_lost = not now and (bool(before) if before is not None else place.is_needed)
    candidates, spot = (), None
    # Rows that were many have no single place to have gone to.
    if is_lost and (place.way != "css" or (before or 1) == 1):
        candidates, spot = _candidates(place, good, bad, old=old, sought=sought)
    if is_box:
        _open_box(place, good, bad, nodes=nodes, here=here, spot=spot)
    values = good.values_at(place) if good is not None else []
    return PlaceFinding(
        place.name,
        place.field,
        place.way,
        place.where,
        place.within,
        before=before,
        now=now,
        is_lost=is_lost,
        is_needed=place.is_needed,
        held=values[0] if values and not is_box else "",
        stood=trail_of(good.layout, old) if good is not None else "",
        stands=trail_of(bad.layout, spot),
        candidates=candidates,
    )


def _candidates(
    place: ReadFrom, good: OpenPage | None, bad: OpenPage, *, old: Spot | None, sought: Mapping[str, Any]
) -> Any:
    position = bad.layout.at(good.layout.steps_to(old)) if good is not None and old is not None else None
    wants = _wants(place, old, sought)
    return candidates_for(place, wants, bad, position=position, tag=old.tag if old is not None else "")


def _wants(place: ReadFrom, old: Spot | None, sought: Mapping[str, Any]) -> Wanted | None:
    value = sought.get(place.field)
    held = said_by(old.node, place.attribute) if old is not None and (old.words or place.attribute) else ""
    if value in (None, ""):
        return wanted(place.name, held) if held and place.field else None
    known, before = wanted(place.field, value), wanted(place.name, held)
    # A brand may be read out of longer words: those are as good to look for as the brand itself.
    return replace(known, is_it=lambda words: known.is_it(words) or bool(held and before.is_it(words)))


def _open_box(
    place: ReadFrom,
    good: OpenPage | None,
    bad: OpenPage,
    *,
    nodes: list[LexborNode],
    here: list[LexborNode],
    spot: Spot | None,
) -> None:
    """Remember the element others are looked up in: where it is, or where it probably went."""
    if place.way == "json_path":
        for page in (good, bad):
            if page is not None:
                page.items[place.name] = place.where
        return
    if good is not None and nodes:
        good.boxes[place.name] = nodes[0]
    if here:
        bad.boxes[place.name] = here[0]
    elif spot is not None:
        bad.boxes[place.name] = spot.node
