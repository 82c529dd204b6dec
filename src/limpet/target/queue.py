"""The queue's bargain: it takes a target or says when to come back; it never drops one in silence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RefusalReason(StrEnum):
    """Why a queue said no."""

    QUEUE_FULL = "queue_full"
    ADAPTER_DISABLED = "adapter_disabled"
    RATE_LIMITED = "rate_limited"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The targets are planned and will be walked."""

    run_id: str
    count: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was taken; ask again after `retry_after` seconds."""

    retry_after: float
    reason: RefusalReason


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How much may wait: past these the queue refuses, past the age a target is shown as stale."""

    max_pending_per_adapter: int = 1_000
    max_pending_total: int = 10_000
    max_age_seconds: float = 24 * 3_600.0
