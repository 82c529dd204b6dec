"""What asks for a person: alerts, the events behind each, and whom we have told."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, text

from limpet.record.tables import metadata, only
from limpet.record.types import Json, RowId, UtcTime


class Severity(StrEnum):
    """How soon somebody should look."""

    P1 = "P1"  # now, whatever the hour
    P2 = "P2"  # today
    P3 = "P3"  # when there is time


class AlertStatus(StrEnum):
    """How an alert stands; a resolved one stays as history."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"  # somebody looks after it
    RESOLVED = "resolved"


class DeliveryState(StrEnum):
    """How far the telling came."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"  # after the last try


_IS_ALIVE = text("status <> 'resolved'")

alerts = Table(
    "alerts",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),  # such as "adapter sgammo", "source shop", "disk"
    Column("severity", Text, only("severity", Severity), nullable=False),
    Column("status", Text, only("status", AlertStatus), nullable=False),
    Column("title", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("fix", Text, nullable=False),
    Column("source_id", Text),
    Column("run_id", RowId),
    Column("evidence", Json, nullable=False),
    Column("occurrences", Integer, nullable=False),
    Column("first_seen_at", UtcTime, nullable=False),
    Column("last_seen_at", UtcTime, nullable=False),
    Column("acknowledged_at", UtcTime),
    Column("acknowledged_by", Text),
    Column("resolved_at", UtcTime),
    Column("resolved_by", Text),
    Column("note", Text),  # what the person said who acknowledged or resolved it
    # The same trouble is one alert until it is resolved, however often and by whomever it is noticed.
    Index(
        "uq_alerts_alive", "kind", "subject", unique=True, sqlite_where=_IS_ALIVE, postgresql_where=_IS_ALIVE
    ),
    Index("ix_alerts_status_last_seen_at", "status", "last_seen_at"),
)

alert_occurrences = Table(
    "alert_occurrences",
    metadata,
    # An event is heeded once, whoever looks first.
    Column("event_id", RowId, primary_key=True, autoincrement=False),
    Column("alert_id", RowId, ForeignKey("alerts.id")),  # none when it cleared what was not there
    Column("at", UtcTime, nullable=False),
    Index("ix_alert_occurrences_alert_id", "alert_id"),
    Index("ix_alert_occurrences_at", "at"),
)

alert_deliveries = Table(
    "alert_deliveries",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("alert_id", RowId, ForeignKey("alerts.id"), nullable=False),
    Column("destination", Text, nullable=False),  # its kind and a short hash: the address is a secret
    Column("news", Text, nullable=False),  # opened, resolved
    Column("state", Text, only("state", DeliveryState), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("not_before", UtcTime, nullable=False),
    Column("last_error", Text),
    Column("created_at", UtcTime, nullable=False),
    Column("sent_at", UtcTime),
    UniqueConstraint("alert_id", "destination", "news"),
    Index("ix_alert_deliveries_state_not_before", "state", "not_before"),
)
