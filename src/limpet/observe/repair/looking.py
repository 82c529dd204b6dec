"""Looks a place up on an opened page, and says in one line where an element stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborNode, SelectolaxError

from limpet.extract.pinpoint import Layout, Spot, layout_of
from limpet.extract.places import Material, ReadFrom
from limpet.extract.structured.paths import values_along
from limpet.extract.structured.products import products_in

_TRAIL = 5
_MOST_CLASSES = 3
_LONGEST = 160


@dataclass(slots=True)
class OpenPage:
    """A page opened for comparing; the boxes of its site are found once."""

    material: Material
    layout: Layout
    boxes: dict[str, LexborNode] = field(default_factory=dict)
    items: dict[str, str] = field(default_factory=dict)  # json boxes: name -> path

    def nodes_at(self, place: ReadFrom) -> list[LexborNode]:
        """Return the elements a CSS place matches, inside its box where it has one."""
        tree = self.material.tree
        scope = self.boxes.get(place.within) if place.within else tree
        if place.way != "css" or scope is None:
            return []
        try:
            found = list(scope.css(place.where))
        except SelectolaxError:
            return []
        return [each for each in found if not place.attribute or each.attributes.get(place.attribute)]

    def values_at(self, place: ReadFrom) -> list[str]:
        """Return what stands at a place, as text."""
        if place.way == "css":
            return [said_by(node, place.attribute) for node in self.nodes_at(place)]
        return [str(value)[:_LONGEST] for value in self._stated_at(place) if value not in (None, "", [], {})]

    def _stated_at(self, place: ReadFrom) -> list[Any]:
        if place.way == "json_ld":
            return [v for each in products_in(self.material.stated) for v in values_along(each, place.where)]
        if place.way == "meta":
            return [self.material.meta.get(place.where.lower())]
        path = ".".join(each for each in (self.items.get(place.within, ""), place.where) if each)
        return list(values_along(self.material.answer, path))


def opened(material: Material) -> OpenPage:
    """Return the page laid out."""
    return OpenPage(material, layout_of(material.tree) if material.tree is not None else Layout())


def said_by(node: LexborNode, attribute: str = "") -> str:
    """Return what an element, or one of its attributes, says, in one line."""
    said = (node.attributes.get(attribute) or "") if attribute else node.text()
    return " ".join(said.split())[:_LONGEST]


def trail_of(layout: Layout, spot: Spot | None) -> str:
    """Return the elements around a spot as a person would write them, outermost first."""
    line = layout.ancestry(spot)[:_TRAIL] if spot is not None else []
    return " > ".join(_shown(each.tag, each.node.attributes) for each in reversed(line))


def _shown(tag: str, attributes: Mapping[str, str | None]) -> str:
    name = f"#{attributes['id']}" if attributes.get("id") else ""
    classes = (attributes.get("class") or "").split()[:_MOST_CLASSES]
    prop = f'[itemprop="{attributes["itemprop"]}"]' if attributes.get("itemprop") else ""
    return f"{tag}{name}{''.join(f'.{each}' for each in classes)}{prop}"
