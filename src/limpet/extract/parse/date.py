"""Dates in the formats of the sites we read; ambiguous or impossible ones become a named problem."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum


class DateDoubt(StrEnum):
    """Why a text gives no date we may believe."""

    EMPTY = "empty"
    UNKNOWN_FORMAT = "unknown_format"
    AMBIGUOUS_ORDER = "ambiguous_order"  # 11-06-2025: June or November?
    IMPOSSIBLE = "impossible"  # 31 February


@dataclass(frozen=True, slots=True)
class DateProblem:
    """No date, and why; `text` is what was read, shortened."""

    reason: DateDoubt
    text: str


class Order(StrEnum):
    """Which of two small numbers is the day, where a site is known to write one way."""

    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january janvier janv", "feb february février fevrier févr fevr", "mar march mars",
            "apr april avril avr", "may mai", "jun june juin", "jul july juillet juil",
            "aug august août aout",
            "sep sept september septembre", "oct october octobre", "nov november novembre",
            "dec december décembre decembre déc",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_TIME = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s*(?:Z|[+-]\d{2}:?\d{2}|[ap]\.?m\.?)?)?"
_ISO = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_TIME}", re.I)
_ISO_NAMED = re.compile(rf"(\d{{4}})[-/. ]([^\W\d_]+)\.?[-/. ](\d{{1,2}}){_TIME}", re.I)
_DAY_NAMED = re.compile(
    rf"(?:[^\W\d_]+,?\s+)?(\d{{1,2}})(?:st|nd|rd|th|er)?[-/. ]\s*([^\W\d_]+)\.?,?[-/. ]\s*(\d{{4}}){_TIME}",
    re.I,
)
_NAMED_DAY = re.compile(rf"([^\W\d_]+)\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}}){_TIME}", re.I)
_NUMBERS = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}){_TIME}", re.I)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_MILLISECONDS = re.compile(r"/Date\((-?\d{1,15})(?:[+-]\d{4})?\)/")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_date(text: str, *, order: Order | None = None) -> date | DateProblem:
    """Return the calendar day a text names, or the reason it names none.

    `06/11/2025` is read only when `order` says which number is the day or the numbers leave no choice; a site
    known to write one way (the courts write the day first) passes its order.
    """
    shown = text[:64]
    bare = " ".join(text.replace("\u00a0", " ").split()).translate(_DASHES)
    if not bare:
        return DateProblem(DateDoubt.EMPTY, shown)
    if len(bare) > 64 or not bare.isprintable():
        return DateProblem(DateDoubt.UNKNOWN_FORMAT, shown)
    parts = _year_month_day(bare, order)
    if isinstance(parts, DateDoubt):
        return DateProblem(parts, shown)
    try:
        return date(*parts)
    except ValueError:
        return DateProblem(DateDoubt.IMPOSSIBLE, shown)


_DASHES = str.maketrans({"‐": "-", "‑": "-", "–": "-", "−": "-"})


def _year_month_day(text: str, order: Order | None) -> tuple[int, int, int] | DateDoubt:
    if not text.isascii() and any(sign.isdigit() and not sign.isascii() for sign in text):
        return DateDoubt.UNKNOWN_FORMAT
    if found := _ISO.fullmatch(text) or _COMPACT.fullmatch(text):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _NUMBERS.fullmatch(text):
        return _ordered(int(found[1]), int(found[3]), int(found[4]), order)
    if found := _MILLISECONDS.fullmatch(text):
        return _from_milliseconds(int(found[1]))
    return _with_month_name(text)


def _with_month_name(text: str) -> tuple[int, int, int] | DateDoubt:
    for spelling, (year, month, day) in (
        (_ISO_NAMED, (1, 2, 3)),
        (_DAY_NAMED, (3, 2, 1)),
        (_NAMED_DAY, (3, 1, 2)),
    ):
        if found := spelling.fullmatch(text):
            return _named(found[year], found[month], found[day])
    return DateDoubt.UNKNOWN_FORMAT


def _named(year: str, month: str, day: str) -> tuple[int, int, int] | DateDoubt:
    number = _MONTHS.get(month.lower().rstrip("."))
    return (int(year), number, int(day)) if number else DateDoubt.UNKNOWN_FORMAT


def _ordered(first: int, second: int, year: int, order: Order | None) -> tuple[int, int, int] | DateDoubt:
    if order is Order.DAY_FIRST:
        return year, second, first
    if order is Order.MONTH_FIRST:
        return year, first, second
    if first > 12 or first == second:
        return year, second, first
    return (year, first, second) if second > 12 else DateDoubt.AMBIGUOUS_ORDER


def _from_milliseconds(milliseconds: int) -> tuple[int, int, int] | DateDoubt:
    """`/Date(ms)/`, as .NET writes a moment; the day is the one in UTC."""
    try:
        moment = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return DateDoubt.IMPOSSIBLE
    return moment.year, moment.month, moment.day
