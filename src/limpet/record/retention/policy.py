"""How long each kind is kept: what the house says, and what single sources say differently. Off means for ever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from limpet.source import Retention


class Kind(StrEnum):
    """What a rule can be about."""

    PAGES = "pages"
    REQUESTS = "requests"
    ATTEMPTS = "attempts"
    EVENTS = "events"


@dataclass(frozen=True, slots=True)
class Keep:
    """The days after which things may go; zero keeps them for ever."""

    pages_days: float = 0.0
    keep_last_pages: int = 1
    requests_days: float = 0.0
    attempts_days: float = 0.0
    events_days: float = 0.0


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """The rule for every kind and source."""

    house: Keep = field(default_factory=Keep)
    sources: Mapping[str, Retention] = field(default_factory=dict)

    def days(self, kind: Kind, source_id: str = "") -> float:
        """Return after how many days they may go; zero: never."""
        own = getattr(self.sources.get(source_id), f"{kind.value}_days", None)
        return float(getattr(self.house, f"{kind.value}_days") if own is None else own)

    def last_pages(self, source_id: str) -> int:
        """Return how many different good pages of a target stay, however old they are."""
        own = self.sources.get(source_id, Retention()).keep_last_pages
        return self.house.keep_last_pages if own is None else own

    @property
    def most_last_pages(self) -> int:
        """The most good pages of a target that stay anywhere."""
        return max(self.last_pages(source_id) for source_id in ("", *self.sources))

    def before(self, kind: Kind, source_id: str, *, now: datetime) -> datetime | None:
        """Return the moment that parts what may go from what stays; None when all of it stays."""
        days = self.days(kind, source_id)
        return now - timedelta(days=days) if days else None

    def latest(self, kind: Kind, *, now: datetime) -> datetime | None:
        """Return the latest such moment of any source: what is younger need not be looked at."""
        moments = [self.before(kind, source_id, now=now) for source_id in ("", *self.sources)]
        return max((moment for moment in moments if moment is not None), default=None)

    @property
    def is_off(self) -> bool:
        """Whether everything is kept for ever."""
        return not any(self.days(kind, source) for kind in Kind for source in ("", *self.sources))
