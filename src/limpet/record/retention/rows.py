"""Notes that go: requests, attempts and events, oldest first, a few at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, and_, case, delete, func, or_, select

from limpet.fetch.outcome import FetchOutcome
from limpet.record.alert_tables import AlertStatus, alert_occurrences, alerts
from limpet.record.log_tables import events, requests
from limpet.record.retention.horizons import note_horizon
from limpet.record.retention.policy import Kind, RetentionPolicy
from limpet.record.tables import attempts, jobs, runs
from limpet.target import JobState
from limpet.target.outcome import RunState

LOOKED_AT = 5_000
REMOVED_AT_ONCE = 1_000
# However old: metrics count the newest rows of a table anew each time, and a number must never be given twice.
NEWEST_KEPT = 2_000
TABLES: dict[Kind, Table] = {Kind.REQUESTS: requests, Kind.ATTEMPTS: attempts, Kind.EVENTS: events}

_IS_UNDER_WAY = func.coalesce(runs.c.state == RunState.RUNNING.value, False)
_GAVE_A_PAGE = (FetchOutcome.OK.value, FetchOutcome.NOT_MODIFIED.value)


@dataclass(slots=True)
class RowSweep:
    """One walk over a table, from its oldest row to the first that nobody would remove."""

    kind: Kind
    policy: RetentionPolicy
    now: datetime
    after: int = 0
    until: int | None = None  # fixed with the first look: what is written meanwhile is not ours
    _last_of: dict[tuple[str, str], frozenset[int]] = field(default_factory=dict)

    def look(self, connection: Connection) -> list[Row[Any]] | None:
        """Return what may go of the next rows; None when the walk is over."""
        latest = self.policy.latest(self.kind, now=self.now)
        if latest is None:
            return None
        table = TABLES[self.kind]
        if self.until is None:
            self.until = (connection.execute(select(func.max(table.c.id))).scalar() or 0) - NEWEST_KEPT
        asked = _question(self.kind).where(table.c.id > self.after, table.c.id <= self.until)
        rows = connection.execute(asked.order_by(table.c.id).limit(LOOKED_AT)).all()
        if not rows or all(row.at >= latest for row in rows):
            return None
        self.after = rows[-1].id
        return [row for row in rows if self._may_go(connection, row)]

    def _may_go(self, connection: Connection, row: Row[Any]) -> bool:
        before = self.policy.before(self.kind, row.source_id or "", now=self.now)
        if before is None or row.at >= before or row.is_held:
            return False
        return self.kind is not Kind.REQUESTS or row.id not in self._last_ones(connection, row)

    def _last_ones(self, connection: Connection, row: Row[Any]) -> frozenset[int]:
        """The clocks of a source read when it was last asked, and when it last gave a page."""
        pair = (row.domain, row.source_id)
        if pair not in self._last_of:
            newest = (
                select(requests.c.id)
                .where(requests.c.domain == row.domain, requests.c.source_id == row.source_id)
                .order_by(requests.c.started_at.desc(), requests.c.id.desc())
                .limit(1)
            )
            gave_a_page = requests.c.kind != "robots", requests.c.outcome.in_(_GAVE_A_PAGE)
            found = [connection.execute(each).scalar() for each in (newest, newest.where(*gave_a_page))]
            self._last_of[pair] = frozenset(each for each in found if each is not None)
        return self._last_of[pair]


def remove_rows(
    connection: Connection, kind: Kind, rows: Sequence[Row[Any]], *, policy: RetentionPolicy, now: datetime
) -> int:
    """Remove the rows, and note from when on what is left is whole; return how many there were."""
    table = TABLES[kind]
    removed = connection.execute(delete(table).where(table.c.id.in_([row.id for row in rows]))).rowcount
    for source_id in {row.source_id or "" for row in rows}:
        since = policy.before(kind, source_id, now=now)
        if since is not None:
            note_horizon(connection, kind, [source_id], since=since)
    return removed


def _question(kind: Kind) -> Select[Any]:
    if kind is Kind.REQUESTS:
        return (
            _columns(requests, requests.c.started_at, requests.c.source_id, _IS_UNDER_WAY)
            .add_columns(requests.c.domain)
            .outerjoin(jobs, jobs.c.id == requests.c.job_id)
            .outerjoin(runs, runs.c.id == jobs.c.run_id)
        )
    if kind is Kind.ATTEMPTS:
        is_held = or_(_IS_UNDER_WAY, _proves_the_question())
        return (
            _columns(attempts, attempts.c.started_at, jobs.c.source_id, is_held)
            .join(jobs, jobs.c.id == attempts.c.job_id)
            .join(runs, runs.c.id == jobs.c.run_id)
        )
    is_held = or_(_IS_UNDER_WAY, _is_behind_an_open_alert())
    listed = _columns(events, events.c.created_at, events.c.source_id, is_held)
    return listed.outerjoin(runs, runs.c.id == events.c.run_id)


def _columns(table: Table, at: Any, source_id: Any, is_held: ColumnElement[bool]) -> Select[Any]:
    held = case((is_held, 1), else_=0).label("is_held")
    return select(table.c.id, at.label("at"), source_id.label("source_id"), held).select_from(table)


def _proves_the_question() -> ColumnElement[bool]:
    """A job that was skipped says nowhere else whether its origin was asked, and accounts of runs count that."""
    return and_(jobs.c.state == JobState.SKIPPED.value, attempts.c.outcome != FetchOutcome.REFUSED.value)


def _is_behind_an_open_alert() -> ColumnElement[bool]:
    open_ones = select(alerts.c.id).where(
        alerts.c.status.in_([AlertStatus.OPEN.value, AlertStatus.ACKNOWLEDGED.value])
    )
    return (
        select(alert_occurrences.c.event_id)
        .where(alert_occurrences.c.event_id == events.c.id, alert_occurrences.c.alert_id.in_(open_ones))
        .exists()
    )
