"""When a browser has served long enough."""

from __future__ import annotations

import pytest

from limpet.fetch.browser.process_tree import TreeSize
from limpet.fetch.browser.recycling import PoolLimits, Reason, Wear, is_too_heavy, reason_to_recycle

SIX_HOURS = 6 * 3600.0


def worn(*, age: float = 0, tasks: int = 0, pids: int = 60, memory: int = 300_000_000) -> Wear:
    return Wear(age, tasks, TreeSize(processes=6, pids=pids, memory_bytes=memory))


@pytest.mark.parametrize(
    ("wear", "reason"),
    [
        (worn(), None),
        (worn(age=SIX_HOURS - 1, tasks=9_999, pids=199, memory=1_499_999_999), None),
        (worn(age=SIX_HOURS), Reason.AGE),
        (worn(tasks=10_000), Reason.TASKS),
        (worn(pids=200), Reason.PIDS),
        (worn(memory=1_500_000_000), Reason.MEMORY),
    ],
)
def test_a_browser_is_replaced_at_its_limits(wear: Wear, reason: Reason | None) -> None:
    assert reason_to_recycle(wear, PoolLimits()) == reason


@pytest.mark.parametrize(("memory", "is_heavy"), [(1_999_999_999, False), (2_000_000_000, True)])
def test_a_browser_is_killed_at_its_hard_limit(memory: int, is_heavy: bool) -> None:
    assert is_too_heavy(worn(memory=memory), PoolLimits()) is is_heavy
