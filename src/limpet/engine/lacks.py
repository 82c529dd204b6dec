"""What the records of a source lack once a run is through: told when it is news, taken back when it is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import Connection

from limpet.record.alerts import alive_of_kind, clear_alerts, newest_of
from limpet.record.entry import Run
from limpet.record.logbook import log_event

KIND = "gaps"
_FILLED = "nothing is missing any more"


@dataclass(frozen=True, slots=True)
class Lack:
    """Records that should be there and are not, of one subject such as a court or a year of a register."""

    subject: str
    details: str  # what is missing; the same words as last time are no news
    fix: str  # the command that shows or fetches it
    evidence: Mapping[str, Any] = field(default_factory=dict)


class FindLacks(Protocol):
    """Looks for what the records of a run's source lack."""

    def __call__(self, connection: Connection, run: Run, *, now: datetime) -> Sequence[Lack]:
        """Return one for every subject that lacks something."""
        ...


def tell_lacks(connection: Connection, lacks: Sequence[Lack], run: Run, *, now: datetime) -> None:
    """Give alarm about what nobody was told of yet, and take it back about what is there by now."""
    for lack in lacks:
        if _is_news(connection, lack):
            payload = {"subject": lack.subject, "details": lack.details, "fix": lack.fix, **lack.evidence}
            log_event(
                connection, f"alert_{KIND}", now=now, run_id=run.id, source_id=run.source_id, payload=payload
            )
    lacking = {lack.subject for lack in lacks}
    for alert in alive_of_kind(connection, KIND):
        if alert.source_id == run.source_id and alert.subject not in lacking:
            clear_alerts(connection, [KIND], alert.subject, by=_FILLED, now=now)


def _is_news(connection: Connection, lack: Lack) -> bool:
    """Whoever resolved it knows: only other words, or its coming back, are worth telling again."""
    known = newest_of(connection, KIND, lack.subject)
    return known is None or known.details != lack.details or known.resolved_by == _FILLED
