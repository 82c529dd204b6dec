"""Keeps the alerts: turns events and grades into them, and sees to it that people are told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import structlog
from sqlalchemy import Connection

from limpet.clock import Clock
from limpet.observe.alert_sending import Audience, Destination, compose, send
from limpet.observe.alert_sweep import has_unheeded, reconcile_health, sweep
from limpet.observe.health import assess, disk_at
from limpet.observe.standing import Surveyor
from limpet.record.alert_deliveries import (
    Due,
    claim_due,
    note_not_sent,
    note_sent,
    plan_deliveries,
)
from limpet.record.alert_tables import Severity
from limpet.record.ledger import Ledger
from limpet.source.catalogue import Catalogue

_log = structlog.get_logger("limpet.alerts")
_GRADE_EVERY_SECONDS = 60.0


@dataclass(slots=True)
class AlertKeeper:
    """May be several, in several processes: an event is heeded once and a message claimed before it is sent."""

    ledger: Ledger
    catalogue: Catalogue
    clock: Clock
    audience: Audience
    needed_disk_bytes: int
    surveyor: Surveyor = field(default_factory=Surveyor)
    _graded_at: float | None = None

    async def look(self) -> None:
        """Heed what happened since the last look; grade every source once a minute."""
        await self.heed()
        now = self.clock.monotonic()
        if self._graded_at is None or now - self._graded_at >= _GRADE_EVERY_SECONDS:
            self._graded_at = now
            await self.grade()

    async def heed(self) -> None:
        """Turn events into alerts."""
        if await self.ledger.read(has_unheeded):
            await self.ledger.write(partial(sweep, now=self.clock.now()))

    async def grade(self) -> None:
        """Raise and resolve alerts by how sources and disk stand."""
        now = self.clock.now()
        standings = await self.ledger.read(partial(self.surveyor.survey, sources=self.catalogue.list()))
        health = assess(standings, now=now, disk=disk_at(self.ledger.data_dir, self.needed_disk_bytes))
        await self.ledger.write(partial(reconcile_health, health=health, now=now))

    async def tell(self) -> int:
        """Send what is due and return how much arrived; what did not is tried again."""
        if not self.audience.destinations:
            return 0
        due = await self.ledger.write(partial(self._claim, now=self.clock.now()))
        by_destination: dict[str, list[Due]] = defaultdict(list)
        for each in due:
            by_destination[each.destination].append(each)
        known = {destination.label: destination for destination in self.audience.destinations}
        sent = [
            await self._send(known[label], news) for label, news in by_destination.items() if label in known
        ]
        return sum(sent)

    def _claim(self, connection: Connection, *, now: datetime) -> list[Due]:
        for destination in self.audience.destinations:
            plan_deliveries(
                connection,
                destination.label,
                severities=destination.severities,
                not_before=partial(self._not_before, now=now),
                now=now,
            )
        return claim_due(connection, now=now)

    def _not_before(self, severity: str, *, now: datetime) -> datetime:
        """What cannot wait does not: the rest is told when the quiet is over."""
        quiet = self.audience.quiet_hours
        if severity == Severity.P1 or quiet is None:
            return now
        return quiet.end_after(now) or now

    async def _send(self, destination: Destination, news: Sequence[Due]) -> int:
        error = await send(destination, compose(news), allow_private=self.audience.allow_private)
        now = self.clock.now()
        if error is None:
            await self.ledger.write(partial(note_sent, sent=news, now=now))
            return len(news)
        _log.warning("alert_not_sent", destination=destination.label, error=error)
        await self.ledger.write(partial(note_not_sent, unsent=news, error=error, now=now))
        return 0
