"""One word on a run, and the numbers it rests on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from limpet.apps.judgments.coverage import Plan, measure
from limpet.record.entry import Run
from limpet.target import JobState
from limpet.target.outcome import Mode, RunState, Trigger

NOW = datetime(2025, 11, 20, tzinfo=UTC)
INDEX = Plan(cases_total=120, cases_criminal=20, cases_downloaded=0)


def run(*, state: str = "completed", mode: str = "full", error: str | None = None, **counts: int) -> Run:
    found = dict.fromkeys((each.value for each in JobState), 0) | counts
    return Run(
        id=1,
        app="judgments",
        source_id="court",
        trigger=Trigger.CLI,
        mode=Mode(mode),
        state=RunState(state),
        planned=sum(found.values()),
        started_at=NOW,
        ended_at=None if state == "running" else NOW,
        dry_run=False,
        error_code=None,
        error_message=error,
        params={},
        counts=found,
    )


@pytest.mark.parametrize(
    ("plan", "state", "verdict", "because"),
    [
        (Plan(cases_total=120, cases_downloaded=1), "completed", "ok", "stored already"),
        (Plan(cases_total=120, cases_criminal=1), "completed", "suspicious", "criminal, and left out"),
        (Plan(cases_total=120, cases_downloaded=1), "failed", "failed", "ended as failed"),
    ],
)
def test_a_run_over_single_tokens_is_judged_by_these_alone(
    plan: Plan, state: str, verdict: str, because: str
) -> None:
    found = measure(replace(run(state=state), params={"tokens": ["FSD1"]}), plan)

    assert found.verdict == verdict
    assert because in found.because


def having(stored: int, **more: object) -> Plan:
    return Plan(cases_total=120, cases_criminal=20, cases_downloaded=stored, **more)


@pytest.mark.parametrize(
    ("made", "plan", "verdict"),
    [
        (run(succeeded=100), INDEX, "ok"),
        (run(succeeded=96, skipped=4), INDEX, "ok"),
        (run(succeeded=99, failed=1), INDEX, "partial"),
        (run(succeeded=97, no_record=3), INDEX, "partial"),
        (run(succeeded=60, failed=40), INDEX, "partial"),
        (run(succeeded=20, failed=80), INDEX, "partial"),
        (run(succeeded=5, failed=95), INDEX, "failed"),
        (run(failed=100), INDEX, "failed"),
        (run(skipped=100), INDEX, "suspicious"),
        (run(state="aborted", succeeded=50, pending=50), INDEX, "partial"),
        (run(state="aborted", pending=100), INDEX, "suspicious"),
        (run(state="running", succeeded=5, pending=5), INDEX, "running"),
        (run(state="failed", error="No index."), None, "failed"),
        (run(mode="new"), having(100), "ok"),
        (run(mode="new"), having(40), "ok"),
        (run(mode="full"), having(100), "ok"),
        (run(mode="full"), having(40), "suspicious"),
        (run(mode="new"), having(0), "suspicious"),
        (run(mode="new"), Plan(cases_total=20, cases_criminal=20), "suspicious"),
        (run(state="failed"), having(100), "failed"),
        (run(succeeded=100), having(0, is_fallback=True), "partial"),
        (run(mode="new"), having(100, is_fallback=True), "partial"),
    ],
)
def test_a_run_comes_to_one_word_and_a_reason(made, plan, verdict) -> None:
    found = measure(made, plan)

    assert found.verdict == verdict, found.because
    assert found.because.endswith(".")


def test_the_numbers_add_up() -> None:
    found = measure(run(succeeded=70, failed=10, dropped=5, skipped=10, pending=5), INDEX)

    assert (found.planned, found.attempted, found.downloaded, found.failed, found.skipped) == (
        100,
        85,
        70,
        15,
        10,
    )
    assert found.ratio == round(70 / 90, 4)
    assert found.cases_total == 120
