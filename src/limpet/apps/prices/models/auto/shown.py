"""What the page shows, boiled down: the amounts that count, who leads, and what is crossed out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from limpet.apps.prices.models.auto import naming, wording
from limpet.apps.prices.models.auto.sightings import Sighting
from limpet.extract.parse.price import Price

ENOUGH = 30  # points an amount needs to count as shown
ALONE = 27  # ... when no other amount on the page could be the price
STRONG = 48  # ... to object against a stated price
LEAD = 9  # points the first needs before the second to lead clearly
DEEPEST_CUT = 10  # nobody sells for less than a tenth of what is crossed out
_LEAST_TAX, _MOST_TAX = 102, 128  # a price with tax, in hundredths of the one before
_NEAR_REGULAR = 8  # texts between a regular price and the lower one of today
_NEXT_CHOICE = 3  # texts between two things to choose from
_OF_MANY = naming.OPTION | naming.UNIT | naming.CARD


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page shows, boiled down: the amounts that count, the leader, and what is crossed out."""

    leader: Sighting | None
    rivals: tuple[Sighting, ...]  # the leader first, then those that come too near
    visible: frozenset[int]
    crossed_out: frozenset[int]
    from_only: frozenset[int]
    has_range: bool
    savings: frozenset[int]  # amounts that are said to be saved
    percentages: frozenset[int]
    # Of visible amounts; None where a sign leaves it open.
    currencies: frozenset[tuple[int, str | None]] = frozenset()
    before_tax: frozenset[int] = frozenset()  # amounts the page itself calls without tax

    def proves_sale(self, low: int, high: int) -> bool:
        """Whether the page names the very difference of two amounts, as money or as a percentage."""
        percent = (high - low) * 100 / high
        return high - low in self.savings or any(
            abs(each - percent) <= 1 for each in self.percentages if each > 2
        )

    def contradicts(self, price: Price) -> bool:
        """Whether the page shows this very amount, and only ever in another currency than the price's."""
        shown = {currency for cents, currency in self.currencies if cents == price.cents}
        return bool(shown) and price.currency is not None and not shown & {None, price.currency}

    @property
    def is_clear(self) -> bool:
        """Whether one amount leads."""
        return self.leader is not None and len(self.rivals) == 1


def shown_of(sightings: list[Sighting], percentages: frozenset[int] = frozenset()) -> Shown:
    """Return what these sightings amount to."""
    possible = _with_tax(each for each in sightings if each.may_be_the_price)
    values = {each.cents for each in possible if each.points >= ALONE}
    least = ALONE if len(values) == 1 else ENOUGH
    counted = _unless_misnamed([each for each in possible if each.points >= least], sightings)
    firm = _without_regular([each for each in counted if not each.marks & wording.FROM])
    best = _best_of_each(firm)
    rivals = _with_other_choices(_rivals(best), sightings)
    savings = frozenset(
        each.cents for each in sightings if each.marks & naming.SAVING and not _is_elsewhere(each)
    )
    return Shown(
        leader=rivals[0] if rivals else None,
        rivals=tuple(rivals),
        visible=frozenset(each.cents for each in firm),
        currencies=frozenset((each.cents, each.currency if each.names_one else None) for each in firm),
        crossed_out=frozenset(each.cents for each in sightings if _is_crossed_out(each)),
        from_only=frozenset(each.cents for each in counted if each.marks & wording.FROM)
        - frozenset(each.cents for each in firm),
        has_range=any(
            each.marks & wording.RANGE and each.points >= ENOUGH and not _is_elsewhere(each)
            for each in sightings
        ),
        savings=savings,
        percentages=percentages,
        before_tax=frozenset(
            each.cents for each in sightings if each.marks & (wording.WITHOUT_TAX | naming.NAMED_BEFORE_TAX)
        ),
    )


def _without_regular(firm: list[Sighting]) -> list[Sighting]:
    """Leave out a regular price that a lower one stands beside: then it is the one before."""

    def has_lower(one: Sighting) -> bool:
        return any(
            one.cents // DEEPEST_CUT <= each.cents < one.cents
            and abs(each.first_text - one.first_text) <= _NEAR_REGULAR
            for each in firm
            if not each.marks & _OF_MANY
        )

    return [each for each in firm if not (each.marks & naming.REGULAR and has_lower(each))]


def _unless_misnamed(counted: list[Sighting], sightings: list[Sighting]) -> list[Sighting]:
    """Return what counts; where that is nothing or hardly anything, the one amount only its name speaks against."""
    if any(each.points >= STRONG or each.is_named for each in counted):
        return counted
    found = [each for each in sightings if each.is_only_misnamed and each.points >= STRONG]
    surely = [each for each in found if not each.marks & naming.SURELY_OLD]
    found = [each for each in found if not each.marks & naming.OLD] or surely or ([] if counted else found)
    if len({each.cents for each in found}) > 1:
        # A whole column is misnamed: what is called the current price in it is meant.
        found = [each for each in found if each.marks & naming.CURRENT and not each.marks & naming.OLD]
    return found if len({each.cents for each in found}) == 1 else counted


def _with_tax(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Leave out amounts before tax where the same amount with tax stands beside them."""
    possible = list(sightings)
    whole = [each.cents for each in possible if not each.marks & wording.WITHOUT_TAX and each.points >= ALONE]
    named_whole = [each.cents for each in possible if _is_named(each, naming.NAMED_WITH_TAX)]
    return [
        each
        for each in possible
        if not (each.marks & wording.WITHOUT_TAX and any(has_tax_added(each.cents, other) for other in whole))
        and not (
            _is_named(each, naming.NAMED_BEFORE_TAX)
            and any(has_tax_added(each.cents, other) for other in named_whole)
        )
    ]


def _is_named(sighting: Sighting, mark: int) -> bool:
    """Whether names give an amount this tax mark, and not its opposite as well."""
    return sighting.marks & (naming.NAMED_BEFORE_TAX | naming.NAMED_WITH_TAX) == mark


def has_tax_added(before: int, after: int) -> bool:
    """Whether the second amount is the first with a tax on it."""
    return before * _LEAST_TAX <= after * 100 <= before * _MOST_TAX


def _best_of_each(sightings: list[Sighting]) -> list[Sighting]:
    best: dict[int, Sighting] = {}
    for each in sightings:
        if each.cents not in best or each.points > best[each.cents].points:
            best[each.cents] = each
    return sorted(best.values(), key=lambda each: (-each.points, each.first_text))


def _rivals(best: list[Sighting]) -> list[Sighting]:
    """Return the leader and whoever comes too near, without regular prices beside a lower one."""
    if not best:
        return []
    near = [each for each in best if each.points > best[0].points - LEAD]
    lowest = min(each.cents for each in near)
    kept = [each for each in near if not (each.marks & naming.REGULAR and each.cents > lowest)]
    taxed = [each for each in kept if not each.marks & wording.WITHOUT_TAX]
    return taxed or kept


def _with_other_choices(rivals: list[Sighting], sightings: list[Sighting]) -> list[Sighting]:
    """Return the rivals; where one leads that is only a thing to choose, with those to choose beside it.

    "Gift card" above two amounts makes the first look like a present: words say little about a choice.
    """
    if len(rivals) != 1 or not rivals[0].marks & naming.OPTION or rivals[0].is_named:
        return rivals
    leader = rivals[0]
    beside = [
        each
        for each in sightings
        if each.marks & naming.OPTION
        and each.is_alone
        and each.own_names == leader.own_names
        and each.cents not in (0, leader.cents)
        and abs(each.first_text - leader.first_text) <= _NEXT_CHOICE
        and not each.marks & (naming.STRUCK | naming.OLD | naming.HIDDEN)
        and not _is_elsewhere(replace(each, marks=each.marks & ~naming.FINANCE))
    ]
    return [leader, *beside]


def _is_crossed_out(sighting: Sighting) -> bool:
    return bool(sighting.marks & (naming.OLD | naming.REGULAR)) and not _is_elsewhere(sighting)


def _is_elsewhere(sighting: Sighting) -> bool:
    return bool(
        sighting.marks & (naming.OTHERS | naming.FRAME | naming.SHIPPING | naming.REVIEW | naming.FINANCE)
    )
