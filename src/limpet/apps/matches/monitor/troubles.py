"""Troubles that pass by themselves: a source that is away or asks us to wait, a Redis that is gone.

Nobody has to act on them, but each is written down once it is over: what it was, and how long it lasted.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from limpet.apps.matches.recovery import RecoveryAction
from limpet.errors import BreakerOpen, BudgetUnavailable, GateRefused, RateLimited, RobotsUnavailable

STORE = "redis"  # what all domains lean on; the other subjects are domains
_PASSING = (BreakerOpen, BudgetUnavailable, RateLimited, RobotsUnavailable)


@dataclass(frozen=True, slots=True)
class Trouble:
    """One trouble, from when it was first met."""

    subject: str
    condition: str
    began_at: float  # monotonic

    @property
    def action(self) -> RecoveryAction:
        is_store = self.subject == STORE
        return RecoveryAction.STORE_RETURNED if is_store else RecoveryAction.SOURCE_RETURNED


@dataclass(slots=True)
class Troubles:
    """Those under way, and those that are over and wait to be written down."""

    open: dict[str, Trouble] = field(default_factory=dict)
    over: list[tuple[Trouble, float]] = field(default_factory=list)  # with the moment of their end

    def met(self, domain_id: str, gate: GateRefused | RateLimited, *, now: float) -> None:
        """Take note of what kept us from a source; what an operator or the site's rules forbid is no trouble."""
        if isinstance(gate, _PASSING):
            self.begin(STORE if isinstance(gate, BudgetUnavailable) else domain_id, gate.code, now=now)

    def begin(self, subject: str, condition: str, *, now: float) -> None:
        """Note a trouble; one that is known goes on."""
        self.open.setdefault(subject, Trouble(subject, condition, now))

    def end(self, subject: str, *, now: float) -> None:
        """Note that it is over."""
        if (trouble := self.open.pop(subject, None)) is not None:
            self.over.append((trouble, now))

    def take_over(self) -> list[tuple[Trouble, float]]:
        """Return those that are over, once."""
        over, self.over = self.over, []
        return over
