"""The life of a match: every step that may happen, none that may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from limpet.apps.matches.lifecycle import (
    ARCHIVE_AFTER,
    COOL_DOWN,
    TRANSITIONS,
    ForbiddenTransition,
    MatchMonitoringRecord,
    MatchPriority,
    MatchState,
    overall,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
S = MatchState
Record = MatchMonitoringRecord


def record(state: MatchState = S.DISCOVERED, **more: object) -> Record:
    made = replace(Record("crex:RE0", "crex", NOON), state=state, paused=state is S.PAUSED, **more)
    return replace(made, completed_at=NOON) if state in (S.COMPLETED, S.ARCHIVED) else made


def failing(count: int) -> Callable[[Record], Record]:
    def fail(before: Record) -> Record:
        for _ in range(count):
            before = before.failed(NOON)
        return before

    return fail


STEPS: list[tuple[str, MatchState, Callable[[Record], Record], MatchState]] = [
    ("first success", S.DISCOVERED, lambda r: r.succeeded(NOON, is_over=False), S.ACTIVE),
    ("already over", S.DISCOVERED, lambda r: r.succeeded(NOON, is_over=True), S.COMPLETED),
    ("four failures", S.ACTIVE, failing(4), S.ACTIVE),
    ("five failures", S.ACTIVE, failing(5), S.PAUSED),
    ("never answered", S.DISCOVERED, failing(5), S.PAUSED),
    (
        "success after the pause",
        S.PAUSED,
        lambda r: r.resumed_by_hand(NOON).succeeded(NOON, is_over=False),
        S.ACTIVE,
    ),
    ("failure after the pause", S.PAUSED, failing(1), S.PAUSED),
    ("finished while paused", S.PAUSED, lambda r: r.succeeded(NOON, is_over=True), S.COMPLETED),
    ("finished", S.ACTIVE, lambda r: r.succeeded(NOON, is_over=True), S.COMPLETED),
    ("absent once", S.ACTIVE, lambda r: r.absent(NOON, is_playing=False), S.ACTIVE),
    (
        "absent twice",
        S.ACTIVE,
        lambda r: r.absent(NOON, is_playing=False).absent(NOON, is_playing=False),
        S.COMPLETED,
    ),
    (
        "absent, back, absent",
        S.ACTIVE,
        lambda r: (
            r.absent(NOON, is_playing=False).listed(is_over=False, now=NOON).absent(NOON, is_playing=False)
        ),
        S.ACTIVE,
    ),
    (
        "forgotten by the list but seen in play",
        S.ACTIVE,
        lambda r: r.absent(NOON, is_playing=True).absent(NOON, is_playing=True),
        S.ACTIVE,
    ),
    ("back after stumps", S.COMPLETED, lambda r: r.listed(is_over=False, now=NOON), S.ACTIVE),
    ("listed with its result", S.COMPLETED, lambda r: r.listed(is_over=True, now=NOON), S.COMPLETED),
    ("seen in play", S.COMPLETED, lambda r: r.succeeded(NOON, is_over=False, is_playing=True), S.ACTIVE),
    ("still at stumps", S.COMPLETED, lambda r: r.succeeded(NOON, is_over=False), S.COMPLETED),
    ("failures after the end", S.COMPLETED, failing(9), S.COMPLETED),
    ("a day later", S.COMPLETED, lambda r: r.aged(NOON + ARCHIVE_AFTER), S.ARCHIVED),
    (
        "a little less than a day later",
        S.COMPLETED,
        lambda r: r.aged(NOON + ARCHIVE_AFTER - timedelta(seconds=1)),
        S.COMPLETED,
    ),
    ("active for days", S.ACTIVE, lambda r: r.aged(NOON + 5 * ARCHIVE_AFTER), S.ACTIVE),
    ("back from the archive", S.ARCHIVED, lambda r: r.listed(is_over=False, now=NOON), S.ACTIVE),
    ("paused by hand", S.ACTIVE, Record.paused_by_hand, S.PAUSED),
    ("an ended match cannot be paused", S.COMPLETED, Record.paused_by_hand, S.COMPLETED),
    ("resumed by hand, not yet answered", S.PAUSED, lambda r: r.resumed_by_hand(NOON), S.PAUSED),
]


@pytest.mark.parametrize(("name", "before", "step", "after"), STEPS, ids=[step[0] for step in STEPS])
def test_a_match_goes_where_its_life_leads(
    name: str, before: MatchState, step: Callable[[Record], Record], after: MatchState
) -> None:
    assert step(record(before)).state is after


def test_a_pause_ends_after_its_cool_down_and_a_failure_begins_another() -> None:
    paused = failing(5)(record(S.ACTIVE))

    later = NOON + COOL_DOWN
    again = paused.failed(later)

    assert not paused.may_be_asked(later - timedelta(seconds=1))
    assert paused.may_be_asked(later)
    assert not again.may_be_asked(later + COOL_DOWN - timedelta(seconds=1))
    assert again.may_be_asked(later + COOL_DOWN)


def test_a_pause_by_hand_lasts_until_it_is_resumed() -> None:
    paused = record(S.ACTIVE).paused_by_hand()

    assert not paused.may_be_asked(NOON + timedelta(days=9))
    assert paused.resumed_by_hand(NOON).may_be_asked(NOON)


def test_a_late_answer_does_not_end_a_pause_that_holds() -> None:
    paused = record(S.ACTIVE).paused_by_hand()

    late = paused.succeeded(NOON, is_over=False, is_playing=True)

    assert (late.state, late.paused, late.last_update_time) == (S.PAUSED, True, NOON)
    assert late.succeeded(NOON, is_over=True).state is S.COMPLETED
    assert late.resumed_by_hand(NOON).succeeded(NOON, is_over=False).state is S.ACTIVE


def test_success_forgets_earlier_failures() -> None:
    after = failing(4)(record(S.ACTIVE)).succeeded(NOON, is_over=False)

    assert (after.consecutive_failure_count, after.total_failures, after.total_scrapes) == (0, 4, 5)


def test_what_has_ended_is_asked_as_completed_and_what_comes_back_as_live() -> None:
    ended = record(S.ACTIVE).succeeded(NOON, is_over=True)

    assert ended.priority_state is MatchPriority.COMPLETED
    assert ended.listed(is_over=False, now=NOON).priority_state is MatchPriority.LIVE


def test_a_match_stands_as_well_as_at_its_best_source() -> None:
    assert overall({S.PAUSED, S.ACTIVE}) is S.ACTIVE
    assert overall({S.PAUSED, S.COMPLETED}) is S.PAUSED
    assert overall({S.COMPLETED, S.ARCHIVED}) is S.COMPLETED


@pytest.mark.parametrize(
    ("before", "after"),
    [(before, after) for before in S for after in S if after not in TRANSITIONS[before]],
)
def test_a_step_that_must_not_happen_is_refused(before: MatchState, after: MatchState) -> None:
    with pytest.raises(ForbiddenTransition):
        record(before)._become(after)


class MatchLife(RuleBasedStateMachine):
    """Whatever happens in whatever order, only steps of the table happen."""

    def __init__(self) -> None:
        super().__init__()
        self.record = record()
        self.before = self.record
        self.now = NOON

    def step(self, after: Record) -> None:
        self.before, self.record = self.record, after

    @rule(is_over=st.booleans(), is_playing=st.booleans())
    def succeed(self, is_over: bool, is_playing: bool) -> None:
        self.step(self.record.succeeded(self.now, is_over=is_over, is_playing=is_playing and not is_over))

    @rule()
    def fail(self) -> None:
        self.step(self.record.failed(self.now))

    @rule(is_over=st.booleans())
    def be_listed(self, is_over: bool) -> None:
        self.step(self.record.listed(is_over=is_over, now=self.now))

    @rule(is_playing=st.booleans())
    def be_absent(self, is_playing: bool) -> None:
        self.step(self.record.absent(self.now, is_playing=is_playing))

    @rule(hours=st.integers(0, 30))
    def age(self, hours: int) -> None:
        self.now += timedelta(hours=hours)
        self.step(self.record.aged(self.now))

    @rule()
    def pause(self) -> None:
        self.step(self.record.paused_by_hand())

    @rule()
    def resume(self) -> None:
        self.step(self.record.resumed_by_hand(self.now))

    @invariant()
    def only_known_steps(self) -> None:
        before, after = self.before.state, self.record.state
        assert after is before or after in TRANSITIONS[before]

    @invariant()
    def paused_means_paused(self) -> None:
        assert self.record.paused is (self.record.state is S.PAUSED)
        assert self.record.pause_until is None or self.record.paused

    @invariant()
    def counts_add_up(self) -> None:
        assert 0 <= self.record.consecutive_failure_count <= self.record.total_failures
        assert self.record.total_failures <= self.record.total_scrapes

    @invariant()
    def an_end_has_its_moment(self) -> None:
        assert (self.record.completed_at is not None) is (self.record.state in (S.COMPLETED, S.ARCHIVED))


MatchLife.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestMatchLife = MatchLife.TestCase
