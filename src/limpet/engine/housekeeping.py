"""What is done once an hour: broken targets are rechecked when their week is over, and neglected ones shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from limpet.engine.recheck import plan_rechecks
from limpet.engine.runs import RunDesk
from limpet.engine.timetable import is_open
from limpet.record import lives
from limpet.record.alerts import clear_alerts
from limpet.record.logbook import log_event
from limpet.source import Source
from limpet.target.schedule import parse_schedule

EVERY = timedelta(hours=1)
MANY_STALE = 100
STALE_SUBJECT = "targets"


@dataclass(slots=True)
class Housekeeping:
    """Keeps the hour; what it does is harmless when two processes do it."""

    desk: RunDesk
    _next_at: datetime | None = None

    async def look(self, now: datetime) -> None:
        """Do the hourly work when its hour has come; the first look counts."""
        if self._next_at is not None and now < self._next_at:
            return
        self._next_at = now + EVERY
        await plan_rechecks(self.desk, now)
        await mark_stale(self.desk, now)


async def mark_stale(desk: RunDesk, now: datetime) -> int:
    """Make visible what waits for more than a day; return how many targets became stale."""
    patience = timedelta(seconds=desk.limits.max_age_seconds)
    sources = [source for source in desk.catalogue.list() if source.schedule and is_open(source)]
    return await desk.ledger.write(partial(_mark_stale, sources=sources, patience=patience, now=now))


def _mark_stale(connection: Connection, sources: list[Source], *, patience: timedelta, now: datetime) -> int:
    before = now - patience
    marked = lives.mark_waiting_too_long(connection, planned_before=before, now=now)
    for source in sources:
        if _is_overdue(connection, source, before):
            marked += lives.mark_not_visited(connection, source.id, since=before, now=now)
    if marked:
        _tell(connection, marked, now=now)
    if lives.count_stale(connection) < MANY_STALE:
        clear_alerts(connection, ["stale_targets"], STALE_SUBJECT, by="fewer are stale", now=now)
    return marked


def _is_overdue(connection: Connection, source: Source, before: datetime) -> bool:
    """Whether a fire of the schedule is so old and no run has answered it, because none found room."""
    answered = lives.latest_fire(connection, source.id) or lives.known_since(connection, source.id)
    if answered is None or source.schedule is None or lives.is_walked(connection, source.id):
        return False
    return parse_schedule(source.schedule).next_fire(answered) < before


def _tell(connection: Connection, marked: int, *, now: datetime) -> None:
    stale = lives.count_stale(connection)
    log_event(connection, "targets_stale", now=now, payload={"marked": marked, "stale": stale})
    if stale >= MANY_STALE:
        payload = {"stale": stale, "subject": STALE_SUBJECT, "details": f"{stale:,} targets are stale"}
        log_event(connection, "alert_stale_targets", now=now, payload=payload)
