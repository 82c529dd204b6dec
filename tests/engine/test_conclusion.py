"""What a run amounts to."""

from __future__ import annotations

import pytest

from limpet.engine.conclusion import conclude, exit_code, is_unfinished
from limpet.target.outcome import RunState


@pytest.mark.parametrize(
    ("counts", "state", "code"),
    [
        ({"succeeded": 10}, RunState.COMPLETED, 0),
        ({"succeeded": 10, "no_record": 3, "skipped": 2}, RunState.COMPLETED, 0),
        ({"succeeded": 9, "failed": 1}, RunState.COMPLETED, 1),
        ({"succeeded": 4, "failed": 6}, RunState.FAILED, 1),
        ({"failed": 1}, RunState.FAILED, 1),
        ({"succeeded": 1, "quarantined": 2}, RunState.QUARANTINED, 1),
        ({"skipped": 5}, RunState.COMPLETED, 0),
        ({"failed": 1, "skipped": 100}, RunState.FAILED, 1),
    ],
)
def test_a_run_that_gave_only_trouble_is_not_called_completed(
    counts: dict[str, int], state: RunState, code: int
) -> None:
    assert conclude(counts) is state
    assert exit_code(state, counts) == code


def test_a_run_with_open_targets_is_unfinished_and_never_exits_zero() -> None:
    counts = {"succeeded": 5, "pending": 1}

    assert is_unfinished(counts)
    assert exit_code(RunState.RUNNING, counts) == 1
