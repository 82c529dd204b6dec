"""A page as a flat list of elements with their words: a value is looked for without asking the tree again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

_SILENT = frozenset(("script", "style", "noscript", "template", "svg", "head", "iframe", "object", "math"))
_LONGEST_WORDS = 400
_DEEPEST = 400


@dataclass(slots=True)
class Spot:
    """One element. `words` is its text in one line, or None when that is longer than any single value."""

    index: int
    parent: int
    node: LexborNode
    tag: str
    place: int  # among the elements of its parent, from 0
    end: int = 0  # index after its last descendant
    words: str | None = ""


@dataclass(slots=True)
class Layout:
    """Every visible element, in page order."""

    spots: list[Spot] = field(default_factory=list)

    def ancestry(self, spot: Spot) -> list[Spot]:
        """Return the element and its ancestors, innermost first."""
        line = [spot]
        while line[-1].parent >= 0:
            line.append(self.spots[line[-1].parent])
        return line

    def holds(self, outer: Spot, inner: Spot) -> bool:
        """Whether one element is, or contains, the other."""
        return outer.index <= inner.index < outer.end

    def around(self, spots: list[Spot]) -> Spot | None:
        """Return the innermost element that holds all of these."""
        line = self.ancestry(spots[0]) if spots else []
        return next((each for each in line if all(self.holds(each, spot) for spot in spots)), None)

    def spot_of(self, node: LexborNode) -> Spot | None:
        """Return where a node of the same tree stands."""
        return next((spot for spot in self.spots if spot.node.mem_id == node.mem_id), None)

    def steps_to(self, spot: Spot) -> tuple[tuple[str, int], ...]:
        """Return the way down to an element: tag and place at each step. Names are no part of it."""
        return tuple((each.tag, each.place) for each in reversed(self.ancestry(spot)))

    def at(self, steps: tuple[tuple[str, int], ...]) -> Spot | None:
        """Return the element at the end of these steps, if there is one."""
        found = self.spots[0] if self.spots and steps[:1] == ((self.spots[0].tag, 0),) else None
        for tag, place in steps[1:]:
            if found is None:
                return None
            fitting = (each for each in self.children(found) if each.place == place and each.tag == tag)
            found = next(fitting, None)
        return found

    def children(self, spot: Spot) -> Iterator[Spot]:
        """Yield the elements directly below one."""
        at = spot.index + 1
        while at < spot.end:
            yield self.spots[at]
            at = self.spots[at].end


def layout_of(tree: LexborHTMLParser) -> Layout:
    """Return the page laid out, without scripts, styles and templates."""
    layout = Layout()
    if tree.body is not None:
        _lay_out(layout, tree.body, parent=-1, place=0, depth=0)
    return layout


def _lay_out(layout: Layout, node: LexborNode, *, parent: int, place: int, depth: int) -> str | None:
    """Note the element and everything in it; return its raw text, or None when that is too long."""
    spot = Spot(len(layout.spots), parent, node, node.tag or "", place)
    layout.spots.append(spot)
    pieces: list[str] | None = []
    child, count = node.child if depth < _DEEPEST else None, 0
    while child is not None:
        piece: str | None = ""
        if child.is_text_node:
            piece = child.text_content or ""
        elif child.is_element_node and child.tag not in _SILENT:
            piece = _lay_out(layout, child, parent=spot.index, place=count, depth=depth + 1)
            count += 1
        if piece is None:
            pieces = None
        elif pieces is not None:
            pieces.append(piece)
        child = child.next
    spot.end = len(layout.spots)
    raw = None if pieces is None else "".join(pieces)
    words = None if raw is None else " ".join(raw.split())
    spot.words = words if words is not None and len(words) <= _LONGEST_WORDS else None
    return raw if spot.words is not None else None
