"""Which events ask for a person, how urgently, and what ends that. Any event named `alert_…` does.

An app raises an alert with `ledger.log_event("alert_<kind>", source_id=…, run_id=…, payload={…})`. The payload may say
`title`, `severity`, `subject`, `details` and `fix`; the rest of it is kept as evidence. What is left out is filled in
from the table below, so that a kind of trouble reads the same wherever it is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from limpet.record.alert_tables import Severity
from limpet.record.alerts import Trouble
from limpet.record.logbook import Event
from limpet.source import SwitchReason

PREFIX = "alert_"
RUNBOOKS = "docs/operations.md"


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of trouble is told."""

    severity: Severity
    title: str  # {subject} is filled in
    fix: str


@dataclass(frozen=True, slots=True)
class Clearing:
    """The trouble is over: these kinds of alerts about the subject are resolved."""

    kinds: tuple[str, ...]
    subject: str
    by: str


_LOOK_AT_RUN = "limpet show RUN --state failed; the pages it kept say why."
_ENABLE = (
    "See what changed: limpet repair ADAPTER. Mend it, then: limpet adapters enable ADAPTER --reason ..."
)
KINDS: Mapping[str, Kind] = {
    "adapter_disabled": Kind(Severity.P1, "{subject} was switched off by drift", _ENABLE),
    "source_disabled": Kind(
        Severity.P1,
        "{subject} was stopped: the site says no",
        "Ask the site; then: limpet sources enable SOURCE",
    ),
    "high_failure_rate": Kind(
        Severity.P2, "{subject}: more than half of a batch ended in trouble", _LOOK_AT_RUN
    ),
    "zero_offers": Kind(Severity.P2, "{subject}: nothing was extracted from a whole batch", _LOOK_AT_RUN),
    "zero_price": Kind(
        Severity.P2,
        "{subject}: prices of zero",
        "Look at them: limpet quarantine list. Where there were prices before, or many are zero, the next such batch "
        "switches the adapter off.",
    ),
    "unusual_batch": Kind(Severity.P3, "{subject}: a batch far from what is usual", _LOOK_AT_RUN),
    "queue_rejected": Kind(
        Severity.P2,
        "{subject}: runs are refused, the queue is full",
        "limpet resume, or raise LIMPET_MAX_PENDING_*",
    ),
    "scheduler_backoff": Kind(
        Severity.P2,
        "{subject}: the scheduler waits for more than half an hour",
        "Let runs finish: limpet list",
    ),
    "stale_targets": Kind(
        Severity.P3,
        "Targets wait for more than a day",
        "More pace or fewer targets; a run by hand takes them up.",
    ),
    "poison_job": Kind(
        Severity.P2,
        "{subject}: a job was set aside that nobody came back from",
        "limpet status says which and why; release it with: limpet targets recheck TARGET --reason ...",
    ),
    "run_stuck": Kind(
        Severity.P2, "{subject} cannot go on", "limpet show RUN says how far it is; the details say why."
    ),
    "grade": Kind(Severity.P2, "{subject} is not healthy", "Its page in the portal says why."),
    "disk": Kind(Severity.P1, "The disk is nearly full", "Free some space, then: limpet resume"),
    "mass_deactivation": Kind(
        Severity.P1,
        "{subject}: more than a fifth of what it named has vanished, or it breaks off",
        "Compare with the source itself.",
    ),
    "index_unusable": Kind(
        Severity.P2,
        "{subject}: its index cannot be had or read; the last good one stands",
        "limpet judgments versions says why.",
    ),
    "disk_low": Kind(
        Severity.P2, "{subject}: the disk may be too small for what is planned", "Free some space in time."
    ),
    "gaps": Kind(
        Severity.P3, "{subject}: records are missing", "limpet gaps shows them and how to fill them."
    ),
}
_UNKNOWN = Kind(Severity.P2, "{subject}: {kind}", f"{RUNBOOKS} may know more.")

_ABOUT_AN_ADAPTER = ("adapter_disabled", "high_failure_rate", "zero_offers", "zero_price", "unusual_batch")
# Raised by events that have a name of their own.
_RAISING = {"adapter_disabled", "source_disabled", "queue_rejected"}
_CLEARING = {
    "adapter_enabled": ("adapter_disabled",),
    "canary_passed": _ABOUT_AN_ADAPTER,
    "source_enabled": ("source_disabled",),
    "index_applied": ("mass_deactivation", "index_unusable"),
    "run_goes_on": ("run_stuck",),
    "scheduler_resumed": ("scheduler_backoff", "queue_rejected"),
}
HEEDED = frozenset(_RAISING | set(_CLEARING))  # beside everything that begins with PREFIX
_SAID = frozenset({"title", "severity", "subject", "details", "fix"})


def heed(event: Event) -> Trouble | Clearing | None:
    """Return what an event asks for; what a person switched off by hand is no news to them."""
    if event.event_type in _CLEARING:
        return Clearing(_CLEARING[event.event_type], _subject(event), by=event.event_type)
    if event.event_type in _RAISING:
        return None if _is_deliberate(event) else _trouble(event, event.event_type)
    return _trouble(event, event.event_type.removeprefix(PREFIX))


def _is_deliberate(event: Event) -> bool:
    reason = event.payload.get("reason")
    if event.event_type == "queue_rejected":
        return reason == "adapter_disabled"  # somebody asked for what is switched off, and was told so
    return reason == SwitchReason.MANUAL.value


def _trouble(event: Event, kind: str) -> Trouble:
    known, said, subject = KINDS.get(kind, _UNKNOWN), event.payload, _subject(event)
    usual = known.title.format(subject=subject, kind=kind)
    return Trouble(
        kind=kind,
        subject=subject,
        severity=_severity(said.get("severity"), known.severity),
        title=str(said.get("title") or usual[:1].upper() + usual[1:]),
        details=str(said.get("details") or ""),
        fix=str(said.get("fix") or known.fix),
        source_id=event.source_id,
        run_id=event.run_id,
        evidence={name: value for name, value in said.items() if name not in _SAID} | {"event_id": event.id},
    )


def _severity(said: Any, usual: Severity) -> Severity:
    return Severity(said) if said in set(Severity) else usual


def _subject(event: Event) -> str:
    said = event.payload
    if said.get("subject"):
        return str(said["subject"])
    if said.get("adapter_id"):
        return f"adapter {said['adapter_id']}"
    if event.source_id:
        return f"source {event.source_id}"
    return str(said.get("app") or "the house")
