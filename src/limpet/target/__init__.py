"""WHICH address comes next: targets, canonical addresses, identity, schedules."""

from limpet.target.outcome import JobState, Outcome
from limpet.target.target import Target, Validators

__all__ = ["JobState", "Outcome", "Target", "Validators"]
