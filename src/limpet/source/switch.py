"""A switch: something turned off while we ran, by a rule or by a person, until a person turns it on again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class SwitchKind(StrEnum):
    """What can be switched off: one source, or the adapter that reads several of them."""

    ADAPTER = "adapter"
    SOURCE = "source"


class SwitchReason(StrEnum):
    """Why it was; the words are stored and shown as they stand here."""

    MANUAL = "MANUAL"
    DRIFT_DETECTED = "DRIFT_DETECTED"
    BLOCKED = "BLOCKED"


@dataclass(frozen=True, slots=True)
class Switch:
    """One thing that is off. It outlives restarts, and the configuration does not overrule it."""

    kind: SwitchKind
    id: str
    reason: str
    details: str
    at: datetime
    by: str

    @property
    def word(self) -> str:
        """The reason a target skipped by it is given."""
        return f"{self.kind.value}_disabled"

    @property
    def sentence(self) -> str:
        """Say what is off, since when and why."""
        since = self.at.strftime("%Y-%m-%d %H:%M UTC")
        why = f"{self.reason}: {self.details}" if self.details else self.reason
        return (
            f"The {self.kind.value} {self.id!r} was switched off by {self.by} at {since} ({why.rstrip('.')})."
        )

    @property
    def fix(self) -> str:
        """Say how a person turns it on again."""
        return f'Once that is mended: `limpet {self.kind.value}s enable {self.id} --reason "what was done"`.'
