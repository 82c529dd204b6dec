"""One breaker, moment by moment."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

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


# -- its whole life ----------------------------------------------------------------------------------------

STEPS = {"closed": {"open"}, "open": {"half_open"}, "half_open": {"open", "closed"}}
TERMS = BreakerTerms(failure_threshold=2, rest_seconds=60.0, success_threshold=2, probe_patience_seconds=30.0)


class BreakerLife(RuleBasedStateMachine):
    """Calls come, end well, end badly or are forgotten, in any order; beside it a plain count of what must be."""

    def __init__(self) -> None:
        super().__init__()
        self.breaker = Breaker("any", terms=TERMS)
        self.now = NOW
        self.failures_in_a_row = self.probes_in_a_row = 0
        self.opened_at = self.probe_until = 0.0
        self.inside = self.refused = 0

    def become(self, after: Breaker) -> None:
        before = self.breaker.state
        assert after.state == before or after.state in STEPS[before], (before, after.state)
        if after.state == "open" and before != "open":
            self.opened_at = self.now
        if after.state != before:
            self.probes_in_a_row = 0
        self.breaker = after

    @rule(seconds=st.sampled_from([0.0, 1.0, 29.9, 30.0, 55.0, 60.0, 90.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def a_call_asks(self) -> None:
        before = self.breaker.state
        after, wait = self.breaker.check(self.now)
        has_rested = self.now - self.opened_at >= TERMS.rest_seconds - 0.001
        is_free = self.now >= self.probe_until - 0.001
        if wait is None and before == "open":
            assert has_rested, "nobody passes before the rest is over"
        if wait is None and before == "half_open":
            assert is_free, "one probe at a time"
        if wait is None and before != "closed":
            self.probe_until = self.now + TERMS.probe_patience_seconds
        self.inside += wait is None
        self.refused += wait is not None
        self.become(after)

    @precondition(lambda self: self.inside)
    @rule(how=st.sampled_from(["succeeded", "failed", "abandoned"]))
    def a_call_ends(self, how: str) -> None:
        before, self.inside = self.breaker.state, self.inside - 1
        self.failures_in_a_row = 0 if how == "succeeded" else self.failures_in_a_row + (how == "failed")
        self.probes_in_a_row += before == "half_open" and how == "succeeded"
        probes = self.probes_in_a_row
        self.probe_until = 0.0
        self.become(getattr(self.breaker, how)(self.now))
        if before == "closed":
            is_too_much = how == "failed" and self.failures_in_a_row >= TERMS.failure_threshold
            assert (self.breaker.state == "open") is is_too_much
        elif before == "open":
            assert self.breaker.state == "open", "a call from before says nothing"
        elif how == "failed":
            assert self.breaker.state == "open"
        else:
            assert (self.breaker.state == "closed") is (probes >= TERMS.success_threshold)
        if self.breaker.state != before:
            self.failures_in_a_row = 0

    @invariant()
    def what_is_counted_is_what_happened(self) -> None:
        assert self.breaker.total_rejections == self.refused
        assert self.breaker.total_calls == self.breaker.total_successes + self.breaker.total_failures

    @invariant()
    def it_is_never_stuck(self) -> None:
        later = self.now + TERMS.rest_seconds + TERMS.probe_patience_seconds
        assert self.breaker.check(later)[1] is None


BreakerLife.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestBreakerLife = BreakerLife.TestCase
