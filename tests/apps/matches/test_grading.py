"""The grade machine, transition by transition, and the verdict on recoveries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from limpet.apps.matches.grading import TRANSITIONS, Grading, HealthGrade, Reading, freshness_of, quantile
from limpet.apps.matches.recovery import (
    KEPT,
    RecoveryAction,
    RecoveryAuditEntry,
    RecoveryLog,
    RecoveryOutcome,
)

G = HealthGrade
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
FRESH, SLOW, DEAD, STALLED, IDLE = (
    Reading(freshness_of([1.0, 2.0, 59.9])),
    Reading(freshness_of([61.0, 62.0])),
    Reading(freshness_of([121.0, 130.0])),
    Reading(freshness_of([10.0]), stall_seconds=90.0),
    Reading(),
)
ONE_OF_MANY = Reading(freshness_of([1.0] * 39 + [120.0]))


@pytest.mark.parametrize(
    ("before", "reading", "after"),
    [
        (G.HEALTHY, FRESH, G.HEALTHY),
        (G.HEALTHY, IDLE, G.HEALTHY),
        (G.HEALTHY, SLOW, G.DEGRADED),
        (G.HEALTHY, DEAD, G.DEGRADED),  # never straight to failing
        (G.HEALTHY, ONE_OF_MANY, G.DEGRADED),
        (G.DEGRADED, SLOW, G.DEGRADED),
        (G.DEGRADED, DEAD, G.FAILING),
        (G.DEGRADED, STALLED, G.FAILING),
        (G.DEGRADED, FRESH, G.DEGRADED),  # one good interval is not two
        (G.FAILING, DEAD, G.FAILING),
        (G.FAILING, SLOW, G.DEGRADED),
        (G.FAILING, FRESH, G.DEGRADED),  # never straight to healthy
        (G.RECOVERING, DEAD, G.RECOVERING),
        (G.RECOVERING, FRESH, G.RECOVERING),  # only a success of its own ends it
    ],
)
def test_one_evaluation_makes_one_step(before: HealthGrade, reading: Reading, after: HealthGrade) -> None:
    assert Grading(before).evaluated(reading).grade is after


@pytest.mark.parametrize(("seconds", "grade"), [(59.999, G.HEALTHY), (60.0, G.DEGRADED), (119.0, G.DEGRADED)])
def test_the_limit_itself_is_too_much(seconds: float, grade: HealthGrade) -> None:
    assert Grading().evaluated(Reading(freshness_of([seconds] * 3))).grade is grade


def test_two_good_intervals_in_a_row_make_healthy() -> None:
    grading = Grading(G.DEGRADED)

    seen = [(grading := grading.evaluated(each)).grade for each in (FRESH, SLOW, FRESH, FRESH)]

    assert seen == [G.DEGRADED, G.DEGRADED, G.DEGRADED, G.HEALTHY]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (G.HEALTHY, G.HEALTHY),
        (G.DEGRADED, G.DEGRADED),
        (G.FAILING, G.RECOVERING),
        (G.RECOVERING, G.RECOVERING),
    ],
)
def test_a_recycle_turns_only_failing_into_recovering(before: HealthGrade, after: HealthGrade) -> None:
    assert Grading(before).recycled().grade is after


def test_the_first_success_ends_the_recovery() -> None:
    assert Grading(G.RECOVERING).succeeded().grade is G.HEALTHY
    assert Grading(G.FAILING).succeeded().grade is G.FAILING


def test_a_recovery_that_failed_is_failing_again() -> None:
    assert Grading(G.RECOVERING).recovery_failed().grade is G.FAILING


@pytest.mark.parametrize("before", list(G))
def test_a_step_that_must_not_happen_is_refused(before: HealthGrade) -> None:
    for after in set(G) - TRANSITIONS[before]:
        with pytest.raises(ValueError, match="does not lead to"):
            Grading(before)._become(after)


class GradeLife(RuleBasedStateMachine):
    """Whatever is read and done in whatever order, only steps of the table happen."""

    def __init__(self) -> None:
        super().__init__()
        self.grading = self.before = Grading()

    def step(self, after: Grading) -> None:
        self.before, self.grading = self.grading, after

    @rule(ages=st.lists(st.floats(0, 300), max_size=6), stall=st.floats(0, 200))
    def evaluate(self, ages: list[float], stall: float) -> None:
        self.step(self.grading.evaluated(Reading(freshness_of(ages), stall)))

    @rule(what=st.sampled_from(["recycled", "succeeded", "recovery_failed"]))
    def happen(self, what: str) -> None:
        self.step(getattr(self.grading, what)())

    @invariant()
    def only_known_steps(self) -> None:
        before, after = self.before.grade, self.grading.grade
        assert after is before or after in TRANSITIONS[before]


GradeLife.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestGradeLife = GradeLife.TestCase


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([], 0.5, 0.0),
        ([3.0], 0.95, 3.0),
        ([1.0, 2.0, 3.0], 0.5, 2.0),
        ([float(n) for n in range(1, 101)], 0.95, 95.0),
    ],
)
def test_a_quantile_is_a_value_that_was_seen(values: list[float], share: float, expected: float) -> None:
    assert quantile(values, share) == expected


# -- recoveries --------------------------------------------------------------------------------------------


def entry(at: float = 0.0) -> RecoveryAuditEntry:
    return RecoveryAuditEntry(NOON, RecoveryAction.SOFT_RESTART, "stall >= 90 s", begun_at=at)


def judge(
    log: RecoveryLog, grade: HealthGrade, *, at: float, success: float | None = None
) -> list[RecoveryOutcome | None]:
    judged = log.judge(grade, has_succeeded_since=success, now=NOON + timedelta(seconds=at), monotonic=at)
    return [each.outcome for each in judged]


def test_a_recovery_is_a_success_as_soon_as_it_is() -> None:
    log = RecoveryLog()
    log.begin(entry())

    assert judge(log, G.HEALTHY, at=5) == []  # healthy, but nothing was fetched since
    assert judge(log, G.HEALTHY, at=9, success=8) == [RecoveryOutcome.SUCCESS]
    assert judge(log, G.HEALTHY, at=200, success=8) == []
    assert log.entries[0].outcome is RecoveryOutcome.SUCCESS


@pytest.mark.parametrize(
    ("grade", "outcome"),
    [
        (G.HEALTHY, RecoveryOutcome.SUCCESS),
        (G.DEGRADED, RecoveryOutcome.PARTIAL),
        (G.FAILING, RecoveryOutcome.FAILED),
        (G.RECOVERING, RecoveryOutcome.FAILED),
    ],
)
def test_after_two_minutes_the_grade_decides(grade: HealthGrade, outcome: RecoveryOutcome) -> None:
    log = RecoveryLog()
    log.begin(entry())

    assert judge(log, grade, at=119.9) == []
    assert judge(log, grade, at=120.0) == [outcome]


def test_the_log_keeps_the_last_two_hundred() -> None:
    log = RecoveryLog()
    for number in range(KEPT + 5):
        log.begin(entry(float(number)))

    assert len(log.entries) == KEPT
    assert log.recent(1)[0].begun_at == KEPT + 4
    assert len(judge(log, G.DEGRADED, at=10_000)) == KEPT + 5
