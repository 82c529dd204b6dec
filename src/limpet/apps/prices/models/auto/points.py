"""How likely an amount is the price of this product, in points.

The points are fixed and few, so that a person can say why one amount came before another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from limpet.apps.prices.models.auto import naming, wording
from limpet.apps.prices.models.auto.cards import is_in_a_card
from limpet.apps.prices.models.auto.outline import Outline
from limpet.apps.prices.models.auto.sightings import Sighting
from limpet.apps.prices.models.auto.surroundings import Surroundings

_REPEATED = 3


def rated(outline: Outline, sightings: Iterable[Sighting], around: Surroundings) -> list[Sighting]:
    """Return the sightings with their points, best first."""
    found = [_without_neighbours(outline, each, around) for each in sightings]
    repeated = _repeated(outline, found)
    pointed = [replace(each, points=_points(outline, each, around, repeated)) for each in found]
    return sorted(pointed, key=lambda each: (-each.points, each.first_text))


def _without_neighbours(outline: Outline, sighting: Sighting, around: Surroundings) -> Sighting:
    """Return the sighting, marked when it stands in the card of another product."""
    possible = sighting.may_be_the_price or sighting.is_only_misnamed
    if possible and is_in_a_card(outline, sighting.root, around.title):
        return replace(sighting, marks=sighting.marks | naming.OTHERS | naming.LINKED)
    return sighting


def _signature(outline: Outline, sighting: Sighting) -> tuple[str, ...]:
    line = [outline.elements[each] for each in outline.ancestry(sighting.root)[:4]]
    # Further up the chosen one of a row has a name of its own: `tile is-selected`.
    return (*(f"{each.tag} {each.names}" for each in line[:2]), *(each.tag for each in line[2:]))


def _repeated(outline: Outline, sightings: Iterable[Sighting]) -> frozenset[int]:
    """Return the roots that stand in a row of at least three built alike: a list of products or of options."""
    signatures = {each.root: _signature(outline, each) for each in sightings}
    alike = Counter(signatures.values())
    return frozenset(root for root, signature in signatures.items() if alike[signature] >= _REPEATED)


def _points(outline: Outline, sighting: Sighting, around: Surroundings, repeated: frozenset[int]) -> int:
    marks = sighting.marks
    points = 25 * sighting.is_named + 12 * sighting.has_sign
    points += 8 * bool(marks & naming.CURRENT)
    points += _place(outline, sighting, around)
    if not sighting.is_alone and not marks & naming.CURRENT:
        points -= 14
    points -= 12 * bool(marks & naming.CARD)
    points -= 14 * bool(marks & naming.OPTION)
    points -= 10 * bool(marks & naming.REGULAR)
    points -= 14 * bool(marks & wording.WITHOUT_TAX)
    points -= 18 * bool(marks & naming.REVIEW)
    points -= 25 * bool(marks & naming.UNIT)
    points -= 10 * bool(marks & wording.LABELLED)
    points -= 14 * bool(marks & naming.TOTAL)
    points -= 20 * bool(marks & wording.FROM)
    points -= 20 * (sighting.root in repeated)
    return points


def _place(outline: Outline, sighting: Sighting, around: Surroundings) -> int:
    """Up to 45 points for standing in the product's box, soon after its title, near its button."""
    points = 0
    if around.box is not None and around.box.index <= sighting.root < around.box.end:
        points += 15
    if around.title is not None:
        steps = sighting.first_text - around.title.end_text
        points += max(0, 20 - steps // 5) if steps >= 0 else max(0, 10 + steps // 2)
    if around.button is not None:
        steps = abs(sighting.first_text - around.button.element.first_text)
        points += max(0, 10 - steps // 5)
    return points
