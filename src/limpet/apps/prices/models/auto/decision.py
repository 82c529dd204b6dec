"""Which amount is the price: the rule book, asked in order. What it cannot settle, it refuses.

Witnesses are what the page states for machines (JSON-LD, microdata, RDFa, meta tags) and what it shows to people.
  1. One stated price, and the page shows it unstruck: believed - unless it shows a lower amount as prominently,
     for then the markup may hold the regular price (it does when the page names the saving).
  2. The stated price is shown only as the crossed-out one, or as the one before tax: what is shown most prominently
     is believed.
  3. One stated price, and the page shows no amount that could be the price: the statement is believed.
     One stated in another currency than the page shows cannot object either: what is shown is believed.
  4. Several stated prices (variants, or markups that differ): the one shown most prominently is believed.
  5. Nothing stated: the amount shown most prominently is believed when it leads clearly; of two rivals the lower
     when the page names the saving between them; else the only rival the page's own state names.
  6. Nothing stated or shown: the page's state is believed when it names the product and one exact price.
Everything else is ambiguous, or there is no price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from limpet.apps.prices.models.auto import naming, wording
from limpet.apps.prices.models.auto.sightings import Sighting
from limpet.apps.prices.models.auto.state import State
from limpet.apps.prices.models.auto.statements import Statement
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price

ENOUGH = 30  # points an amount needs to count as shown
ALONE = 27  # ... when no other amount on the page could be the price
STRONG = 48  # ... to object against a stated price
_DEEPEST_CUT = 10  # nobody sells for less than a tenth of what is crossed out
_LEAST_TAX, _MOST_TAX = 102, 128  # a price with tax, in hundredths of the one before
_BESIDE = 3  # texts between a price and the one it replaces
_NEAR_REGULAR = 8
_OF_MANY = naming.OPTION | naming.UNIT | naming.CARD
LEAD = 9  # points the first needs before the second to lead clearly


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
    before_tax: frozenset[int] = frozenset()  # amounts the page itself calls without tax

    def proves_sale(self, low: int, high: int) -> bool:
        """Whether the page names the very difference of two amounts, as money or as a percentage."""
        percent = (high - low) * 100 / high
        return high - low in self.savings or any(
            abs(each - percent) <= 1 for each in self.percentages if each > 2
        )

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
    rivals = _rivals(best)
    savings = frozenset(
        each.cents for each in sightings if each.marks & naming.SAVING and not _is_elsewhere(each)
    )
    return Shown(
        leader=rivals[0] if rivals else None,
        rivals=tuple(rivals),
        visible=frozenset(each.cents for each in firm),
        crossed_out=frozenset(each.cents for each in sightings if _is_crossed_out(each)),
        from_only=frozenset(each.cents for each in counted if each.marks & wording.FROM)
        - frozenset(each.cents for each in firm),
        has_range=any(
            each.marks & wording.RANGE and each.points >= ENOUGH and not _is_elsewhere(each)
            for each in sightings
        ),
        savings=savings,
        percentages=percentages,
        before_tax=frozenset(each.cents for each in sightings if each.marks & wording.WITHOUT_TAX),
    )


def _without_regular(firm: list[Sighting]) -> list[Sighting]:
    """Leave out a regular price that a lower one stands beside: then it is the one before."""

    def has_lower(one: Sighting) -> bool:
        return any(
            one.cents // _DEEPEST_CUT <= each.cents < one.cents
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
    found = [each for each in found if not each.marks & naming.OLD] or found
    if counted:
        found = [each for each in found if not each.marks & naming.SURELY_OLD]
    return found if len({each.cents for each in found}) == 1 else counted


def _with_tax(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Leave out amounts before tax where the same amount with tax stands beside them."""
    possible = list(sightings)
    whole = [each.cents for each in possible if not each.marks & wording.WITHOUT_TAX and each.points >= ALONE]

    return [
        each
        for each in possible
        if not (
            each.marks & wording.WITHOUT_TAX and any(_has_tax_added(each.cents, other) for other in whole)
        )
    ]


def _has_tax_added(before: int, after: int) -> bool:
    return before * _LEAST_TAX <= after * 100 <= before * _MOST_TAX


def decide(
    statements: list[Statement],
    shown: Shown,
    *,
    state: Callable[[], State],
) -> Price:
    """Return the price every rule agrees on; raise CannotRead when there is none, or no single one."""
    stated = _stated(statements, shown)
    if len(stated) == 1:
        return _with_one(next(iter(stated.values())), shown)
    if len(stated) > 1:
        return _with_several(stated, statements, shown)
    zero = next((each.price for each in statements if each.price is not None and each.price.cents == 0), None)
    if zero is not None and not (
        shown.is_clear and shown.leader is not None and shown.leader.points >= STRONG
    ):
        return zero
    return _with_none(shown, state)


def _stated(statements: list[Statement], shown: Shown) -> dict[int, Price]:
    """Return the stated prices by amount, without zeros and without rounded ones the page does not show."""
    prices: dict[int, Price] = {}
    rounded: dict[int, Price] = {}
    for each in statements:
        if each.price is None or each.price.cents == 0:
            continue
        target = rounded if each.is_rounded and each.price.cents not in shown.visible else prices
        if target.get(each.price.cents) is None or target[each.price.cents].currency is None:
            target[each.price.cents] = each.price
    return prices or (rounded if shown.leader is None else {})


def _with_one(stated: Price, shown: Shown) -> Price:
    leader = shown.leader
    if leader is None:
        return stated
    if stated.cents in shown.visible:
        return _seen(stated, shown)
    if stated.cents in shown.crossed_out:
        if shown.is_clear and stated.cents // _DEEPEST_CUT <= leader.cents < stated.cents:
            return Price(leader.cents, leader.currency or stated.currency)
        raise _ambiguous(f"markup states {stated.cents}, which the page crosses out")
    if shown.is_clear and stated.cents in shown.before_tax and _has_tax_added(stated.cents, leader.cents):
        return _priced(leader, stated)
    if stated.cents in shown.from_only or leader.points < STRONG:
        return stated
    if shown.is_clear and _is_converted(leader, stated):
        return Price(leader.cents, leader.currency)
    raise _ambiguous(f"markup states {stated.cents}, the page shows {leader.cents}")


def _seen(stated: Price, shown: Shown) -> Price:
    lower = [each for each in shown.rivals if each.cents < stated.cents and each.points >= STRONG]
    if not lower:
        return stated
    if len(lower) == 1 and shown.proves_sale(lower[0].cents, stated.cents):
        return _priced(lower[0], stated)
    raise _ambiguous(f"markup states {stated.cents}, the page shows {lower[0].cents} as well")


def _is_converted(leader: Sighting, stated: Price) -> bool:
    """Whether the page shows another currency: the two cannot be compared, and people pay what they see."""
    return bool(stated.currency and leader.has_sign and leader.currency not in (None, stated.currency))


def _with_several(stated: dict[int, Price], statements: list[Statement], shown: Shown) -> Price:
    leader = shown.leader
    if leader is not None and shown.is_clear and leader.cents in stated:
        return _priced(leader, stated[leader.cents])
    kept = {cents: price for cents, price in stated.items() if cents not in shown.crossed_out - shown.visible}
    confirmed = [price for cents, price in kept.items() if cents in shown.visible]
    if (
        len(confirmed) == 1
        and leader is not None
        and leader.cents in (confirmed[0].cents, *shown.crossed_out)
    ):
        return confirmed[0]
    if len(kept) == 1 and leader is None:
        return next(iter(kept.values()))
    low, high = min(stated), max(stated)
    if leader is not None and shown.is_clear and low <= leader.cents <= high and leader.points >= STRONG:
        return _priced(leader, next(iter(stated.values())))
    reason = Missing.AMBIGUOUS_VARIANTS if _are_variants(statements) else Missing.AMBIGUOUS_PRICE
    raise CannotRead(reason, f"markup states {sorted(stated)[:6]}, the page shows {_listed(shown)}")


def _with_none(shown: Shown, state: Callable[[], State]) -> Price:
    leader = shown.leader
    if leader is not None:
        if shown.is_clear and not (shown.has_range and leader.points < STRONG):
            return _with_leader(leader, state)
        on_sale = _proven_sale(shown)
        if on_sale is not None:
            return Price(on_sale.cents, on_sale.currency)
        known = state()
        named = [each for each in shown.rivals if known.speaks_of(each.cents)]
        if len({each.cents for each in named}) == 1:
            return Price(named[0].cents, named[0].currency)
        raise _ambiguous(f"the page shows {_listed(shown)}, and nothing tells which is the price")
    if shown.has_range:
        raise _ambiguous("the page shows a range of prices")
    only = state().only
    if only is not None:
        return only
    if shown.from_only:
        raise _ambiguous(f"the page shows only what prices start from: {sorted(shown.from_only)}")
    raise CannotRead(Missing.PRICE_NOT_FOUND, "price: no markup states one, and no visible amount stands out")


def _with_leader(leader: Sighting, state: Callable[[], State]) -> Price:
    """Return the leader, unless it is faint and the page's own data name another price."""
    if leader.points < STRONG:
        only = state().only
        if only is not None and only.cents != leader.cents:
            if leader.is_named:
                raise _ambiguous(f"the page shows {leader.cents}, its data say {only.cents}")
            return only
    return Price(leader.cents, leader.currency)


def _proven_sale(shown: Shown) -> Sighting | None:
    """Return the lower of two rivals when the page names the saving between them, or dresses them as was and now."""
    if len(shown.rivals) != 2:
        return None
    low, high = sorted(shown.rivals, key=lambda each: each.cents)
    return low if shown.proves_sale(low.cents, high.cents) or _are_was_and_now(low, high) else None


def _are_was_and_now(low: Sighting, high: Sighting) -> bool:
    """Whether two prices stand side by side, named alike but for one word: nobody shows two prices of today so."""
    beside = abs(low.first_text - high.first_text) <= _BESIDE
    told_apart = bool(low.own_names) and bool(high.own_names) and low.own_names != high.own_names
    both = (
        low.is_alone
        and high.is_alone
        and low.is_named == high.is_named
        and min(low.points, high.points) >= STRONG
    )
    likely = low.cents * 103 <= high.cents * 100 <= low.cents * 300
    return (
        beside
        and told_apart
        and both
        and likely
        and not (low.marks | high.marks) & (_OF_MANY | wording.WITHOUT_TAX)
    )


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


def _is_crossed_out(sighting: Sighting) -> bool:
    return bool(sighting.marks & (naming.OLD | naming.REGULAR)) and not _is_elsewhere(sighting)


def _is_elsewhere(sighting: Sighting) -> bool:
    return bool(
        sighting.marks & (naming.OTHERS | naming.FRAME | naming.SHIPPING | naming.REVIEW | naming.FINANCE)
    )


def _are_variants(statements: list[Statement]) -> bool:
    priced = [each for each in statements if each.price is not None]
    return any(each.is_bound for each in priced) or len(priced) > len({each.kind for each in priced})


def _priced(sighting: Sighting, stated: Price) -> Price:
    return Price(sighting.cents, stated.currency or sighting.currency)


def _listed(shown: Shown) -> list[int]:
    return [each.cents for each in shown.rivals][:6]


def _ambiguous(details: str) -> CannotRead:
    return CannotRead(Missing.AMBIGUOUS_PRICE, f"price: {details}")
