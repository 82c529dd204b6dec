"""Keeps the monitor's own notes from growing for ever: a little at a time, and what was removed is told.

Only notes about our work go: requests, errors, how sessions were doing. What happened in a match - balls, snapshots,
scorecards, conflicts - and what was done about the monitor - orders, recoveries - stay for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection, Select, Table, delete, select

from limpet.apps.matches.care_tables import scraper_health_log
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.observe.freshness import lanes_of
from limpet.record.log_tables import requests, scraper_errors
from limpet.record.logbook import log_event
from limpet.record.retention.horizons import note_horizon
from limpet.record.retention.policy import Kind

MOST_AT_ONCE = 2_000  # rows of a table in one go: the writer is not kept from its work
TELL_EVERY = timedelta(hours=24)


@dataclass(slots=True)
class Trimmer:
    """Looks every few seconds; takes away more than the monitor can write in that time."""

    room: ControlRoom
    removed: dict[str, int] = field(default_factory=dict)  # since it was last told
    _told_at: datetime | None = None

    async def look(self) -> None:
        """Remove what is too old, as much as fits in one go; once a day, say in the log what went."""
        room, now = self.room, self.room.clock.now()
        domains = {domain.id: domain for domain in room.domains()}
        lanes = sorted({lane for each in domains.values() for lane in lanes_of(each.source)})
        sources = sorted({each.source.id for each in domains.values()})
        cut = partial(
            _cut,
            lanes=lanes,
            sources=sources,
            requests_before=now - timedelta(hours=room.terms.keep_request_hours),
            notes_before=now - timedelta(days=room.terms.keep_note_days),
        )
        for name, count in (await room.ledger.write(cut)).items():
            self.removed[name] = self.removed.get(name, 0) + count
        await self._tell(now)

    async def _tell(self, now: datetime) -> None:
        if not any(self.removed.values()) or (self._told_at and now - self._told_at < TELL_EVERY):
            return
        payload, self.removed, self._told_at = dict(self.removed), {}, now
        await self.room.ledger.write(
            lambda connection: log_event(connection, "monitor_notes_trimmed", now=now, payload=payload)
        )


def _cut(
    connection: Connection,
    *,
    lanes: Sequence[str],
    sources: Sequence[str],
    requests_before: datetime,
    notes_before: datetime,
) -> dict[str, int]:
    ours = select(requests.c.id).where(
        requests.c.domain.in_(lanes),
        requests.c.started_at < requests_before,
        requests.c.job_id.is_(None),
        requests.c.source_id.in_(sources),
    )
    errors = select(scraper_errors.c.id).where(
        scraper_errors.c.resolved.in_([True, False]),  # so that the index of both words serves
        scraper_errors.c.timestamp < notes_before,
        scraper_errors.c.match_id.is_not(None),
    )
    removed = _remove(connection, requests, ours)
    if removed:
        note_horizon(connection, Kind.REQUESTS, sources, since=requests_before)
    return {
        "requests": removed,
        "scraper_errors": _remove(connection, scraper_errors, errors),
        "scraper_health_log": _remove(connection, scraper_health_log, _oldest_sessions(notes_before)),
    }


def _oldest_sessions(before: datetime) -> Select[tuple[int]]:
    """Written in the order of time: only the first rows need a look."""
    table = scraper_health_log
    first = select(table.c.id, table.c.timestamp).order_by(table.c.id).limit(MOST_AT_ONCE).subquery()
    return select(first.c.id).where(first.c.timestamp < before)


def _remove(connection: Connection, table: Table, wanted: Select[tuple[int]]) -> int:
    ids = list(connection.execute(wanted.limit(MOST_AT_ONCE)).scalars())
    if ids:
        connection.execute(delete(table).where(table.c.id.in_(ids)))
    return len(ids)
