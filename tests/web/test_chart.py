"""Price histories as lines."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from limpet.apps.prices.views import PricePoint
from limpet.web.chart import HEIGHT, WIDTH, draw, nice_steps

START = datetime(2026, 5, 1, tzinfo=UTC)


def point(hours: int, cents: int, *, in_stock: bool = True, currency: str = "USD") -> PricePoint:
    word = "in_stock" if in_stock else "out_of_stock"
    return PricePoint(START + timedelta(hours=hours), cents, currency, word, in_stock, 1, 1, "1.0.0")


def test_nothing_is_not_drawn() -> None:
    assert draw([]) is None


def test_one_observation_is_a_dot_in_the_middle() -> None:
    chart = draw([point(0, 1999)])

    assert chart is not None
    assert chart.on_sale == "" and len(chart.dots) == 1 and len(chart.times) == 1


def test_time_without_stock_is_a_line_of_its_own() -> None:
    chart = draw([point(0, 1000), point(1, 1000, in_stock=False), point(2, 900)])

    assert chart is not None
    assert chart.on_sale.count("M") == 1
    assert chart.sold_out.count("M") == 1


def test_other_currencies_are_left_out() -> None:
    chart = draw([point(0, 99_999, currency="EUR"), point(1, 1000), point(2, 1100)])

    assert chart is not None
    assert len(chart.dots) == 2


@given(st.lists(st.integers(0, 99_999_999), min_size=1, max_size=70))
def test_everything_stays_on_the_sheet(cents: list[int]) -> None:
    chart = draw([point(hours, each) for hours, each in enumerate(cents)])

    assert chart is not None
    numbers = [float(each) for each in re.findall(r"[0-9.]+", chart.on_sale)]
    assert all(0 <= number <= WIDTH for number in numbers)
    assert all(0 <= dot.y <= HEIGHT for dot in chart.dots)


@given(st.integers(0, 99_999_999), st.integers(0, 99_999_999))
def test_steps_enclose_both_ends_and_are_few(one: int, other: int) -> None:
    low, high = sorted((one, other))

    steps = nice_steps(low, high)

    assert steps[0] <= low and steps[-1] >= high
    assert 2 <= len(steps) <= 6
