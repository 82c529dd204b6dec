"""The emergency stop: everything, or one app. Nothing more is asked of anybody until a person releases it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, select

from limpet.errors import NotThere, UsageError
from limpet.record.access.tables import halts
from limpet.record.bulk import BulkInsert, moment_writer
from limpet.record.logbook import audit, log_event
from limpet.record.storable import storable
from limpet.source import Switch, SwitchKind, SwitchReason
from limpet.source.switch import EVERYTHING

_NEW_HALT = BulkInsert("halts", ("scope", "reason", "halted_at", "halted_by"), skip_known=True)


def halts_in_force(connection: Connection) -> list[Switch]:
    """Return every stop as the switch it is."""
    return [
        Switch(
            SwitchKind.EVERYTHING if row.scope == EVERYTHING else SwitchKind.APP,
            row.scope,
            SwitchReason.EMERGENCY_STOP.value,
            row.reason,
            row.halted_at,
            row.halted_by,
        )
        for row in connection.execute(select(halts).order_by(halts.c.halted_at))
    ]


def halt(connection: Connection, scope: str, *, by: str, reason: str, now: datetime) -> None:
    """Stop everything or one app; saying it twice changes nothing."""
    said = _said(reason)
    at = moment_writer(connection)(now)
    if _NEW_HALT.run(connection, [(scope, said, at, storable(by))]):
        audit(connection, by, "emergency_stop", subject=scope, now=now, reason=said)
        payload = {"subject": scope, "reason": SwitchReason.EMERGENCY_STOP.value, "details": said, "by": by}
        log_event(connection, "emergency_stop", now=now, payload=payload)


def release_halt(connection: Connection, scope: str, *, by: str, reason: str, now: datetime) -> None:
    """Let it go on; other switches still hold."""
    said = _said(reason)
    if not connection.execute(delete(halts).where(halts.c.scope == scope)).rowcount:
        raise NotThere(f"{scope[:80]!r} is not stopped.", fix="The overview shows what is.")
    audit(connection, by, "release_stop", subject=scope, now=now, reason=said)
    log_event(
        connection, "emergency_stop_released", now=now, payload={"subject": scope, "by": by, "details": said}
    )


def _said(reason: str) -> str:
    if not reason.strip():
        raise UsageError("A stop needs a reason.", fix="Say why in a few words.")
    return storable(reason.strip())
