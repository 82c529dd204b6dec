"""What a run amounts to once nothing of it is left to walk."""

from __future__ import annotations

from collections.abc import Mapping

from limpet.target import JobState
from limpet.target.outcome import RunState

_MOST_FAILURES = 0.5


def conclude(counts: Mapping[str, int]) -> RunState:
    """Return the run's final state; a run that produced nothing but trouble is never `completed`."""
    succeeded = counts.get(JobState.SUCCEEDED, 0)
    quarantined = counts.get(JobState.QUARANTINED, 0)
    failed = counts.get(JobState.FAILED, 0)
    tried = sum(counts.get(state, 0) for state in JobState) - counts.get(JobState.SKIPPED, 0)
    if tried and failed / tried > _MOST_FAILURES:
        return RunState.FAILED
    if quarantined and quarantined >= succeeded:
        return RunState.QUARANTINED
    return RunState.COMPLETED


def is_unfinished(counts: Mapping[str, int]) -> bool:
    """Whether any target of the run still waits for its word."""
    return bool(counts.get(JobState.PENDING, 0) or counts.get(JobState.RUNNING, 0))


def exit_code(state: RunState, counts: Mapping[str, int]) -> int:
    """Return what a command that ran this should exit with: zero only when nothing failed or was left."""
    if state is not RunState.COMPLETED or is_unfinished(counts):
        return 1
    return 1 if counts.get(JobState.FAILED, 0) else 0
