"""A switch: something turned off while we ran, by a rule or by a person, until a person turns it on again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

EVERYTHING = "everything"


class SwitchKind(StrEnum):
    """What can be switched off: one source, the adapter that reads several of them, an app, or everything."""

    ADAPTER = "adapter"
    SOURCE = "source"
    APP = "app"
    EVERYTHING = EVERYTHING


class SwitchReason(StrEnum):
    """Why it was; the words are stored and shown as they stand here."""

    MANUAL = "MANUAL"
    DRIFT_DETECTED = "DRIFT_DETECTED"
    BLOCKED = "BLOCKED"
    EMERGENCY_STOP = "EMERGENCY_STOP"


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
        return "emergency_stop" if self.is_halt else f"{self.kind.value}_disabled"

    @property
    def is_halt(self) -> bool:
        """Whether somebody pulled the emergency stop."""
        return self.kind in (SwitchKind.APP, SwitchKind.EVERYTHING)

    @property
    def sentence(self) -> str:
        """Say what is off, since when and why."""
        since = self.at.strftime("%Y-%m-%d %H:%M UTC")
        why = f"{self.reason}: {self.details}" if self.details else self.reason
        if self.is_halt:
            what = "Everything" if self.kind is SwitchKind.EVERYTHING else f"The app {self.id!r}"
            return f"{what} was stopped by {self.by} at {since} ({self.details.rstrip('.')})."
        return (
            f"The {self.kind.value} {self.id!r} was switched off by {self.by} at {since} ({why.rstrip('.')})."
        )

    @property
    def fix(self) -> str:
        """Say how a person turns it on again."""
        if self.is_halt:
            return f'Once it is safe: `limpet stop release {self.id} --reason "what was done"`.'
        return f'Once that is mended: `limpet {self.kind.value}s enable {self.id} --reason "what was done"`.'
