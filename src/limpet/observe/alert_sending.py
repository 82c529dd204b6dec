"""Tells people: one message per destination with all its news, spoken by a process of its own."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from limpet.observe.quiet_hours import QuietHours
from limpet.record.alert_deliveries import Due
from limpet.record.alert_tables import Severity

PATIENCE_SECONDS = 60.0
_EVERYTHING = tuple(severity.value for severity in Severity)
_KINDS = {"P1": "failure", "P2": "warning", "P3": "info"}  # as Apprise calls them


@dataclass(frozen=True, slots=True)
class Destination:
    """One address of Apprise's making; it holds secrets, so only its label is ever shown or stored."""

    url: str = field(repr=False)
    severities: tuple[str, ...] = _EVERYTHING

    @property
    def label(self) -> str:
        """Its kind and a short hash."""
        kind = self.url.partition("://")[0][:20] or "unknown"
        return f"{kind}-{hashlib.sha256(self.url.encode()).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class Audience:
    """Whom to tell, and when not to."""

    destinations: tuple[Destination, ...] = ()
    quiet_hours: QuietHours | None = None
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """What is said."""

    title: str
    body: str
    kind: str = "info"


def compose(news: Sequence[Due]) -> Message:
    """Return one message for all of this news."""
    worst = min(each.alert.severity for each in news)
    opened = any(each.news == "opened" for each in news)
    title = _headline(news[0]) if len(news) == 1 else f"Limpet: {len(news)} alerts"
    body = "\n\n".join(_paragraph(each) for each in news)
    return Message(title, body, _KINDS[worst] if opened else "success")


def _headline(news: Due) -> str:
    word = news.alert.severity if news.news == "opened" else "resolved"
    return f"Limpet {word}: {news.alert.title}"


def _paragraph(news: Due) -> str:
    alert = news.alert
    if news.news == "resolved":
        return f"Resolved: {alert.title} (alert {alert.id}, by {alert.resolved_by})"
    lines = [
        f"{alert.severity}: {alert.title}",
        alert.details,
        f"What to do: {alert.fix}" if alert.fix else "",
    ]
    run = f", run {alert.run_id}" if alert.run_id else ""
    lines.append(f"Alert {alert.id}{run}, seen {alert.occurrences} times. limpet alerts show {alert.id}")
    return "\n".join(line for line in lines if line)


async def send(destination: Destination, message: Message, *, allow_private: bool) -> str | None:
    """Send it; return None when it arrived, otherwise why not."""
    asked = {"url": destination.url, "title": message.title, "body": message.body, "kind": message.kind}
    command = (sys.executable, "-m", "limpet.observe.alert_voice")
    child = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},  # no proxy of ours may stand between the guard and what it guards
    )
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            said, _ = await child.communicate(json.dumps(asked | {"allow_private": allow_private}).encode())
    except TimeoutError:
        return f"it did not answer within {PATIENCE_SECONDS:.0f} s"
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return _understood(said)


def _understood(said: bytes) -> str | None:
    try:
        error = json.loads(said)["error"]
    except (ValueError, KeyError, TypeError):
        return "the sending process ended without a word"
    return None if error is None else str(error)
