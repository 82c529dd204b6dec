"""Dates: the formats of the courts and shops, and no guesses."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.extract.parse.date import DateDoubt, DateProblem, Order, parse_date

SIXTH_OF_NOVEMBER = date(2025, 11, 6)


@pytest.mark.parametrize(
    "text",
    [
        "2025-11-06",
        "2025-11-06T09:30:00",
        "2025-11-06T09:30:00.000Z",
        "2025-11-06 09:30:00+01:00",
        "2025/11/06",
        "2025-Nov-06",
        "06-Nov-2025",
        "06-NOV-2025",
        "6 Nov 2025",
        "06\u00a0Nov\u00a02025",
        "6th November 2025",
        "Thursday, 6 November 2025",
        "November 6, 2025",
        "Nov. 6, 2025",
        "6 novembre 2025",
        " 2025-11-06 ",
        "20251106",
        "2025–11–06",
        "/Date(1762387200000)/",
    ],
)
def test_every_unmistakable_format_is_read(text: str) -> None:
    assert parse_date(text) == SIXTH_OF_NOVEMBER


@pytest.mark.parametrize(
    ("text", "order", "expected"),
    [
        ("29/09/2025", None, date(2025, 9, 29)),
        ("09/29/2025", None, date(2025, 9, 29)),
        ("05/05/2025", None, date(2025, 5, 5)),
        ("06/11/2025", Order.DAY_FIRST, SIXTH_OF_NOVEMBER),
        ("11-06-2025", Order.MONTH_FIRST, SIXTH_OF_NOVEMBER),
        ("29 Sep 2025", None, date(2025, 9, 29)),
    ],
)
def test_numbers_are_read_when_their_order_is_known(text: str, order: Order | None, expected: date) -> None:
    assert parse_date(text, order=order) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("11-06-2025", DateDoubt.AMBIGUOUS_ORDER),
        ("06/11/2025", DateDoubt.AMBIGUOUS_ORDER),
        ("2025-02-30", DateDoubt.IMPOSSIBLE),
        ("31-Feb-2025", DateDoubt.IMPOSSIBLE),
        ("2025-13-01", DateDoubt.IMPOSSIBLE),
        ("32/13/2025", DateDoubt.IMPOSSIBLE),
        ("00/00/2025", DateDoubt.IMPOSSIBLE),
        ("0000-01-01", DateDoubt.IMPOSSIBLE),
        ("6 Smarch 2025", DateDoubt.UNKNOWN_FORMAT),
        ("06/11/25", DateDoubt.UNKNOWN_FORMAT),
        ("soon", DateDoubt.UNKNOWN_FORMAT),
        ("1106-20-25", DateDoubt.IMPOSSIBLE),
        ("2025-11-06 and more", DateDoubt.UNKNOWN_FORMAT),
        ("/Date(999999999999999)/", DateDoubt.IMPOSSIBLE),
        ("", DateDoubt.EMPTY),
        ("\u00a0", DateDoubt.EMPTY),
    ],
)
def test_what_is_no_single_day_says_why(text: str, reason: DateDoubt) -> None:
    result = parse_date(text)

    assert isinstance(result, DateProblem)
    assert result.reason is reason


def test_an_order_does_not_rescue_an_impossible_day() -> None:
    result = parse_date("13/13/2025", order=Order.DAY_FIRST)

    assert isinstance(result, DateProblem)
    assert result.reason is DateDoubt.IMPOSSIBLE


@given(st.dates())
def test_every_day_survives_its_iso_spelling(day: date) -> None:
    assert parse_date(day.isoformat()) == day


@given(st.text(max_size=40), st.sampled_from([None, *Order]))
def test_no_text_crashes(text: str, order: Order | None) -> None:
    assert isinstance(parse_date(text, order=order), (date, DateProblem))
