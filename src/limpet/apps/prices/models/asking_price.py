"""The one price that is asked, out of everything a page states; or the reason there is not exactly one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.parse.price import Price, PriceProblem, price_from_json
from limpet.extract.parse.stock import Availability

Stated = tuple[Any, str | None]  # a price as some JSON gives it, and its currency


def asking_price(stated: Iterable[Stated], availability: Availability, *, hidden: str = "") -> Price:
    """Return the price all statements agree on; a price of zero is one, and is judged later."""
    given = [(value, currency) for value, currency in stated if value not in (None, "")]
    prices = _told_apart({believed(price_from_json(value, currency=currency)) for value, currency in given})
    # A hidden price of zero is shown to a person like any other; only a sold-out page may leave it out.
    if hidden and not (_are_zero(prices) and availability is not Availability.OUT_OF_STOCK):
        raise not_shown(availability, hidden)
    if not prices:
        raise not_shown(availability, "no price is stated")
    if len(prices) > 1:
        shown = sorted((price.cents, price.currency or "") for price in prices)
        raise CannotRead(
            Missing.AMBIGUOUS_PRICE, f"price: {len(prices)} are stated for one product: {shown[:6]}"
        )
    return prices.pop()


def _told_apart(prices: set[Price]) -> set[Price]:
    """Return the prices that differ; one without a currency is the same as one with it."""
    known = {price.cents for price in prices if price.currency}
    return {price for price in prices if price.currency or price.cents not in known}


def _are_zero(prices: set[Price]) -> bool:
    return bool(prices) and all(price.cents == 0 for price in prices)


def believed(read: Price | PriceProblem) -> Price:
    """Return the price, or break off: what cannot be read is never zero."""
    if isinstance(read, PriceProblem):
        reason = Missing.AMBIGUOUS_PRICE if read.is_ambiguous else Missing.PRICE_NOT_FOUND
        raise CannotRead(reason, f"price: {read.reason} in {read.text!r}")
    return read


def not_shown(availability: Availability, details: str) -> CannotRead:
    """A sold-out page may hide its price: the shop's habit, not a broken selector."""
    if availability is Availability.OUT_OF_STOCK:
        return CannotRead(Missing.OOS_NO_PRICE, f"sold out, and the price is not shown: {details}")
    return CannotRead(Missing.PRICE_NOT_FOUND, f"price: {details}")
