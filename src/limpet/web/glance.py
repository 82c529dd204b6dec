"""What the overview shows: the whole house at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from limpet.fetch.browser import PoolReading
from limpet.observe.freshness import Clocks
from limpet.observe.health import Disk, Grade, Health
from limpet.observe.promise import ErrorBudget, together
from limpet.observe.standing import Standing
from limpet.record.alerts import Alert
from limpet.record.entry import Run


@dataclass(frozen=True, slots=True)
class AppFreshness:
    """One app's three clocks, over all its sources."""

    app: str
    sources: int
    open_sources: int
    targets: int
    clocks: Clocks
    budget: ErrorBudget | None = None  # of its open sources; none while nothing was promised


@dataclass(frozen=True, slots=True)
class Glance:
    """What the overview shows."""

    taken_at: datetime
    health: Health
    standings: Sequence[Standing]
    runs: Sequence[Run]  # the latest, newest first
    open_jobs: int
    runs_today: int
    disk: Disk
    alerts: Sequence[Alert] = ()  # open or acknowledged, most urgent first
    quarantined: int = 0
    browser: PoolReading | None = None  # none while this process has no pool
    budgets: Mapping[str, ErrorBudget] | None = None  # by source; none until they were counted

    @property
    def apps(self) -> list[AppFreshness]:
        """How fresh each app is, by name."""
        names = sorted({standing.source.app for standing in self.standings})
        return [self._freshness(name) for name in names]

    def budget_of(self, standing: Standing) -> ErrorBudget | None:
        """Return how well one source keeps its promise; None while it promised nothing, or nobody counted."""
        return (self.budgets or {}).get(standing.source.id)

    @property
    def open_sources(self) -> int:
        """How many sources may be visited."""
        return sum(standing.gate.is_open for standing in self.standings)

    @property
    def targets(self) -> int:
        """How many targets are watched."""
        return sum(standing.targets for standing in self.standings)

    def standing_of(self, source_id: str) -> Standing | None:
        """Return how one source stands."""
        return next((each for each in self.standings if each.source.id == source_id), None)

    def grade_of(self, standing: Standing) -> Grade:
        """Return the grade of one source."""
        return self.health.of(standing.source.id)

    def _freshness(self, app: str) -> AppFreshness:
        standings = [each for each in self.standings if each.source.app == app]
        budgets = [self.budget_of(each) for each in standings if each.gate.is_open]
        promised = [budget for budget in budgets if budget is not None]
        return AppFreshness(
            app,
            sources=len(standings),
            open_sources=sum(standing.gate.is_open for standing in standings),
            targets=sum(standing.targets for standing in standings),
            clocks=_newest(standings),
            budget=together(promised) if promised else None,
        )


def _newest(standings: Sequence[Standing]) -> Clocks:
    def newest(clock: str) -> datetime | None:
        read = (getattr(standing.clocks, clock) for standing in standings)
        return max((moment for moment in read if moment is not None), default=None)

    return Clocks(newest("last_attempt_at"), newest("last_fetch_at"), newest("last_change_at"))
