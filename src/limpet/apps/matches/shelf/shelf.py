"""The shelf everybody may look at: seed 004's keys, in this process, or in Redis for all who share one."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol

from limpet.apps.matches.snapshot import HISTORY

NEGATIVE_TTL_SECONDS = 60.0
HISTORY_TTL_SECONDS = 3600.0
ROSTER_TTL_SECONDS = 12 * 3600.0
HEALTH_TTL_SECONDS = 5.0
AUDIT_KEPT = 200

Document = Mapping[str, Any]


class Shelf(Protocol):
    """Holds what can be rebuilt. It never raises: the ledger is the truth, this is a convenience."""

    @property
    def is_behind(self) -> bool:
        """Whether others cannot see what was put here lately."""
        ...

    @property
    def failures(self) -> int:
        """How often it could not be reached; a short absence shows here alone."""
        ...

    async def look(self) -> None:
        """See whether it still holds what was put here, and fill it again when it forgot."""
        ...

    async def put_snapshot(self, match_id: str, document: Document) -> None:
        """Keep as `match_latest` and add to `match_history`; it stays until there is a newer one."""
        ...

    async def refresh(self, match_id: str, *, at: float, fresh_seconds: float) -> None:
        """Note in `freshness_index` that the match was fetched, changed or not."""
        ...

    async def put_monitor(self, match_id: str, document: Document, *, is_paused: bool) -> None:
        """Keep as `match_monitor`, and in `paused_matches` while it is paused."""
        ...

    async def forget(self, match_id: str) -> None:
        """Take an archived match off the index; its last snapshot stays a day."""
        ...

    async def put_negative(self, match_id: str) -> None:
        """Remember for a minute that the source knows no such match."""
        ...

    async def is_negative(self, match_id: str) -> bool:
        """Whether the source said so within the last minute."""
        ...

    async def put_roster(self, team_id: str, document: Document) -> None:
        """Keep a team's players as `roster`."""
        ...

    async def put_health(self, document: Document) -> None:
        """Keep as `health_summary` for five seconds."""
        ...

    async def put_audit(self, document: Document) -> None:
        """Add to `audit_log`, which keeps the last two hundred."""
        ...

    async def domain_override(self, domain_id: str) -> Document:
        """Return what `domain_config:{id}` changes at runtime; empty when it says nothing."""
        ...


class MemoryShelf:
    """The shelf of one process. Times to live are those of the monotonic clock."""

    is_behind = False
    failures = 0

    def __init__(self) -> None:
        self.latest: dict[str, Document] = {}
        self.history: dict[str, deque[Document]] = {}
        self.monitors: dict[str, Document] = {}
        self.freshness_index: dict[str, float] = {}
        self.paused_matches: set[str] = set()
        self.rosters: dict[str, Document] = {}
        self.health_summary: Document = {}
        self.audit_log: deque[Document] = deque(maxlen=AUDIT_KEPT)
        self._negative: dict[str, float] = {}

    async def look(self) -> None:
        """This process forgets nothing while it lives."""

    async def put_snapshot(self, match_id: str, document: Document) -> None:
        self.latest[match_id] = document
        self.history.setdefault(match_id, deque(maxlen=HISTORY)).appendleft(document)

    async def refresh(self, match_id: str, *, at: float, fresh_seconds: float) -> None:
        self.freshness_index[match_id] = at

    async def put_monitor(self, match_id: str, document: Document, *, is_paused: bool) -> None:
        self.monitors[match_id] = document
        (self.paused_matches.add if is_paused else self.paused_matches.discard)(match_id)

    async def forget(self, match_id: str) -> None:
        self.freshness_index.pop(match_id, None)
        self.latest.pop(match_id, None)
        self.monitors.pop(match_id, None)
        self.paused_matches.discard(match_id)
        self.history.pop(match_id, None)

    async def put_negative(self, match_id: str) -> None:
        self._negative[match_id] = time.monotonic() + NEGATIVE_TTL_SECONDS

    async def is_negative(self, match_id: str) -> bool:
        if self._negative.get(match_id, 0.0) > time.monotonic():
            return True
        self._negative.pop(match_id, None)
        return False

    async def put_roster(self, team_id: str, document: Document) -> None:
        self.rosters[team_id] = document

    async def put_health(self, document: Document) -> None:
        self.health_summary = document

    async def put_audit(self, document: Document) -> None:
        self.audit_log.appendleft(document)

    async def domain_override(self, domain_id: str) -> Document:
        return {}  # nobody outside this process could leave one here
