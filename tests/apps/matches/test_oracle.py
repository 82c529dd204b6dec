"""The oracle the proofs lean on, held against the grade machine itself: two writings of one text must agree."""

from __future__ import annotations

import pytest
from bench.matches.oracle import Look, Oracle, share_of
from bench.matches.steadiness import slope_per_minute
from hypothesis import given
from hypothesis import strategies as st

from limpet.apps.matches.grading import Grading, Reading, freshness_of

ages = st.lists(st.one_of(st.floats(0, 300), st.sampled_from([59.9, 60.0, 119.9, 120.0])), max_size=45)
stalls = st.one_of(st.floats(0, 200), st.sampled_from([89.9, 90.0]))
happenings = st.one_of(
    st.tuples(st.just("look"), ages, stalls), st.sampled_from(["recycled", "answered", "recovery_failed"])
)


@given(st.lists(happenings, max_size=40))
def test_the_oracle_and_the_grade_machine_never_differ(story: list[object]) -> None:
    oracle, grading = Oracle(), Grading()
    for happening in story:
        match happening:
            case ("look", list() as seen, float() as stall):
                stall = stall if seen else 0.0  # without a live match nothing can stall
                oracle.look(Look(seen, seen, stall, stall))
                grading = grading.evaluated(Reading(freshness_of(seen), stall))
            case "answered":
                oracle.answered(surely=True)
                grading = grading.succeeded()
            case str() as name:
                getattr(oracle, name)()
                grading = getattr(grading, name)()

        assert oracle.grades == {grading.grade.value}


def test_near_a_limit_both_grades_are_possible_until_one_is_seen() -> None:
    oracle = Oracle()

    oracle.look(Look([58.0], [62.0]))
    possible = set(oracle.grades)

    assert possible == {"healthy", "degraded"}
    assert oracle.agrees("degraded") and oracle.grades == {"degraded"}
    assert not oracle.agrees("failing")


def test_an_answer_of_this_moment_may_not_be_known_yet() -> None:
    oracle = Oracle({("recovering", 0)})

    oracle.answered(surely=False)

    assert oracle.grades == {"recovering", "healthy"}


@pytest.mark.parametrize(("share", "expected"), [(0.5, 2.0), (0.95, 4.0), (0.0, 1.0)])
def test_a_share_is_a_value_that_was_seen(share: float, expected: float) -> None:
    assert share_of([4.0, 1.0, 3.0, 2.0], share) == expected


def test_one_peak_makes_no_slope_and_growth_does() -> None:
    flat = [(float(second), 100.0) for second in range(0, 600, 5)]

    assert slope_per_minute([*flat[:60], (302.5, 900.0), *flat[60:]]) == 0.0
    assert slope_per_minute([(at, 100 + at / 60) for at, _ in flat]) == pytest.approx(1.0)
