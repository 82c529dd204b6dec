"""One scrape as a task: waiting, under way, and how it ended. Three tries, then it is left for the next beat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import Any
from uuid import uuid4

import orjson

from limpet.apps.matches.lifecycle import MatchPriority

MAX_ATTEMPTS = 3
BACKOFF_SECONDS = (0.0, 2.0, 4.0)  # before the first, second and third try, each with as much jitter again


class TaskState(StrEnum):
    """How far a task has come."""

    PENDING = "pending"
    EXECUTING = "executing"
    SUCCESS = "success"
    FAILED = "failed"
    ABANDONED = "abandoned"


T = TaskState
TRANSITIONS: Mapping[TaskState, frozenset[TaskState]] = {
    # Back to pending: our own gate was shut, so nothing was tried.
    T.PENDING: frozenset({T.EXECUTING}),
    T.EXECUTING: frozenset({T.SUCCESS, T.FAILED, T.PENDING}),
    T.FAILED: frozenset({T.PENDING, T.ABANDONED}),
    T.SUCCESS: frozenset(),
    T.ABANDONED: frozenset(),
}


class ForbiddenStep(ValueError):
    """A task was to go where its state does not lead."""


@dataclass(frozen=True, slots=True)
class ScrapeRequest:
    """One match to be asked at one source. Times are those of the monotonic clock."""

    priority: MatchPriority
    match_id: str
    domain_id: str
    scheduled_at: float
    attempt_number: int = 0
    state: TaskState = TaskState.PENDING
    request_id: str = field(default_factory=lambda: str(uuid4()))
    resource_type: str = "scorecard"
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        """What there is at most one task for."""
        return self.domain_id, self.match_id

    @property
    def size_bytes(self) -> int:
        """What it weighs in the queue."""
        words = (self.match_id, self.domain_id, self.request_id, self.resource_type)
        return 200 + sum(map(len, words)) + (len(orjson.dumps(self.metadata)) if self.metadata else 0)

    def begin(self) -> ScrapeRequest:
        """Return it under way, one attempt further."""
        return replace(self._become(TaskState.EXECUTING), attempt_number=self.attempt_number + 1)

    def succeed(self) -> ScrapeRequest:
        return self._become(TaskState.SUCCESS)

    def fail(self) -> ScrapeRequest:
        return self._become(TaskState.FAILED)

    def hold(self, until: float) -> ScrapeRequest:
        """Return it waiting again as if it had not been tried: a gate of our own was shut."""
        held = self._become(TaskState.PENDING)
        return replace(held, attempt_number=max(0, self.attempt_number - 1), scheduled_at=until)

    def again_or_abandon(
        self, now: float, *, random: Random, backoff: Sequence[float] = BACKOFF_SECONDS
    ) -> ScrapeRequest:
        """Return the failed task for another try after its backoff, or abandoned when three were made."""
        if self.attempt_number >= MAX_ATTEMPTS:
            return self._become(TaskState.ABANDONED)
        wait = backoff[min(self.attempt_number, len(backoff) - 1)]
        waiting = self._become(TaskState.PENDING)
        return replace(waiting, scheduled_at=now + wait + random.uniform(0.0, wait))

    def _become(self, state: TaskState) -> ScrapeRequest:
        if state not in TRANSITIONS[self.state]:
            raise ForbiddenStep(f"task {self.match_id}: {self.state.value} does not lead to {state.value}")
        return replace(self, state=state)
