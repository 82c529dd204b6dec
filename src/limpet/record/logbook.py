"""What happened and who did it: events, errors, the audit log, and how each adapter stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, or_, select, update

from limpet.record.log_tables import audit_log, events, scrape_adapter_status, scraper_errors
from limpet.record.storable import redact_url, storable, storable_json, storable_or_none
from limpet.record.upserting import upsert

_ORDINARY = ("run_started", "run_stopped", "run_ended")


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; ids grow in the order of commits of one process."""

    id: int
    event_type: str
    created_at: datetime
    run_id: int | None
    target_id: int | None
    source_id: str | None
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Something a person or a rule decided."""

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    reason: str
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AdapterStatus:
    """How an adapter stands; a name the ledger has never heard of is enabled and has no baseline."""

    adapter_id: str
    enabled: bool = True
    disabled_at: datetime | None = None
    disabled_reason: str | None = None
    disabled_by: str | None = None
    baseline_failure_rate: float | None = None
    baseline_yield_rate: float | None = None
    baseline_sample_size: int = 0
    baseline_updated_at: datetime | None = None
    consecutive_failed_batches: int = 0
    last_batch_failure_rate: float | None = None
    disabled_details: str | None = None
    consecutive_zero_offer_runs: int = 0
    consecutive_zero_price_runs: int = 0
    watched_since: datetime | None = None  # switched on again, and not yet proven by its canary


def log_event(
    connection: Connection,
    event_type: str,
    *,
    now: datetime,
    run_id: int | None = None,
    target_id: int | None = None,
    source_id: str | None = None,
    payload: Mapping[str, Any] | None = None,
) -> int:
    """Note an event and return its id."""
    values = {
        "event_type": event_type,
        "run_id": run_id,
        "target_id": target_id,
        "source_id": source_id,
        "payload": storable_json(payload or {}),
        "created_at": now,
    }
    return _inserted(connection.execute(insert(events).values(values)))


def list_events(
    connection: Connection,
    *,
    after: int = 0,
    limit: int = 500,
    run_id: int | None = None,
    event_type: str | None = None,
) -> list[Event]:
    """Return events in order, starting above an id."""
    question = select(events).where(events.c.id > after).order_by(events.c.id).limit(limit)
    if run_id is not None:
        question = question.where(events.c.run_id == run_id)
    if event_type is not None:
        question = question.where(events.c.event_type == event_type)
    return [Event(**row._mapping) for row in connection.execute(question)]


def notable_events(connection: Connection, run_id: int, *, limit: int = 100) -> list[Event]:
    """Return what a run switched off, proved or gave alarm about; that it began and ended is ordinary."""
    question = select(events).where(events.c.run_id == run_id, events.c.event_type.not_in(_ORDINARY))
    rows = connection.execute(question.order_by(events.c.id).limit(limit))
    return [Event(**row._mapping) for row in rows]


def log_error(
    connection: Connection,
    scraper_id: str,
    error_type: str,
    *,
    now: datetime,
    error_message: str | None = None,
    stack_trace: str | None = None,
    match_id: str | None = None,
    url: str | None = None,
    operation: str | None = None,
    retry_attempt: int = 0,
) -> int:
    """Note an error for analysis and return its id; the address loses its query."""
    values = {
        "scraper_id": scraper_id,
        "match_id": match_id,
        "timestamp": now,
        "error_type": error_type,
        "error_message": storable_or_none(error_message),
        "stack_trace": storable_or_none(stack_trace),
        "url": redact_url(url) if url else None,
        "operation": operation,
        "retry_attempt": retry_attempt,
        "resolved": False,
    }
    return _inserted(connection.execute(insert(scraper_errors).values(values)))


def resolve_errors(connection: Connection, scraper_id: str, method: str, *, now: datetime) -> int:
    """Mark the scraper's open errors as resolved; return how many there were."""
    still_open = update(scraper_errors).where(
        scraper_errors.c.scraper_id == scraper_id, scraper_errors.c.resolved.is_(False)
    )
    values = {"resolved": True, "resolution_time": now, "resolution_method": method}
    return connection.execute(still_open.values(values)).rowcount


def audit(
    connection: Connection,
    actor: str,
    action: str,
    *,
    subject: str,
    now: datetime,
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> int:
    """Note who did what to what, and why."""
    values = {
        "at": now,
        "actor": storable(actor),
        "action": action,
        "subject": storable(subject),
        "reason": storable(reason),
        "details": storable_json(details or {}),
    }
    return _inserted(connection.execute(insert(audit_log).values(values)))


def list_audit(
    connection: Connection,
    *,
    subject: str | None = None,
    actor: str | None = None,
    text: str | None = None,
    before: int | None = None,
    limit: int = 200,
) -> list[AuditEntry]:
    """Return the newest audit entries first; `before` is the id a page starts below."""
    question = select(audit_log).order_by(audit_log.c.id.desc()).limit(limit)
    if before is not None:
        question = question.where(audit_log.c.id < before)
    if actor is not None:
        question = question.where(audit_log.c.actor == actor)
    if text is not None:
        said = [audit_log.c[name].contains(text, autoescape=True) for name in ("action", "subject", "reason")]
        question = question.where(or_(*said))
    if subject is not None:
        question = question.where(audit_log.c.subject == subject)
    return [AuditEntry(**row._mapping) for row in connection.execute(question)]


def adapter_status(connection: Connection, adapter_id: str) -> AdapterStatus:
    """Return how the adapter stands."""
    columns = [scrape_adapter_status.c[name] for name in AdapterStatus.__slots__]
    question = select(*columns).where(scrape_adapter_status.c.adapter_id == adapter_id)
    row = connection.execute(question).one_or_none()
    return AdapterStatus(adapter_id) if row is None else AdapterStatus(**row._mapping)


def put_adapter_status(connection: Connection, status: AdapterStatus, *, now: datetime) -> None:
    """Write how the adapter stands now."""
    values = asdict(status) | {"updated_at": now}
    new = values | {"created_at": now}
    upsert(connection, scrape_adapter_status, new, key=["adapter_id"], changes=values)


def _inserted(result: Any) -> int:
    return int(result.inserted_primary_key[0])
