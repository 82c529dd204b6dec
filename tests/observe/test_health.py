"""The grade, and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from limpet.observe.freshness import Clocks
from limpet.observe.health import Disk, Grade, assess, judge_run
from limpet.observe.standing import Gate, Standing
from limpet.observe.tallies import RunTally
from limpet.source import Source
from limpet.target.outcome import RunState

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def tally(
    run_id: int = 1, state: RunState = RunState.COMPLETED, *, exempt: int = 0, **counts: int
) -> RunTally:
    return RunTally(run_id, state, NOW, counts, exempt)


def standing(
    *recent: RunTally,
    source_id: str = "shop",
    gate: Gate | None = None,
    fetched: float | None = 5,
    schedule: str | None = None,
) -> Standing:
    source = Source(id=source_id, app="prices", site="woo", hosts=("shop.test",), schedule=schedule)
    fetched_at = None if fetched is None else NOW - timedelta(seconds=fetched)
    return Standing(source, gate or Gate(), Clocks(fetched_at, fetched_at, fetched_at), recent, targets=10)


@pytest.mark.parametrize(
    ("run", "grade"),
    [
        (tally(succeeded=100), Grade.HEALTHY),
        (tally(succeeded=95, failed=5), Grade.HEALTHY),
        (tally(succeeded=85, failed=15), Grade.DEGRADED),
        (tally(succeeded=40, failed=60), Grade.FAILING),
        (tally(state=RunState.FAILED, succeeded=60, failed=40), Grade.FAILING),
        (tally(state=RunState.QUARANTINED, succeeded=99, quarantined=1), Grade.DEGRADED),
        (tally(state=RunState.ABORTED, succeeded=10), Grade.DEGRADED),
        (tally(quarantined=10), Grade.FAILING),
        (tally(skipped=10), Grade.DEGRADED),
        (tally(no_record=10), Grade.HEALTHY),
        (tally(succeeded=50, dropped=50, exempt=50), Grade.HEALTHY),
        (tally(dropped=10, exempt=10), Grade.HEALTHY),
        (tally(succeeded=50, dropped=50), Grade.DEGRADED),
        (tally(), Grade.HEALTHY),
    ],
)
def test_run_is_graded_by_what_it_yielded(run: RunTally, grade: Grade) -> None:
    assert judge_run(run)[0] is grade


def test_nothing_watched_is_healthy_and_idle() -> None:
    health = assess([], now=NOW)

    assert (health.grade, health.is_idle, list(health.findings)) == (Grade.HEALTHY, True, [])


def test_all_well_is_healthy_without_a_word() -> None:
    health = assess([standing(tally(2, succeeded=9), tally(1, succeeded=9))], now=NOW)

    assert (health.grade, health.is_idle, list(health.findings)) == (Grade.HEALTHY, False, [])


def test_shut_gate_degrades_and_says_its_reason_and_fix() -> None:
    shut = standing(gate=Gate(False, "It is switched off: no browser.", "run `make browser`"))

    health = assess([shut], now=NOW)

    assert health.grade is Grade.DEGRADED
    assert (health.findings[0].sentence, health.findings[0].fix) == (
        "It is switched off: no browser.",
        "run `make browser`",
    )


def test_one_good_run_after_trouble_is_only_recovering() -> None:
    health = assess([standing(tally(2, succeeded=9), tally(1, failed=9))], now=NOW)

    assert health.grade is Grade.RECOVERING
    assert health.findings[0].run_id == 2


def test_one_failing_source_of_many_degrades_the_whole() -> None:
    well = [standing(tally(succeeded=9), source_id=f"s{number}") for number in range(3)]

    health = assess([*well, standing(tally(failed=9), source_id="bad")], now=NOW)

    assert health.grade is Grade.DEGRADED
    assert health.of("bad") is Grade.FAILING
    assert health.of("s1") is Grade.HEALTHY


def test_half_of_the_sources_failing_fails_the_whole() -> None:
    health = assess([standing(tally(failed=9)), standing(tally(succeeded=9), source_id="well")], now=NOW)

    assert health.grade is Grade.FAILING


@pytest.mark.parametrize(
    ("fetched", "grade"),
    [
        (3_500, Grade.HEALTHY),
        (7_000, Grade.HEALTHY),
        (7_400, Grade.DEGRADED),
        (15_000, Grade.FAILING),
        (None, Grade.HEALTHY),
    ],
)
def test_late_page_is_noticed_by_the_fetch_clock(fetched: float | None, grade: Grade) -> None:
    hourly = standing(tally(succeeded=9), fetched=fetched, schedule="0 * * * *")

    assert assess([hourly], now=NOW).of("shop") is grade


def test_source_without_a_schedule_is_never_late() -> None:
    assert assess([standing(tally(succeeded=9), fetched=9e6)], now=NOW).grade is Grade.HEALTHY


@pytest.mark.parametrize(
    ("free", "grade"), [(99, Grade.FAILING), (150, Grade.DEGRADED), (250, Grade.HEALTHY)]
)
def test_disk_is_watched_before_it_is_full(free: int, grade: Grade) -> None:
    well = [standing(tally(succeeded=9))]

    assert assess(well, now=NOW, disk=Disk(free, 1_000, 100)).grade is grade


def test_worst_finding_comes_first() -> None:
    health = assess(
        [standing(tally(succeeded=8, failed=2), source_id="a"), standing(tally(failed=9), source_id="b")],
        now=NOW,
    )

    assert [finding.subject for finding in health.findings] == ["b", "a"]
