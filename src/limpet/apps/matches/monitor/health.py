"""How the monitor is, for whoever asks: seed 002's HealthStatus and seed 004's HealthSummary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from limpet.apps.matches.grading import FAILING_SECONDS, FreshnessStats, HealthGrade
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.domain import Domain
from limpet.apps.matches.monitor.load import Load
from limpet.apps.matches.monitor.tally import HOUR, MINUTE
from limpet.fetch.policy.breaker import Breaker
from limpet.source.source import MEBIBYTE

_RECENT_AUDIT = 10


@dataclass(frozen=True, slots=True)
class HealthSummary:
    """The aggregate behind GET /status."""

    grade: HealthGrade
    is_idle: bool
    freshness_stats: FreshnessStats
    queue_depth: int
    active_tasks: int
    failure_ratio: float
    paused_matches: Sequence[str]
    last_success_time: float | None
    config_snapshot: Mapping[str, object]
    audit_entries: Sequence[Mapping[str, Any]]
    generated_at: datetime
    evaluated_at: datetime | None = None  # when the grade was last worked out

    def to_dict(self) -> dict[str, Any]:
        """Return it as `health_summary` holds it."""
        return {
            "grade": self.grade.value,
            "is_idle": self.is_idle,
            "freshness_stats": self.freshness_stats.to_dict(),
            "queue_depth": self.queue_depth,
            "active_tasks": self.active_tasks,
            "failure_ratio": round(self.failure_ratio, 4),
            "paused_matches": list(self.paused_matches),
            "last_success_time": self.last_success_time,
            "config_snapshot": dict(self.config_snapshot),
            "audit_entries": list(self.audit_entries),
            "generated_at": self.generated_at.timestamp(),
            "evaluated_at": self.evaluated_at.timestamp() if self.evaluated_at else None,
        }


def health_summary(room: ControlRoom) -> HealthSummary:
    """Return the summary as of now; the grade is that of the last evaluation."""
    now, moment = room.clock.monotonic(), room.clock.now()
    reading = room.read_health()
    paused = [watch.id for watch in room.watches.values() if watch.record.state is MatchState.PAUSED]
    last = None if room.succeeded_at is None else moment.timestamp() - (now - room.succeeded_at)
    return HealthSummary(
        grade=room.grading.grade,
        is_idle=reading.freshness.count == 0,
        freshness_stats=reading.freshness,
        queue_depth=sum(room.queue.depth(now).values()),
        active_tasks=room.queue.running,
        failure_ratio=room.tally.failure_ratio(now=now),
        paused_matches=paused,
        last_success_time=last,
        config_snapshot=room.terms.to_dict()
        | {"sources": [_descriptor(room, each) for each in room.active.values()]},
        audit_entries=[entry.to_dict() for entry in room.recoveries.recent(_RECENT_AUDIT)],
        generated_at=moment,
        evaluated_at=room.evaluated_at,
    )


def _descriptor(room: ControlRoom, domain: Domain) -> dict[str, object]:
    """Return how the domain takes part, and when its list was last had."""
    listed_at = room.listed_at.get(domain.id)
    return {
        "domain_id": domain.id,
        "adapter": domain.descriptor.adapter,
        "precedence_weight": domain.descriptor.precedence_weight,
        "rate_limits": asdict(domain.descriptor.rate_limits),
        "last_discovery_time": listed_at.timestamp() if listed_at else None,
    }


Overall = Literal["healthy", "degraded", "down"]


def overall_status(room: ControlRoom, *, errors_last_minute: int) -> Overall:
    """Return seed 002's word: down only when there are live matches and not one of them answers."""
    awaited = [watch for watch in room.watched() if watch.is_awaited]
    badges = {watch.context.health_status for watch in awaited}
    if badges == {"failing"} or _is_silent(room):
        return "down"
    # While it recovers nothing has come yet: the first answer makes the grade healthy.
    is_well = badges <= {"healthy"} and room.grading.grade is HealthGrade.HEALTHY
    return "healthy" if is_well and errors_last_minute < 5 else "degraded"


def _is_silent(room: ControlRoom) -> bool:
    """Whether even the freshest live match is older than any may be."""
    ages = room.read_health().freshness.samples
    return bool(ages) and ages[0] >= FAILING_SECONDS


def health_status(room: ControlRoom, load: Load, breakers: Sequence[Breaker]) -> dict[str, Any]:
    """Return HealthStatus as GET /health shows it, from memory alone."""
    now = room.clock.monotonic()
    tally = room.tally
    watched = room.watched()
    contexts = [watch.context for watch in watched]
    last_minute = tally.failed.within(MINUTE, now=now)
    total_mb = load.memory_bytes / MEBIBYTE
    return {
        "status": overall_status(room, errors_last_minute=last_minute),
        "timestamp": room.clock.now().isoformat(),
        "active_scraper_count": sum(watch.record.state is MatchState.ACTIVE for watch in watched),
        "total_matches_scraping": len({room.board_of[watch.id].match_id for watch in watched}),
        "scrapers": [context.to_dict() for context in contexts],
        "resources": {
            "total_memory_mb": round(total_mb, 2),
            "average_memory_mb": round(total_mb / len(contexts), 2) if contexts else 0.0,
            "peak_memory_mb": round(load.peak_memory_bytes / MEBIBYTE, 2),
            "total_cpu_percent": round(load.cpu_percent, 2),
        },
        "errors": {
            "last_minute": last_minute,
            "last_hour": tally.failed.within(HOUR, now=now),
            "circuit_breakers": [breaker.to_dict() for breaker in breakers],
        },
        "performance": {
            "average_latency_ms": round(tally.average_latency * 1000, 1),
            "p95_latency_ms": round(tally.latency(0.95) * 1000, 1),
            "updates_per_minute": tally.updated.within(MINUTE, now=now),
        },
    }
