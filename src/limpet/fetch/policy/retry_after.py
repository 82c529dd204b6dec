"""Retry-After, as servers write it: seconds, or one of the three dates of HTTP."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from limpet.fetch.policy.rate import MAX_PAUSE_SECONDS

_SECONDS = re.compile(r"[+-]?[0-9]{1,400}(\.[0-9]*)?", re.ASCII)
_TIME = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)"
_DATES = tuple(
    re.compile(pattern, re.ASCII | re.IGNORECASE)
    for pattern in (
        # Sun, 06 Nov 1994 08:49:37 GMT - the form servers must send
        rf"[a-z]+,\s*(?P<day>\d\d?) (?P<month>[a-z]{{3}}) (?P<year>\d{{4}}) {_TIME} (GMT|UTC|\+0000)",
        # Sunday, 06-Nov-94 08:49:37 GMT
        rf"[a-z]+,\s*(?P<day>\d\d?)-(?P<month>[a-z]{{3}})-(?P<year>\d\d|\d{{4}}) {_TIME} (GMT|UTC)",
        # Sun Nov  6 08:49:37 1994
        rf"[a-z]{{3}} (?P<month>[a-z]{{3}})\s+(?P<day>\d\d?) {_TIME} (?P<year>\d{{4}})",
    )
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def parse_retry_after(value: str | None, *, now: datetime) -> float | None:
    """Return how long we are asked to stay away, 0 to 6 h; None when we do not understand the header."""
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return _capped(float(text))
    date = parse_http_date(text, now=now)
    return None if date is None else _capped((date - now).total_seconds())


def parse_http_date(text: str, *, now: datetime) -> datetime | None:
    """Return the moment an HTTP date names, or None; `now` tells which century two digits mean."""
    for form in _DATES:
        if found := form.fullmatch(text):
            return _moment(found.groupdict(), now)
    return None


def _moment(part: dict[str, str], now: datetime) -> datetime | None:
    try:
        return datetime(
            _full_year(part["year"], now),
            _MONTHS.index(part["month"].lower()) + 1,
            int(part["day"]),
            int(part["hour"]),
            int(part["minute"]),
            min(int(part["second"]), 59),  # a leap second is allowed in HTTP, not in datetime
            tzinfo=UTC,
        )
    except ValueError:
        return None


def _full_year(digits: str, now: datetime) -> int:
    if len(digits) == 4:
        return int(digits)
    year = now.year - now.year % 100 + int(digits)
    # RFC 9110 5.6.7: a two-digit year that seems more than 50 years ahead lies in the past.
    return year - 100 if year > now.year + 50 else year


def _capped(seconds: float) -> float:
    return min(max(seconds, 0.0), MAX_PAUSE_SECONDS)
