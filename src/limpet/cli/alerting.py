"""What the verb `alerts` does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any

from rich.table import Table
from sqlalchemy import Connection

from limpet.assembly.alerting import audience_of
from limpet.cli.in_ledger import decide
from limpet.cli.listing import Row
from limpet.cli.opening import read_settings
from limpet.cli.terminal import Terminal
from limpet.errors import NothingToDo
from limpet.observe.alert_sending import Message, send
from limpet.observe.alert_sweep import sweep
from limpet.record import alerts
from limpet.record.alert_deliveries import deliveries_of
from limpet.record.alerts import Alert

_TEST = Message("Limpet: a test", "If you can read this, alerts reach you. Nothing is wrong.")


def alert_rows(*, everything: bool, limit: int) -> list[Row]:
    """Return alerts as rows, after heeding whatever happened up to now."""

    def ask(connection: Connection, **_: Any) -> list[Alert]:
        return alerts.list_alerts(connection, is_alive=None if everything else True, limit=limit)

    return [asdict(alert) | {"seen": alert.occurrences} for alert in _up_to_now(ask)]


def alert_story(alert_id: int) -> dict[str, Any]:
    """Return everything about one alert."""

    def ask(connection: Connection, **_: Any) -> dict[str, Any]:
        return {
            "alert": asdict(alerts.find_alert(connection, alert_id)),
            "events": [asdict(event) for event in alerts.events_of(connection, alert_id)],
            "deliveries": deliveries_of(connection, alert_id),
        }

    story: dict[str, Any] = _up_to_now(ask)
    return story


def print_story(story: dict[str, Any]) -> None:
    """Print an alert for people."""
    alert, console = story["alert"], Terminal()
    console.print(f"{alert['severity']} {alert['status']}: {alert['title']}", style="bold")
    for line in (alert["details"], f"What to do: {alert['fix']}" if alert["fix"] else ""):
        if line:
            console.print(line)
    table = Table(show_header=False, show_edge=False, box=None)
    for name, value in _facts(alert).items():
        table.add_row(name, str(value))
    console.print(table)
    for event in story["events"]:
        console.print(f"{event['created_at']:%Y-%m-%d %H:%M:%S} {event['event_type']}")
    for each in story["deliveries"]:
        error = f": {each['last_error']}" if each["last_error"] else ""
        console.print(f"told {each['destination']} ({each['news']}): {each['state']}{error}")


def _facts(alert: dict[str, Any]) -> dict[str, object]:
    facts = {
        "subject": alert["subject"],
        "seen": f"{alert['occurrences']} times, first {alert['first_seen_at']:%Y-%m-%d %H:%M}",
        "run": alert["run_id"],
        "acknowledged by": alert["acknowledged_by"],
        "resolved by": alert["resolved_by"],
        "note": alert["note"],
    }
    facts |= {name.replace("_", " "): value for name, value in alert["evidence"].items() if name != "metrics"}
    return {name: value for name, value in facts.items() if value not in (None, "", [])}


def acknowledge_alert(alert_id: int, note: str) -> None:
    """Take it, in the name of whoever is logged in."""
    _up_to_now(partial(alerts.acknowledge, alert_id=alert_id, note=note))


def resolve_alert(alert_id: int, note: str) -> None:
    """Close it, in the name of whoever is logged in."""
    _up_to_now(partial(alerts.resolve, alert_id=alert_id, note=note))


def try_destinations() -> dict[str, str | None]:
    """Send a test message to every destination; return what went wrong, by label."""
    audience = audience_of(read_settings())
    if not audience.destinations:
        raise NothingToDo(
            "Nobody would be told: no destination is configured.",
            fix="Set LIMPET_ALERT_URLS, or alert_urls under [settings]; docs/settings.md has examples.",
        )

    async def try_all() -> dict[str, str | None]:
        allow = audience.allow_private
        return {each.label: await send(each, _TEST, allow_private=allow) for each in audience.destinations}

    return asyncio.run(try_all())


def _up_to_now(act: Callable[..., Any]) -> Any:
    """Do it after heeding whatever happened up to now, in the same transaction."""

    def deed(connection: Connection, *, by: str, now: datetime) -> Any:
        sweep(connection, now=now)
        return act(connection, by=by, now=now)

    return decide(deed)
