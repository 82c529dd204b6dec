"""Switches in the ledger: what is off, who turned it off and why. Turning on needs a person and a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select

from limpet.errors import NotThere, UnknownSource, UsageError
from limpet.record.access.halting import halts_in_force
from limpet.record.bulk import BulkInsert, is_sqlite, moment_writer
from limpet.record.log_tables import scrape_adapter_status, source_switches
from limpet.record.logbook import AdapterStatus, adapter_status, audit, log_event, put_adapter_status
from limpet.record.storable import storable
from limpet.record.tables import sources
from limpet.source import Switch, SwitchKind, SwitchReason

_NEW_SWITCH = BulkInsert(
    "source_switches",
    ("source_id", "reason", "details", "switched_off_at", "switched_off_by"),
    skip_known=True,
)
_NEW_STATUS = BulkInsert(
    "scrape_adapter_status", ("adapter_id", "enabled", "created_at", "updated_at"), skip_known=True
)


def switches(connection: Connection) -> list[Switch]:
    """Return everything that is off."""
    adapters = select(scrape_adapter_status).where(scrape_adapter_status.c.enabled.is_(False))
    found = [
        Switch(
            SwitchKind.ADAPTER,
            row.adapter_id,
            row.disabled_reason or SwitchReason.MANUAL.value,
            row.disabled_details or "",
            row.disabled_at or row.updated_at,
            row.disabled_by or "somebody",
        )
        for row in connection.execute(adapters)
    ]
    for row in connection.execute(select(source_switches)):
        by, at = row.switched_off_by, row.switched_off_at
        found.append(Switch(SwitchKind.SOURCE, row.source_id, row.reason, row.details, at, by))
    return [*found, *halts_in_force(connection)]


def lock_adapter_status(connection: Connection, adapter_id: str, *, now: datetime) -> AdapterStatus:
    """Return how the adapter stands, held until the transaction ends: two runs may conclude at once."""
    at = moment_writer(connection)(now)
    _NEW_STATUS.run(connection, [(adapter_id, True, at, at)])
    if not is_sqlite(connection):
        its_row = scrape_adapter_status.c.adapter_id == adapter_id
        connection.execute(select(scrape_adapter_status.c.adapter_id).where(its_row).with_for_update())
    return adapter_status(connection, adapter_id)


def disable_adapter(connection: Connection, adapter_id: str, *, by: str, reason: str, now: datetime) -> None:
    """Switch an adapter off by hand."""
    said = _reason(reason)
    status = lock_adapter_status(connection, adapter_id, now=now)
    off = replace(
        status,
        enabled=False,
        disabled_at=now,
        disabled_reason=SwitchReason.MANUAL.value,
        disabled_by=storable(by),
        disabled_details=said,
        watched_since=None,
    )
    put_adapter_status(connection, off, now=now)
    audit(connection, by, "disable_adapter", subject=f"adapter {adapter_id}", now=now, reason=said)
    payload = {"adapter_id": adapter_id, "reason": SwitchReason.MANUAL.value, "details": said}
    log_event(connection, "adapter_disabled", now=now, payload=payload)


def enable_adapter(
    connection: Connection,
    adapter_id: str,
    *,
    by: str,
    reason: str,
    now: datetime,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Switch an adapter on again; its series of bad batches is forgotten, and its next run is watched closely."""
    said = _reason(reason)
    status = lock_adapter_status(connection, adapter_id, now=now)
    if status.enabled:
        raise NotThere(f"The adapter {adapter_id!r} is not switched off.", fix="`limpet adapters list`.")
    on = replace(
        status,
        enabled=True,
        disabled_at=None,
        disabled_reason=None,
        disabled_by=None,
        disabled_details=None,
        consecutive_failed_batches=0,
        consecutive_zero_offer_runs=0,
        consecutive_zero_price_runs=0,
        watched_since=now,
    )
    put_adapter_status(connection, on, now=now)
    subject = f"adapter {adapter_id}"
    audit(connection, by, "enable_adapter", subject=subject, now=now, reason=said, details=details)
    log_event(
        connection, "adapter_enabled", now=now, payload={"adapter_id": adapter_id, "by": by, "reason": said}
    )


def adapter_statuses(connection: Connection, *, watched: bool = False) -> Sequence[AdapterStatus]:
    """Return every adapter the ledger has an opinion of, or those whose canary is awaited."""
    question = select(*(scrape_adapter_status.c[name] for name in AdapterStatus.__slots__))
    if watched:
        question = question.where(scrape_adapter_status.c.watched_since.is_not(None))
    return [AdapterStatus(**row._mapping) for row in connection.execute(question)]


def stop_source(
    connection: Connection,
    source_id: str,
    *,
    by: str,
    reason: SwitchReason,
    details: str,
    now: datetime,
    run_id: int | None = None,
) -> bool:
    """Switch a source off; return False when it was off already."""
    at = moment_writer(connection)(now)
    if not _NEW_SWITCH.run(connection, [(source_id, reason.value, storable(details), at, storable(by))]):
        return False
    audit(connection, by, "disable_source", subject=f"source {source_id}", now=now, reason=details)
    payload = {"reason": reason.value, "details": details, "by": by}
    log_event(connection, "source_disabled", now=now, run_id=run_id, source_id=source_id, payload=payload)
    return True


def disable_source(connection: Connection, source_id: str, *, by: str, reason: str, now: datetime) -> None:
    """Switch a source off by hand."""
    said = _reason(reason)
    if connection.execute(select(sources.c.id).where(sources.c.id == source_id)).first() is None:
        raise UnknownSource(f"There is no source {source_id!r}.", fix="`limpet list sources`.")
    if not stop_source(connection, source_id, by=by, reason=SwitchReason.MANUAL, details=said, now=now):
        raise NotThere(f"The source {source_id!r} is switched off already.", fix="`limpet list sources`.")


def enable_source(connection: Connection, source_id: str, *, by: str, reason: str, now: datetime) -> None:
    """Switch a source on again; what stands in the configuration still holds."""
    said = _reason(reason)
    gone = connection.execute(delete(source_switches).where(source_switches.c.source_id == source_id))
    if not gone.rowcount:
        raise NotThere(
            f"The source {source_id!r} was not switched off at runtime.",
            fix="`limpet list sources` says what keeps its gate shut.",
        )
    audit(connection, by, "enable_source", subject=f"source {source_id}", now=now, reason=said)
    log_event(connection, "source_enabled", now=now, source_id=source_id, payload={"by": by, "reason": said})


def _reason(reason: str) -> str:
    if not reason.strip():
        raise UsageError("A switch needs a reason.", fix="Say why in a few words.")
    return storable(reason.strip())
