"""ScraperContext: the session in which one match is watched at one source, its health and its share of the load."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import uuid4

from limpet.clock import Clock
from limpet.source.source import MEBIBYTE

Badge = Literal["healthy", "degraded", "failing"]


@dataclass(frozen=True, slots=True)
class SessionTerms:
    """When a session is renewed, and when it is no longer well."""

    max_lifetime_seconds: float = 6 * 3600.0
    staleness_seconds: float = 300.0
    degraded_staleness_seconds: float = 120.0
    max_errors: int = 10
    soft_memory_limit: int = 1536 * MEBIBYTE
    hard_memory_limit: int = 2048 * MEBIBYTE


@dataclass(slots=True)
class ScraperContext:
    """Tracks one session. Moments are for people, ages come from the monotonic clock."""

    match_id: str
    url: str
    clock: Clock
    terms: SessionTerms = field(default_factory=SessionTerms)
    scraper_id: str = field(default_factory=lambda: str(uuid4()))
    error_count: int = 0  # in a row
    total_errors: int = 0
    total_updates: int = 0
    memory_bytes: int = 0  # its share: of the browser where one is needed, else of this process
    cpu_percent: float = 0.0
    browser_pid: int | None = None
    polling_interval: float = 2.5
    latency_ms: float | None = None
    has_open_errors: bool = False
    was_held_by_breaker: bool = False  # since the errors that are open
    is_on_trial: bool = False  # it follows one that was not well, and has to bring something first
    start_time: datetime = field(init=False)
    last_update_time: datetime | None = None
    _began: float = field(init=False)
    _updated: float = field(init=False)

    def __post_init__(self) -> None:
        self.start_time = self.clock.now()
        self._began = self._updated = self.clock.monotonic()

    def follow(self, before: ScraperContext) -> None:
        """Take the place of another session: data is not fresher for being waited for anew."""
        self.is_on_trial = before.health_status != "healthy"
        self.last_update_time, self._updated = before.last_update_time, before._updated

    def succeeded(self, latency_ms: float) -> None:
        """Take note of data that came."""
        self.error_count = 0
        self.is_on_trial = False
        self.total_updates += 1
        self.latency_ms = latency_ms
        self.last_update_time = self.clock.now()
        self._updated = self.clock.monotonic()

    def failed(self) -> None:
        """Take note of a scrape that gave nothing."""
        self.error_count += 1
        self.total_errors += 1
        self.has_open_errors = True

    @property
    def uptime_seconds(self) -> float:
        return self.clock.monotonic() - self._began

    @property
    def staleness_seconds(self) -> float:
        """How old the last data is; before there was any, the age of the first session."""
        return self.clock.monotonic() - self._updated

    @property
    def reason_to_restart(self) -> str | None:
        """Why the session should be renewed, or None while it may go on."""
        terms = self.terms
        if self.uptime_seconds >= terms.max_lifetime_seconds:
            return "uptime_exceeded"
        if min(self.staleness_seconds, self.uptime_seconds) >= terms.staleness_seconds:
            return "stale"  # not what it took over: each session is given its time
        if self.error_count >= terms.max_errors:
            return "errors"
        return "memory" if self.memory_bytes >= terms.soft_memory_limit else None

    def should_restart(self) -> bool:
        """Whether the session should be renewed."""
        return self.reason_to_restart is not None

    @property
    def health_status(self) -> Badge:
        """How this match is doing; the grade of the whole is another matter."""
        if self.error_count > 5 or self.staleness_seconds >= self.terms.staleness_seconds:
            return "failing"
        is_late = self.staleness_seconds >= self.terms.degraded_staleness_seconds
        return "degraded" if self.error_count > 2 or is_late or self.is_on_trial else "healthy"

    def to_dict(self) -> dict[str, Any]:
        """Return it as /health shows it."""
        return {
            "scraper_id": self.scraper_id,
            "match_id": self.match_id,
            "url": self.url,
            "start_time": self.start_time.isoformat(),
            "last_update": self.last_update_time.isoformat() if self.last_update_time else None,
            "uptime_seconds": round(self.uptime_seconds, 3),
            "error_count": self.error_count,
            "total_errors": self.total_errors,
            "total_updates": self.total_updates,
            "health_status": self.health_status,
            "memory_mb": round(self.memory_bytes / MEBIBYTE, 2),
            "cpu_percent": round(self.cpu_percent, 2),
            "polling_interval": self.polling_interval,
        }
