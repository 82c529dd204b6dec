"""One breaker, moment by moment."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.fetch.policy.breaker import Breaker, BreakerTerms

NOW = 1_790_000_000.0


def opened(name: str = "site:example.com") -> Breaker:
    breaker = Breaker(name)
    for _ in range(5):
        breaker = breaker.failed(NOW)
    return breaker


def probing() -> Breaker:
    breaker, wait = opened().check(NOW + 60)
    assert wait is None
    return breaker


def test_it_opens_after_five_failures_in_a_row() -> None:
    states = []
    breaker = Breaker("browser")
    for _ in range(5):
        breaker = breaker.failed(NOW)
        states.append(breaker.state)

    assert states == ["closed"] * 4 + ["open"]


def test_a_success_between_failures_keeps_it_closed() -> None:
    breaker = Breaker("browser")
    for _ in range(20):
        breaker = breaker.failed(NOW).failed(NOW).failed(NOW).failed(NOW).succeeded(NOW)

    assert breaker.state == "closed" and breaker.is_calm


def test_an_open_breaker_refuses_counts_it_and_says_how_long() -> None:
    breaker, wait = opened().check(NOW + 20)

    assert wait == 40
    assert (breaker.total_rejections, breaker.total_failures) == (1, 5)


def test_it_lets_one_call_through_after_its_rest() -> None:
    breaker, first = opened().check(NOW + 60)
    breaker, second = breaker.check(NOW + 60.1)

    assert breaker.state == "half_open"
    assert first is None and second is not None and second > 0


def test_each_success_lets_the_next_probe_through_and_the_fifth_closes() -> None:
    breaker = probing()
    for _ in range(4):
        breaker, wait = breaker.succeeded(NOW + 61).check(NOW + 61)
        assert (breaker.state, wait) == ("half_open", None)

    assert breaker.succeeded(NOW + 62).state == "closed"


def test_one_failed_probe_opens_it_for_a_whole_rest_again() -> None:
    breaker, wait = probing().failed(NOW + 65).check(NOW + 66)

    assert (breaker.state, wait) == ("open", 59)


def test_an_abandoned_probe_makes_room_for_the_next_without_a_verdict() -> None:
    breaker, wait = probing().abandoned(NOW + 61).check(NOW + 61)

    assert (breaker.state, wait, breaker.success_count) == ("half_open", None, 0)


def test_a_probe_lost_with_its_process_does_not_wedge_it() -> None:
    breaker = probing()

    _, soon = breaker.check(NOW + 60 + 119)
    _, later = breaker.check(NOW + 60 + 120)

    assert soon is not None
    assert later is None


def test_calls_from_before_it_opened_change_only_totals() -> None:
    breaker = opened().succeeded(NOW + 1).failed(NOW + 50)

    assert (breaker.state, breaker.changed_at, breaker.total_calls) == ("open", NOW, 7)


def test_a_clock_set_back_does_not_keep_it_open() -> None:
    _, wait = opened().check(NOW - 86_400)

    assert wait is None


def test_its_dict_has_the_fields_monitoring_knows() -> None:
    shown = opened("push:sns").check(NOW + 1)[0].to_dict()

    assert shown == {
        "name": "push:sns",
        "state": "open",
        "failure_count": 5,
        "success_count": 0,
        "total_calls": 5,
        "total_successes": 0,
        "total_failures": 5,
        "total_rejections": 1,
        "last_state_change": "2026-09-21T14:13:20+00:00",
    }


@given(
    st.lists(st.tuples(st.sampled_from(["check", "succeeded", "failed", "abandoned"]), st.floats(0, 100))),
    st.builds(BreakerTerms, st.integers(1, 5), st.floats(1, 90), st.integers(1, 5), st.floats(1, 90)),
)
def test_whatever_happens_it_never_wedges_and_never_lets_two_probe(
    story: list[tuple[str, float]], terms: BreakerTerms
) -> None:
    breaker, now, probe_until = Breaker("any", terms=terms), NOW, 0.0
    for what, seconds in story:
        now += seconds
        if what != "check":
            breaker, probe_until = getattr(breaker, what)(now), 0.0
            continue
        was_closed = breaker.state == "closed"
        breaker, wait = breaker.check(now)
        if wait is None and not was_closed:
            assert now >= probe_until
            probe_until = now + terms.probe_patience_seconds

    _, wait = breaker.check(now + terms.rest_seconds + terms.probe_patience_seconds)
    assert wait is None


@pytest.mark.parametrize("name", ["closed", "open", "half_open"])
def test_totals_balance_in_every_state(name: str) -> None:
    breaker = {"closed": Breaker("x"), "open": opened(), "half_open": probing()}[name]

    after = breaker.succeeded(NOW + 61).failed(NOW + 61).with_successes(3)

    assert after.total_calls - breaker.total_calls == 5
