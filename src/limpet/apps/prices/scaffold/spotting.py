"""Finds the elements that carry a product's values, nearest to its title first, and names them steadily."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from limpet.extract.pinpoint import Layout, Spot, Wanted, names_for, wanted

_FRAME = frozenset(("header", "footer", "nav", "aside", "dialog"))
_ELSEWHERE = re.compile(
    r"related|upsell|cross-?sell|recommend|similar|recent|also|minicart|mini-cart|carousel|footer", re.I
)
_NOT_A_VALUE = frozenset(("button", "option", "select", "a", "label"))


def _names(spot: Spot) -> str:
    attributes = spot.node.attributes
    return f"{attributes.get('id') or ''} {attributes.get('class') or ''}"


class Spotting:
    """One laid-out page on which values are looked for."""

    def __init__(self, layout: Layout, *, title: str) -> None:
        self._layout = layout
        self.title = self._title(title)

    def carriers(self, field: str, value: object, *, inside: Spot | None = None) -> Iterator[Spot]:
        """Yield the elements that say the value, the nearest to the title first."""
        sought: Wanted = wanted(field, value)
        spots = self._layout.spots[inside.index : inside.end] if inside is not None else self._layout.spots
        found = [each for each in spots if each.tag not in _NOT_A_VALUE and sought.is_it(each.words or "")]
        yield from sorted((each for each in found if self._is_of_the_product(each)), key=self._distance)

    def around(self, spots: list[Spot]) -> Spot | None:
        """Return the innermost element that holds all of these."""
        return self._layout.around(spots)

    def ancestors(self, spot: Spot) -> list[Spot]:
        """Return what an element stands in, innermost first."""
        return self._layout.ancestry(spot)[1:]

    def _is_of_the_product(self, spot: Spot) -> bool:
        """Whether the element stands with the title, and not in what every page of the shop has around it."""
        shared = self._layout.around([self.title, spot]) if self.title is not None else None
        if shared is None or shared.parent < 0:
            return False
        between = [each for each in self._layout.ancestry(spot) if each.index > shared.index]
        return not any(each.tag in _FRAME or _ELSEWHERE.search(_names(each)) for each in between)

    def _title(self, title: str) -> Spot | None:
        sought = wanted("title", title)
        fitting = [each for each in self._layout.spots if sought.is_it(each.words or "")]
        return min(fitting, key=lambda each: (each.tag != "h1", each.index), default=None)

    def _distance(self, spot: Spot) -> tuple[int, int]:
        """Order by how small the element is that holds both the title and this, then by page order."""
        if self.title is None:
            return 0, spot.index
        shared = self._layout.around([self.title, spot])
        return (shared.end - shared.index if shared is not None else 0), spot.index


def steady_name(node: LexborNode, scope: LexborHTMLParser | LexborNode) -> str | None:
    """Return a selector for the element that should last, or None when it has no such name."""
    return next((each.selector for each in names_for(node, scope=scope) if each.is_steady), None)


def first_named(
    spots: Iterator[Spot],
    scope: LexborHTMLParser | LexborNode,
    *,
    fits: Callable[[Spot], bool] = lambda _: True,
) -> str | None:
    """Return the steady name of the first of these elements that has one."""
    names = (steady_name(each.node, scope) for each in spots if fits(each))
    return next((name for name in names if name is not None), None)
