"""Turns what happened into alerts. Harmless to repeat: an event is heeded once, whoever looks first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, or_, select, text

from limpet.observe.alert_rules import HEEDED, KINDS, PREFIX, Clearing, heed
from limpet.observe.health import Finding, Grade, Health
from limpet.record.alert_tables import Severity, alert_occurrences
from limpet.record.alerts import Trouble, alive_of_kind, clear_alerts, note_occurrence, raise_alert
from limpet.record.bulk import is_sqlite
from limpet.record.log_tables import events
from limpet.record.logbook import Event
from limpet.record.tables import jobs
from limpet.target import JobState

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
# Another process may commit an event a little after a younger one was seen.
_LATE = timedelta(hours=1)
_AFTER_PREFIX = PREFIX[:-1] + chr(ord(PREFIX[-1]) + 1)
_MOST_AT_ONCE = 500
_SAMPLE = 3
_BAD = (JobState.FAILED.value, JobState.QUARANTINED.value, JobState.DROPPED.value)
# Any number will do, as long as every Limpet uses the same one.
_POSTGRES_LOCK = 5_164_906_352_009
_GRADES = {Grade.DEGRADED: Severity.P3, Grade.FAILING: Severity.P2}


def sweep(connection: Connection, *, now: datetime) -> int:
    """Heed every event nobody has heeded yet; return how many there were."""
    if not is_sqlite(connection):  # one sweeper at a time; BEGIN IMMEDIATE has waited on SQLite already
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})
    unheeded = _unheeded(connection)
    for event in unheeded:
        note_occurrence(connection, event, _act(connection, event, now=now))
    return len(unheeded)


def has_unheeded(connection: Connection) -> bool:
    """Whether a sweep would find something; a reader may ask, so that writing is rare."""
    return bool(_unheeded(connection, limit=1))


def reconcile_health(connection: Connection, health: Health, *, now: datetime) -> None:
    """Raise an alert for each source that is not well and for a full disk; resolve those that are well again."""
    findings = {f.subject: f for f in reversed(health.findings) if f.grade in _GRADES}
    disk = findings.pop("disk", None)
    _reconcile(connection, "disk", [_of_disk(disk)] if disk else [], now=now)
    _reconcile(connection, "grade", [_of_source(each) for each in findings.values()], now=now)


def _reconcile(connection: Connection, kind: str, troubles: Iterable[Trouble], *, now: datetime) -> None:
    alive = {alert.subject: alert for alert in alive_of_kind(connection, kind)}
    for trouble in troubles:
        known = alive.pop(trouble.subject, None)
        if known is None or known.severity != trouble.severity:
            raise_alert(connection, trouble, now=now)
    for subject in alive:
        clear_alerts(connection, [kind], subject, by="healthy again", now=now)


def _of_source(finding: Finding) -> Trouble:
    return Trouble(
        kind="grade",
        subject=f"source {finding.subject}",
        severity=_GRADES[finding.grade],
        title=f"Source {finding.subject} is {finding.grade.value}",
        details=finding.sentence,
        fix=finding.fix,
        source_id=finding.subject,
        run_id=finding.run_id,
    )


def _of_disk(finding: Finding) -> Trouble:
    severity = Severity.P1 if finding.grade is Grade.FAILING else Severity.P2
    return Trouble("disk", "disk", severity, KINDS["disk"].title, details=finding.sentence, fix=finding.fix)


def _unheeded(connection: Connection, *, limit: int = _MOST_AT_ONCE) -> list[Event]:
    newest = connection.execute(select(func.max(alert_occurrences.c.at))).scalar()
    since = newest - _LATE if newest is not None else _BEGINNING
    is_heeded = select(alert_occurrences.c.event_id).where(alert_occurrences.c.event_id == events.c.id)
    # A range of words, not LIKE: the index on them can answer it.
    is_ours = or_(
        events.c.event_type.in_(sorted(HEEDED)),
        (events.c.event_type >= PREFIX) & (events.c.event_type < _AFTER_PREFIX),
    )
    question = select(events).where(is_ours, events.c.created_at >= since, ~is_heeded.exists())
    return [Event(**row._mapping) for row in connection.execute(question.order_by(events.c.id).limit(limit))]


def _act(connection: Connection, event: Event, *, now: datetime) -> int | None:
    asked = heed(event)
    if asked is None:
        return None
    if isinstance(asked, Clearing):
        return clear_alerts(connection, asked.kinds, asked.subject, by=asked.by, now=now)
    evidence = dict(asked.evidence) | _pages(connection, event)
    return raise_alert(connection, replace(asked, evidence=evidence), now=event.created_at)


def _pages(connection: Connection, event: Event) -> dict[str, Any]:
    """Return where to look: a few jobs that went wrong, and the last one that went well."""
    adapter_id = event.payload.get("adapter_id")
    if event.run_id is None or adapter_id is None:
        return {}
    of_run = select(jobs.c.id).where(jobs.c.run_id == event.run_id, jobs.c.site_id == adapter_id)
    bad = connection.execute(of_run.where(jobs.c.state.in_(_BAD)).order_by(jobs.c.id).limit(_SAMPLE))
    good = connection.execute(
        select(jobs.c.id)
        .where(
            jobs.c.site_id == adapter_id,
            jobs.c.state == JobState.SUCCEEDED.value,
            jobs.c.run_id <= event.run_id,
            jobs.c.rereads.is_(None),
        )
        .order_by(jobs.c.id.desc())
        .limit(1)
    )
    return {"bad_jobs": list(bad.scalars()), "last_good_job": good.scalar()}
