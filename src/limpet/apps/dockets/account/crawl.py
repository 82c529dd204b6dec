"""How a case ended in a batch, and how a batch adds up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from limpet.apps.dockets.case_identifier import CaseIdentifier
from limpet.target import JobState

SCHEMA_VERSION = 1


class CrawlOutcome(StrEnum):
    """The three ways an attempted case can end."""

    SUCCEEDED = "succeeded"
    NO_RECORD = "no_record"
    FAILED = "failed"


_ENDED = {
    JobState.SUCCEEDED: CrawlOutcome.SUCCEEDED,
    JobState.NO_RECORD: CrawlOutcome.NO_RECORD,
    JobState.FAILED: CrawlOutcome.FAILED,
    JobState.DROPPED: CrawlOutcome.FAILED,
    JobState.QUARANTINED: CrawlOutcome.FAILED,
}


def outcome_of(state: JobState, *, tries: int) -> CrawlOutcome | None:
    """Return how an attempted case ended; None while it is open, and when it was never asked for."""
    if state is JobState.SKIPPED and tries:
        return CrawlOutcome.FAILED  # it was asked for, and left when the site stayed shut
    return _ENDED.get(state)


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """One case of a batch."""

    case_identifier: CaseIdentifier
    outcome: CrawlOutcome
    attempts: int
    last_error: str | None
    saved_path: str | None
    html_snapshot: str | None
    timestamp: datetime

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError(f"{self.case_identifier.id} has a result, and nobody asked for it")

    def to_json(self) -> dict[str, Any]:
        """Return it as files hold it."""
        return {
            "case_identifier": self.case_identifier.to_json(),
            "outcome": self.outcome.value,
            "attempts": self.attempts,
            "last_error": self.last_error,
            "saved_path": self.saved_path,
            "html_snapshot": self.html_snapshot,
            "timestamp": self.timestamp.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class CrawlStats:
    """A batch in numbers. What was attempted is what succeeded, has no record or failed: nothing else."""

    start_id: str | None
    end_id: str | None
    total_attempted: int
    success_count: int
    no_record_count: int
    failed_count: int

    @classmethod
    def of(
        cls, counts: Mapping[CrawlOutcome, int], *, attempted: int, first: str | None, last: str | None
    ) -> CrawlStats:
        """Return the stats; `attempted` is counted apart, so that the sum proves something."""
        return cls(
            start_id=first,
            end_id=last,
            total_attempted=attempted,
            success_count=counts.get(CrawlOutcome.SUCCEEDED, 0),
            no_record_count=counts.get(CrawlOutcome.NO_RECORD, 0),
            failed_count=counts.get(CrawlOutcome.FAILED, 0),
        )

    @property
    def is_balanced(self) -> bool:
        """Whether every attempted case has its word."""
        return self.success_count + self.no_record_count + self.failed_count == self.total_attempted
