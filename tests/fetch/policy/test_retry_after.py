"""What servers write into Retry-After."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.fetch.policy.retry_after import parse_http_date, parse_retry_after

NOW = datetime(2026, 11, 6, 8, 49, 37, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        (" 7 ", 7),
        ("0", 0),
        ("1.5", 1.5),
        ("-5", 0),
        ("999999999999999999999999", 21600),
        ("9" * 399, 21600),
        ("Fri, 06 Nov 2026 08:51:37 GMT", 120),
        ("Friday, 06-Nov-26 08:51:37 GMT", 120),
        ("Fri Nov  6 08:51:37 2026", 120),
        ("fri, 6 nov 2026 08:51:37 gmt", 120),
        ("Fri, 06 Nov 2026 08:49:60 GMT", 22),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
        ("Fri, 06 Nov 2099 08:49:37 GMT", 21600),
    ],
)
def test_seconds_and_all_three_dates_are_understood(header: str, seconds: float) -> None:
    assert parse_retry_after(header, now=NOW) == seconds


@pytest.mark.parametrize(
    "header",
    [
        *(None, "", "soon", "nan", "inf", "1e3", "١٢", "12 seconds", "9" * 9000, "2026-11-06T08:51:37Z"),
        "Fri, 32 Nov 2026 08:51:37 GMT",
        "Fri, 06 Foo 2026 08:51:37 GMT",
        "Fri, 06 Nov 2026 25:00:00 GMT",
    ],
)
def test_what_is_not_understood_says_nothing(header: str | None) -> None:
    assert parse_retry_after(header, now=NOW) is None


@pytest.mark.parametrize(("digits", "year"), [("26", 2026), ("76", 2076), ("77", 1977), ("94", 1994)])
def test_a_two_digit_year_is_never_more_than_fifty_years_ahead(digits: str, year: int) -> None:
    date = parse_http_date(f"Sunday, 06-Nov-{digits} 08:49:37 GMT", now=NOW)

    assert date is not None and date.year == year


@given(st.text(max_size=60))
def test_no_header_can_break_it(header: str) -> None:
    seconds = parse_retry_after(header, now=NOW)

    assert seconds is None or 0 <= seconds <= 21600
