"""The digits of a price: which separators group thousands, and which one marks the decimals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from limpet.extract.parse.currency import groups_thousands_with, minor_digits


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact number of the currency's smallest units."""

    minor_units: int


class AmountProblem(Enum):
    """Why the digits say no single amount."""

    AMBIGUOUS = "ambiguous"
    TOO_PRECISE = "too_precise"


_SPACED = re.compile(r"[ '’]")


def read_amount(number: str, currency: str | None) -> Amount | AmountProblem:
    """Return the amount of a number such as `1.299,00`, or why it cannot be told."""
    spaced = bool(_SPACED.search(number))
    number = _SPACED.sub("", number)
    separators = [sign for sign in number if sign in ".,"]
    if not separators:
        return _in_minor_units(number, "", currency)
    if len(set(separators)) == 2:
        return _both(number, separators, currency)
    if len(separators) > 1:
        return _only_groups(number, separators[0], currency) if not spaced else AmountProblem.AMBIGUOUS
    whole, _, decimals = number.partition(separators[0])
    if len(decimals) == 3 and len(whole) <= 3 and not spaced:
        return _three_digits(whole, decimals, separator=separators[0], currency=currency)
    return _in_minor_units(whole, decimals, currency)


def _both(number: str, separators: list[str], currency: str | None) -> Amount | AmountProblem:
    """Both signs occur: the last one marks the decimals, and the other must group properly."""
    decimal_sign = separators[-1]
    if separators.count(decimal_sign) > 1:
        return AmountProblem.AMBIGUOUS
    whole, _, decimals = number.partition(decimal_sign)
    joined = _joined(whole, "," if decimal_sign == "." else ".")
    return AmountProblem.AMBIGUOUS if joined is None else _in_minor_units(joined, decimals, currency)


def _only_groups(number: str, separator: str, currency: str | None) -> Amount | AmountProblem:
    joined = _joined(number, separator)
    return AmountProblem.AMBIGUOUS if joined is None else _in_minor_units(joined, "", currency)


def _joined(number: str, separator: str) -> str | None:
    """Return the digits without their grouping, or None when the groups are not of three (or Indian two)."""
    first, *groups = number.split(separator)
    sizes = {len(group) for group in groups[:-1]}
    if not first or first == "0" or len(groups[-1]) != 3 or len(first) > 3:
        return None
    if sizes <= {3} or (sizes == {2} and len(first) <= 2):
        return "".join((first, *groups))
    return None


def _three_digits(
    whole: str, decimals: str, *, separator: str, currency: str | None
) -> Amount | AmountProblem:
    """`1.234`: decided by a leading zero or by how the currency is written at home, otherwise by nobody."""
    if whole.startswith("0"):
        return _in_minor_units(whole, decimals, currency)
    if minor_digits(currency) == 3:  # a point before three decimals; a comma may as well group thousands
        return _in_minor_units(whole, decimals, currency) if separator == "." else AmountProblem.AMBIGUOUS
    if groups_thousands_with(separator, currency) or minor_digits(currency) == 0:
        return _in_minor_units(whole + decimals, "", currency)
    return AmountProblem.AMBIGUOUS


def _in_minor_units(whole: str, decimals: str, currency: str | None) -> Amount | AmountProblem:
    digits = minor_digits(currency)
    # "289.5000" is exact; "289.503" is not an amount anybody can pay.
    if decimals[digits:].strip("0"):
        return AmountProblem.TOO_PRECISE
    # Digits beyond any price are cut before int() so that hostile text cannot make it slow.
    text = (whole + decimals[:digits].ljust(digits, "0")).lstrip("0") or "0"
    return Amount(int(text) if len(text) <= 30 else 10**30)
