"""What the monitor did to help itself, and whether it helped: judged two minutes later at most."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import uuid4

from limpet.apps.matches.grading import HealthGrade

JUDGED_AFTER_SECONDS = 120.0
KEPT = 200


class RecoveryAction(StrEnum):
    """What was done."""

    BROWSER_RECYCLE = "browser_recycle"
    SOFT_RESTART = "soft_restart"
    MANUAL_TRIGGER = "manual_trigger"
    CONTEXT_POOL_RESET = "context_pool_reset"
    ORPHANS_SWEPT = "orphans_swept"
    SOURCE_RETURNED = "source_returned"
    STORE_RETURNED = "store_returned"


class RecoveryOutcome(StrEnum):
    """What came of it."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"


_OUTCOMES = {
    HealthGrade.HEALTHY: RecoveryOutcome.SUCCESS,
    HealthGrade.DEGRADED: RecoveryOutcome.PARTIAL,
    HealthGrade.FAILING: RecoveryOutcome.FAILED,
    HealthGrade.RECOVERING: RecoveryOutcome.FAILED,
}


@dataclass(frozen=True, slots=True)
class RecoveryAuditEntry:
    """One recovery. `outcome` is None until it is judged."""

    timestamp: datetime
    action_type: RecoveryAction
    trigger_condition: str
    begun_at: float  # monotonic
    entry_id: str = field(default_factory=lambda: str(uuid4()))
    outcome: RecoveryOutcome | None = None
    duration_seconds: float = 0.0
    judged_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as /status and the audit log show it."""
        plain = {name: value for name, value in asdict(self).items() if name != "begun_at"}
        return plain | {
            "timestamp": self.timestamp.timestamp(),
            "action_type": self.action_type.value,
            "outcome": self.outcome.value if self.outcome else None,
            "judged_at": self.judged_at.timestamp() if self.judged_at else None,
            "metadata": dict(self.metadata),
        }


@dataclass(slots=True)
class RecoveryLog:
    """The last two hundred recoveries, and those of them that wait for their verdict."""

    entries: deque[RecoveryAuditEntry] = field(default_factory=lambda: deque(maxlen=KEPT))
    _open: list[RecoveryAuditEntry] = field(default_factory=list)

    def begin(self, entry: RecoveryAuditEntry) -> None:
        """Note a recovery that was begun."""
        self.entries.append(entry)
        self._open.append(entry)

    def add(self, entry: RecoveryAuditEntry) -> None:
        """Note a recovery that is over and judged already."""
        self.entries.append(entry)

    @property
    def newest(self) -> RecoveryAuditEntry | None:
        return self.entries[-1] if self.entries else None

    def judge(
        self, grade: HealthGrade, *, has_succeeded_since: float | None, now: datetime, monotonic: float
    ) -> list[RecoveryAuditEntry]:
        """Return the entries that are judged now: healthy with a success since, or out of time."""
        judged = []
        for entry in list(self._open):
            has_worked = has_succeeded_since is not None and has_succeeded_since > entry.begun_at
            took = monotonic - entry.begun_at
            if (grade is HealthGrade.HEALTHY and has_worked) or took >= JUDGED_AFTER_SECONDS:
                judged.append(self._settle(entry, grade, has_worked=has_worked, now=now, took=took))
        return judged

    def recent(self, count: int) -> list[RecoveryAuditEntry]:
        """Return the newest first."""
        return list(self.entries)[-count:][::-1]

    def _settle(
        self, entry: RecoveryAuditEntry, grade: HealthGrade, *, has_worked: bool, now: datetime, took: float
    ) -> RecoveryAuditEntry:
        # Healthy without one success since is idle: there was nothing to recover, and nothing broke.
        outcome = _OUTCOMES[grade]
        metadata = (
            {**entry.metadata, "seconds_until_success": round(took, 3)} if has_worked else entry.metadata
        )
        settled = replace(entry, outcome=outcome, judged_at=now, metadata=metadata)
        self._open.remove(entry)
        if entry in self.entries:
            self.entries[self.entries.index(entry)] = settled
        return settled
