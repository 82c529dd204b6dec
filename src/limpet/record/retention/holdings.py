"""How much of each kind there is, for people who decide how long to keep it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from limpet.record.log_tables import audit_log, snapshots
from limpet.record.logbook import AuditEntry, list_audit
from limpet.record.retention.horizons import latest_horizons
from limpet.record.retention.policy import Kind
from limpet.record.retention.rows import TABLES
from limpet.record.retention.words import APPLIED, SUBJECT


@dataclass(frozen=True, slots=True)
class Holding:
    """One kind: how much there is, and from when on it is whole."""

    kind: Kind
    rows: int
    stored_bytes: int | None  # known of pages alone
    complete_since: datetime | None  # none when nothing of it was ever removed
    removed: int = 0  # pages whose hash is all that is left


def holdings(connection: Connection) -> list[Holding]:
    """Count every kind."""
    since = latest_horizons(connection)
    counted = [
        Holding(
            kind,
            connection.execute(select(func.count()).select_from(table)).scalar_one(),
            None,
            since.get(kind.value),
        )
        for kind, table in TABLES.items()
    ]
    return [_pages(connection), *counted]


def last_application(connection: Connection) -> AuditEntry | None:
    """Return the account of the last time the rules were applied."""
    found = list_audit(connection, subject=SUBJECT, text=APPLIED, limit=1)
    return found[0] if found else None


def last_applied_whole_at(connection: Connection) -> datetime | None:
    """Return when the rules were last applied to the end."""
    row = audit_log.c
    question = select(row.at, row.details).where(row.subject == SUBJECT, row.action == APPLIED)
    for at, details in connection.execute(question.order_by(row.at.desc()).limit(50)):
        if not details.get("was_interrupted"):
            moment: datetime = at
            return moment
    return None


def _pages(connection: Connection) -> Holding:
    is_kept = snapshots.c.purged_at.is_(None)
    kept = select(func.count(), func.coalesce(func.sum(snapshots.c.stored_bytes), 0)).where(is_kept)
    count, octets = connection.execute(kept).one()
    removed = connection.execute(select(func.count()).select_from(snapshots).where(~is_kept)).scalar_one()
    return Holding(Kind.PAGES, count, int(octets), None, removed)
