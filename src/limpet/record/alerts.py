"""Alerts as the ledger keeps them: raised once however often noticed, acknowledged, resolved, never deleted."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, case, func, insert, select, update

from limpet.errors import NotThere, UsageError
from limpet.record.alert_tables import AlertStatus, Severity, alert_occurrences, alerts
from limpet.record.log_tables import events
from limpet.record.logbook import Event, audit
from limpet.record.storable import storable, storable_json
from limpet.record.upserting import upsert

_ALIVE = (AlertStatus.OPEN.value, AlertStatus.ACKNOWLEDGED.value)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What somebody should look at; one `kind` of one `subject` is one alert until it is resolved."""

    kind: str
    subject: str
    severity: Severity
    title: str
    details: str = ""
    fix: str = ""
    source_id: str | None = None
    run_id: int | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert as it stands."""

    id: int
    kind: str
    subject: str
    severity: str
    status: str
    title: str
    details: str
    fix: str
    source_id: str | None
    run_id: int | None
    evidence: Mapping[str, Any]
    occurrences: int
    first_seen_at: datetime
    last_seen_at: datetime
    acknowledged_at: datetime | None = None
    acknowledged_by: str | None = None
    resolved_at: datetime | None = None
    resolved_by: str | None = None
    note: str | None = None


def raise_alert(connection: Connection, trouble: Trouble, *, now: datetime) -> int:
    """Open an alert, or add to the one that is open already; return its id."""
    values = {
        "kind": trouble.kind,
        "subject": storable(trouble.subject),
        "severity": trouble.severity.value,
        "title": storable(trouble.title),
        "details": storable(trouble.details),
        "fix": storable(trouble.fix),
        "source_id": trouble.source_id,
        "run_id": trouble.run_id,
        "evidence": storable_json(trouble.evidence),
        "last_seen_at": now,
    }
    new = values | {"status": AlertStatus.OPEN.value, "occurrences": 1, "first_seen_at": now}
    again = {name: value for name, value in values.items() if name not in ("kind", "subject")}
    raised = upsert(
        connection,
        alerts,
        new,
        key=["kind", "subject"],
        among=alerts.c.status != AlertStatus.RESOLVED.value,
        changes=again | {"occurrences": alerts.c.occurrences + 1},
        returning=[alerts.c.id],
    )
    return int(raised.scalar_one())


def clear_alerts(
    connection: Connection, kinds: Collection[str], subject: str, *, by: str, now: datetime
) -> int | None:
    """Resolve what is open of these kinds about the subject because the trouble is over; return one of them."""
    over = alerts.c.kind.in_(list(kinds)), alerts.c.subject == storable(subject), alerts.c.status.in_(_ALIVE)
    values = {"status": AlertStatus.RESOLVED.value, "resolved_at": now, "resolved_by": storable(by)}
    return (
        connection.execute(update(alerts).where(*over).values(values).returning(alerts.c.id))
        .scalars()
        .first()
    )


def acknowledge(connection: Connection, alert_id: int, *, by: str, note: str, now: datetime) -> Alert:
    """Say that somebody looks after it: nobody is reminded of it meanwhile."""
    alert = find_alert(connection, alert_id)
    if alert.status != AlertStatus.OPEN:
        raise UsageError(
            f"Alert {alert_id} is {alert.status} already.", fix=f"`limpet alerts show {alert_id}`."
        )
    values = {
        "status": AlertStatus.ACKNOWLEDGED.value,
        "acknowledged_at": now,
        "acknowledged_by": storable(by),
    }
    return _decide(connection, alert, values, action="acknowledge_alert", by=by, note=note, now=now)


def resolve(connection: Connection, alert_id: int, *, by: str, note: str, now: datetime) -> Alert:
    """Close it; if the trouble is noticed again, that is a new alert."""
    alert = find_alert(connection, alert_id)
    if alert.status == AlertStatus.RESOLVED:
        raise UsageError(f"Alert {alert_id} is resolved already.", fix=f"`limpet alerts show {alert_id}`.")
    values = {"status": AlertStatus.RESOLVED.value, "resolved_at": now, "resolved_by": storable(by)}
    return _decide(connection, alert, values, action="resolve_alert", by=by, note=note, now=now)


def find_alert(connection: Connection, alert_id: int) -> Alert:
    """Return the alert, or raise NotThere."""
    row = connection.execute(_alerts().where(alerts.c.id == alert_id)).one_or_none()
    if row is None:
        raise NotThere(f"There is no alert {alert_id}.", fix="`limpet alerts list --all` shows every one.")
    return _alert(row)


def list_alerts(
    connection: Connection, *, is_alive: bool | None = True, limit: int = 200, before: int | None = None
) -> list[Alert]:
    """Return alerts: the living ones most urgent first, or those of history newest first."""
    question = _alerts().limit(limit)
    if before is not None:
        question = question.where(alerts.c.id < before)
    if is_alive is not None:
        living = alerts.c.status.in_(_ALIVE)
        question = question.where(living if is_alive else ~living)
    if is_alive:
        is_open = case((alerts.c.status == AlertStatus.OPEN.value, 0), else_=1)
        question = question.order_by(is_open, alerts.c.severity, alerts.c.last_seen_at.desc())
    else:
        question = question.order_by(alerts.c.id.desc())
    return [_alert(row) for row in connection.execute(question)]


def count_alive(connection: Connection) -> dict[str, int]:
    """Return how many alerts are open or acknowledged, by severity."""
    question = select(alerts.c.severity, func.count()).where(alerts.c.status.in_(_ALIVE))
    return {row[0]: row[1] for row in connection.execute(question.group_by(alerts.c.severity))}


def events_of(connection: Connection, alert_id: int, *, limit: int = 50) -> list[Event]:
    """Return the events behind an alert, newest first."""
    question = (
        select(events)
        .join(alert_occurrences, alert_occurrences.c.event_id == events.c.id)
        .where(alert_occurrences.c.alert_id == alert_id)
        .order_by(events.c.id.desc())
        .limit(limit)
    )
    return [Event(**row._mapping) for row in connection.execute(question)]


def note_occurrence(connection: Connection, event: Event, alert_id: int | None) -> None:
    """Remember that this event was heeded."""
    connection.execute(
        insert(alert_occurrences).values(event_id=event.id, alert_id=alert_id, at=event.created_at)
    )


def alive_of_kind(connection: Connection, kind: str) -> Sequence[Alert]:
    """Return what is open of one kind."""
    question = _alerts().where(alerts.c.kind == kind, alerts.c.status.in_(_ALIVE))
    return [_alert(row) for row in connection.execute(question)]


def newest_of(connection: Connection, kind: str, subject: str) -> Alert | None:
    """Return the last alert of one kind about the subject, open or not."""
    about = alerts.c.kind == kind, alerts.c.subject == storable(subject)
    row = connection.execute(_alerts().where(*about).order_by(alerts.c.id.desc()).limit(1)).first()
    return _alert(row) if row is not None else None


def _decide(
    connection: Connection,
    alert: Alert,
    values: Mapping[str, Any],
    *,
    action: str,
    by: str,
    note: str,
    now: datetime,
) -> Alert:
    said = storable(note.strip())
    connection.execute(
        update(alerts).where(alerts.c.id == alert.id).values(dict(values) | {"note": said or None})
    )
    audit(
        connection,
        by,
        action,
        subject=f"alert {alert.id}",
        now=now,
        reason=said,
        details={"kind": alert.kind},
    )
    return find_alert(connection, alert.id)


def _alerts() -> Select[Any]:
    return select(*(alerts.c[name] for name in Alert.__slots__))


def _alert(row: Row[Any]) -> Alert:
    return Alert(**row._mapping)
