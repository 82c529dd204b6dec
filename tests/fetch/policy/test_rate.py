"""The arithmetic of a domain's pace."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.fetch.policy.rate import clamp_pause, rest_seconds, spacing_seconds
from limpet.source.source import Pace


@pytest.mark.parametrize(
    ("per_second", "min_delay", "crawl_delay", "spacing"),
    [
        (0.5, 2.0, 0.0, 2.0),
        (0.1, 2.0, 0.0, 10.0),
        (50.0, 0.0, 0.0, 0.02),
        (50.0, 3.0, 0.0, 3.0),
        (0.5, 2.0, 10.0, 10.0),
        (None, 0.0, 0.0, 0.0),
        (None, 0.0, 5.0, 5.0),
        (None, 1.5, -1.0, 1.5),
    ],
)
def test_the_slowest_of_rate_delay_and_robots_sets_the_spacing(
    per_second: float | None, min_delay: float, crawl_delay: float, spacing: float
) -> None:
    pace = Pace(requests_per_second=per_second, min_delay_seconds=min_delay)

    assert spacing_seconds(pace, crawl_delay) == pytest.approx(spacing)


@given(st.floats(0, 3600), st.floats(-1, 1), st.integers())
def test_jitter_only_ever_lengthens(spacing: float, jitter: float, seed: int) -> None:
    rest = rest_seconds(spacing, jitter, random=Random(seed))

    assert spacing <= rest <= spacing * (1 + max(jitter, 0.0)) + 1e-9


@pytest.mark.parametrize(
    ("asked", "given_"), [(5, 5), (0, 0), (-3, 0), (1e9, 21600), (math.inf, 21600), (math.nan, 0)]
)
def test_a_pause_is_between_zero_and_six_hours(asked: float, given_: float) -> None:
    assert clamp_pause(asked) == given_
