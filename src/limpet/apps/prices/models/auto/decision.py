"""Which amount is the price: the rule book, asked in order. What it cannot settle, it refuses.

Witnesses are what the page states for machines (JSON-LD, microdata, RDFa, meta tags) and what it shows to people.
  1. One stated price, and the page shows it unstruck: believed - unless it shows a lower amount as prominently right
     beside it, for then the markup may hold the regular price (it does when the page names the saving).
  2. The stated price is shown only as the crossed-out one, or as the one before tax: what is shown most prominently
     is believed.
  3. One stated price, and the page shows no amount that could be the price: the statement is believed.
     One stated in another currency than the page shows cannot object either: what is shown is believed; but the same
     number in two currencies is refused.
  4. Several stated prices (variants, or markups that differ): the one shown most prominently is believed.
  5. Nothing stated: the amount shown most prominently is believed when it leads clearly; of two rivals the lower
     when the page names the saving between them or dresses them as was and now; else the only rival the page's own
     data name. A faint amount gives way to what the data say.
  6. Nothing stated or shown: the page's own data are believed when they name the product and one exact price.
Everything else is ambiguous, or there is no price.
"""

from __future__ import annotations

from collections.abc import Callable

from limpet.apps.prices.models.auto import naming, wording
from limpet.apps.prices.models.auto.shown import DEEPEST_CUT, STRONG, Shown, has_tax_added
from limpet.apps.prices.models.auto.sightings import Sighting
from limpet.apps.prices.models.auto.state import State
from limpet.apps.prices.models.auto.statements import Statement
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price

_BESIDE = 3  # texts between a price and the one it replaces
_OF_MANY = naming.OPTION | naming.UNIT | naming.CARD


def decide(
    statements: list[Statement],
    shown: Shown,
    *,
    state: Callable[[], State],
) -> Price:
    """Return the price every rule agrees on; raise CannotRead when there is none, or no single one."""
    stated = _stated(statements, shown)
    if len(stated) == 1:
        return _undisputed(_with_one(next(iter(stated.values())), shown), shown)
    if len(stated) > 1:
        return _undisputed(_with_several(stated, statements, shown), shown)
    zero = next((each.price for each in statements if each.price is not None and each.price.cents == 0), None)
    if zero is not None and not (
        shown.is_clear and shown.leader is not None and shown.leader.points >= STRONG
    ):
        return zero
    return _with_none(shown, state)


def _undisputed(price: Price, shown: Shown) -> Price:
    """Return the price, unless the page shows the same number in another currency: one of the two is wrong."""
    if shown.contradicts(price):
        raise _ambiguous(f"markup states {price.cents} in {price.currency}, the page shows another currency")
    return price


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
        if shown.is_clear and stated.cents // DEEPEST_CUT <= leader.cents < stated.cents:
            return Price(leader.cents, leader.currency or stated.currency)
        raise _ambiguous(f"markup states {stated.cents}, which the page crosses out")
    if shown.is_clear and stated.cents in shown.before_tax and has_tax_added(stated.cents, leader.cents):
        return _priced(leader, stated)
    if stated.cents in shown.from_only or leader.points < STRONG or leader.is_only_misnamed:
        return stated
    if shown.is_clear and _is_converted(leader, stated):
        return Price(leader.cents, leader.currency)
    raise _ambiguous(f"markup states {stated.cents}, the page shows {leader.cents}")


def _seen(stated: Price, shown: Shown) -> Price:
    own = [each for each in shown.rivals if each.cents == stated.cents]
    lower = [each for each in shown.rivals if each.cents < stated.cents and each.points >= STRONG]
    if own:
        lower = [each for each in lower if _may_replace(each, own[0])]
    if not lower:
        return stated
    if len(lower) == 1 and shown.proves_sale(lower[0].cents, stated.cents):
        return _priced(lower[0], stated)
    raise _ambiguous(f"markup states {stated.cents}, the page shows {lower[0].cents} as well")


def _may_replace(lower: Sighting, stated: Sighting) -> bool:
    """Whether a lower amount may be today's price: it stands right beside, or is called so and the other is not.

    With words of its own between the two ("opened box", "with your old one") it is the price of something else.
    """
    first, second = sorted((lower, stated), key=lambda each: each.first_text)
    is_called = lower.marks & naming.CURRENT and not stated.marks & naming.CURRENT
    return bool(is_called) or second.first_text <= first.end_text


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


def _are_variants(statements: list[Statement]) -> bool:
    priced = [each for each in statements if each.price is not None]
    return any(each.is_bound for each in priced) or len(priced) > len({each.kind for each in priced})


def _priced(sighting: Sighting, stated: Price) -> Price:
    return Price(sighting.cents, stated.currency or sighting.currency)


def _listed(shown: Shown) -> list[int]:
    return [each.cents for each in shown.rivals][:6]


def _ambiguous(details: str) -> CannotRead:
    return CannotRead(Missing.AMBIGUOUS_PRICE, f"price: {details}")
