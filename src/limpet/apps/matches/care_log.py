"""Writes and reads what the monitor remembers about itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from limpet.apps.matches.care_tables import match_orders, recovery_audit, scraper_health_log
from limpet.apps.matches.recovery import RecoveryAuditEntry
from limpet.record.storable import storable, storable_json, storable_or_none


def put_health_log(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Note how every session is doing."""
    if rows:
        connection.execute(insert(scraper_health_log), list(rows))


def put_audit(connection: Connection, entry: RecoveryAuditEntry) -> None:
    """Note a recovery that was begun."""
    values = {
        "entry_id": entry.entry_id,
        "timestamp": entry.timestamp,
        "action_type": entry.action_type.value,
        "trigger_condition": storable(entry.trigger_condition),
        "outcome": entry.outcome.value if entry.outcome else None,
        "judged_at": entry.judged_at,
        "duration_seconds": entry.duration_seconds,
        "metadata": storable_json(entry.metadata),
    }
    connection.execute(insert(recovery_audit).values(values))


def put_verdicts(connection: Connection, entries: Sequence[RecoveryAuditEntry]) -> None:
    """Note what came of recoveries."""
    for entry in entries:
        values = {
            "outcome": entry.outcome.value if entry.outcome else None,
            "judged_at": entry.judged_at,
            "metadata": storable_json(entry.metadata),
        }
        connection.execute(
            update(recovery_audit).where(recovery_audit.c.entry_id == entry.entry_id).values(values)
        )


def recoveries(connection: Connection, *, limit: int = 200) -> list[dict[str, Any]]:
    """Return the newest recoveries first."""
    question = select(recovery_audit).order_by(recovery_audit.c.timestamp.desc()).limit(limit)
    return [dict(row._mapping) for row in connection.execute(question)]


# -- orders ------------------------------------------------------------------------------------------------


def give_order(
    connection: Connection,
    action: str,
    match_id: str | None,
    *,
    by: str,
    reason: str,
    now: datetime,
) -> int:
    """Leave an order for whichever process watches; return its number."""
    values = {
        "action": action,
        "match_id": storable_or_none(match_id),
        "requested_by": storable(by),
        "reason": storable(reason),
        "requested_at": now,
    }
    made = insert(match_orders).values(values).returning(match_orders.c.id)
    return int(connection.execute(made).scalar_one())


def open_orders(connection: Connection) -> list[dict[str, Any]]:
    """Return the orders nobody has carried out yet, oldest first."""
    question = select(match_orders).where(match_orders.c.done_at.is_(None)).order_by(match_orders.c.id)
    return [dict(row._mapping) for row in connection.execute(question)]


def order_outcome(connection: Connection, order_id: int) -> str | None:
    """Return what came of an order; None while it waits."""
    question = select(match_orders.c.outcome).where(match_orders.c.id == order_id)
    return connection.execute(question).scalar_one_or_none()


def settle_order(connection: Connection, order_id: int, outcome: str, *, now: datetime) -> None:
    """Note what came of an order."""
    done = update(match_orders).where(match_orders.c.id == order_id)
    connection.execute(done.values(done_at=now, outcome=storable(outcome)))
