"""Whom we told about which alert: planned once per destination, claimed before it is sent, tried again a few times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, and_, exists, insert, select, update

from limpet.record.alert_tables import AlertStatus, DeliveryState, alert_deliveries, alerts
from limpet.record.alerts import Alert
from limpet.record.logbook import log_event
from limpet.record.storable import storable

News = Literal["opened", "resolved"]
MOST_TRIES = 5
_CLAIM = timedelta(minutes=2)  # longer than one sending may take
_MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Due:
    """One piece of news for one destination."""

    id: int
    destination: str
    news: str
    tries: int
    alert: Alert


def plan_deliveries(
    connection: Connection,
    destination: str,
    *,
    severities: Sequence[str],
    not_before: Callable[[str], datetime],
    now: datetime,
) -> None:
    """Write down what this destination has not been told: alerts that are open, and the end of those it knows."""
    news: dict[News, Any] = {
        "opened": and_(alerts.c.status == AlertStatus.OPEN.value, alerts.c.severity.in_(severities)),
        "resolved": and_(
            alerts.c.status == AlertStatus.RESOLVED.value,
            _has(destination, "opened", DeliveryState.SENT),
        ),
    }
    for word, which in news.items():
        untold = select(alerts.c.id, alerts.c.severity).where(which, ~_has(destination, word))
        for alert_id, severity in connection.execute(untold.limit(_MOST_AT_ONCE)).all():
            values = {
                "alert_id": alert_id,
                "destination": destination,
                "news": word,
                "state": DeliveryState.WAITING.value,
                "tries": 0,
                "not_before": not_before(severity),
                "created_at": now,
            }
            connection.execute(insert(alert_deliveries).values(values))


def claim_due(connection: Connection, *, now: datetime) -> list[Due]:
    """Return what is to be sent now; nobody else gets it before the claim ends."""
    row = alert_deliveries.c
    columns = [alerts.c[name].label(f"alert_{name}") for name in Alert.__slots__]
    question = (
        select(row.id, row.destination, row.news, row.tries, *columns)
        .join(alerts, alerts.c.id == row.alert_id)
        .where(row.state == DeliveryState.WAITING.value, row.not_before <= now)
        .order_by(row.id)
        .limit(_MOST_AT_ONCE)
        .with_for_update(of=alert_deliveries, skip_locked=True)
    )
    found = [_due(each._mapping) for each in connection.execute(question)]
    ids = [each.id for each in found]
    connection.execute(
        update(alert_deliveries).where(row.id.in_(ids)).values(not_before=now + _CLAIM, tries=row.tries + 1)
    )
    return found


def note_sent(connection: Connection, sent: Sequence[Due], *, now: datetime) -> None:
    """Remember that it arrived."""
    values = {"state": DeliveryState.SENT.value, "sent_at": now, "last_error": None}
    _update(connection, sent, values)


def note_not_sent(connection: Connection, unsent: Sequence[Due], error: str, *, now: datetime) -> None:
    """Try again a little later, or give up after the last try and say so."""
    for each in unsent:
        tries = each.tries + 1
        is_over = tries >= MOST_TRIES
        values: dict[str, Any] = {
            "last_error": storable(error),
            "not_before": now + timedelta(seconds=2**tries),
        }
        if is_over:
            values["state"] = DeliveryState.FAILED.value
            payload = {"alert": each.alert.id, "destination": each.destination, "details": error}
            log_event(connection, "delivery_failed", now=now, payload=payload)
        _update(connection, [each], values)


def deliveries_of(connection: Connection, alert_id: int) -> list[Mapping[str, Any]]:
    """Return who was told about an alert, and how that went."""
    question = select(alert_deliveries).where(alert_deliveries.c.alert_id == alert_id)
    return [dict(row._mapping) for row in connection.execute(question.order_by(alert_deliveries.c.id))]


def _has(destination: str, news: str, state: DeliveryState | None = None) -> Any:
    row = alert_deliveries.c
    which = [row.alert_id == alerts.c.id, row.destination == destination, row.news == news]
    if state is not None:
        which.append(row.state == state.value)
    return exists().where(*which).correlate(alerts)


def _update(connection: Connection, which: Sequence[Due], values: Mapping[str, Any]) -> None:
    ids = [each.id for each in which]
    connection.execute(update(alert_deliveries).where(alert_deliveries.c.id.in_(ids)).values(dict(values)))


def _due(row: Mapping[Any, Any]) -> Due:
    alert = Alert(**{name: row[f"alert_{name}"] for name in Alert.__slots__})
    return Due(row["id"], row["destination"], row["news"], row["tries"], alert)
