"""How the monitor works: every number it may be told, with the defaults of the seeds."""

from __future__ import annotations

from dataclasses import dataclass, field

from limpet.apps.matches.grading import EVALUATE_EVERY_SECONDS, STALL_SECONDS
from limpet.apps.matches.monitor.session import SessionTerms
from limpet.apps.matches.queue import QueueBounds
from limpet.apps.matches.rhythm import RhythmTerms
from limpet.apps.matches.tasks import BACKOFF_SECONDS


@dataclass(frozen=True, slots=True)
class MonitorTerms:
    """Read once at the start."""

    rhythm: RhythmTerms = field(default_factory=RhythmTerms)
    session: SessionTerms = field(default_factory=SessionTerms)
    bounds: QueueBounds = field(default_factory=QueueBounds)
    concurrency_cap: int = 40
    discovery_seconds: float = 60.0
    backoff_seconds: tuple[float, ...] = BACKOFF_SECONDS
    card_seconds: float = 10.0
    card_seconds_after_event: float = 5.0  # a wicket or a boundary changes many figures of a card
    evaluate_seconds: float = EVALUATE_EVERY_SECONDS
    stall_seconds: float = STALL_SECONDS
    recovery_rest_seconds: float = 120.0  # a recovery is given its time before the next
    longest_recovery_rest_seconds: float = 600.0  # each that brought nothing doubles the rest, up to this
    health_log_seconds: float = 60.0
    orphan_seconds: float = 1800.0
    trim_seconds: float = 10.0
    keep_request_hours: float = 24.0
    keep_note_days: float = 30.0
    detects_match_state: bool = True

    def to_dict(self) -> dict[str, object]:
        """Return the thresholds as /status shows them."""
        return {
            "CONCURRENCY_CAP": self.concurrency_cap,
            "POLLING_INTERVAL_SECONDS": self.rhythm.base_seconds,
            "STALENESS_THRESHOLD_SECONDS": self.session.staleness_seconds,
            "STALL_SECONDS": self.stall_seconds,
            "MAX_QUEUE_SIZE": self.bounds.max_size,
            "MAX_QUEUE_SIZE_MB": self.bounds.max_bytes / 1024 / 1024,
            "DISCOVERY_SECONDS": self.discovery_seconds,
            "EVALUATE_SECONDS": self.evaluate_seconds,
            "ENABLE_ADAPTIVE_POLLING": self.rhythm.is_adaptive,
            "ENABLE_ADAPTIVE_TIMEOUTS": self.rhythm.has_adaptive_timeouts,
            "ENABLE_MATCH_STATE_DETECTION": self.detects_match_state,
        }
