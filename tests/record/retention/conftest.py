"""A ledger with a past: runs of single days, each with its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from limpet.clock import FrozenClock
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger
from limpet.record.reading import Job
from limpet.record.retention.policy import Keep, RetentionPolicy
from limpet.record.retention.work import RetentionWork
from limpet.target import Outcome
from limpet.target.outcome import RunState

Make = Callable[..., Any]
DAY = 86_400.0


@dataclass
class Past:
    """Lets days pass, each with one run over some targets."""

    ledger: Ledger
    clock: FrozenClock
    targets: Make
    lease_all: Make
    settlement_of: Make
    page_of: Make

    async def day(
        self,
        bodies: list[bytes],
        outcome: Outcome = Outcome.SUCCEEDED,
        *,
        ends: bool = True,
        ledger: Ledger | None = None,
    ) -> Run:
        """Judge one body for each target, in a run of its own, and let the night pass."""
        ledger = ledger or self.ledger
        run = await ledger.plan_run(NewRun("prices", "shop"), self.targets(len(bodies)))
        leases = await ledger.lease(
            run.id, lane="shop.test", worker=ledger.worker, limit=len(bodies), seconds=60
        )
        for lease, body in zip(leases, bodies, strict=True):
            await ledger.settle(self.settlement_of(lease, outcome, page=self.page_of(lease, body)))
        if ends:
            await ledger.finish_run(run.id, RunState.COMPLETED)
        self.clock.advance(DAY)
        return run

    def work(self, days: float = 1.0, **more: Any) -> RetentionWork:
        """Return the work of a rule that keeps pages for so many days."""
        sources = more.pop("sources", {})
        keep = more.pop("keep", None) or Keep(pages_days=days)
        return RetentionWork(more.pop("ledger", self.ledger), RetentionPolicy(keep, sources), **more)

    async def jobs(self, run: Run) -> list[Job]:
        """Return the jobs of a run."""
        return await self.ledger.jobs(run.id)

    async def is_kept(self, run: Run, number: int = 0) -> bool:
        """Whether the page of a run's job is still there."""
        sha256 = (await self.jobs(run))[number].snapshot
        assert sha256 is not None
        return await self.ledger.recall(sha256) is not None


@pytest.fixture
def past(
    ledger: Ledger,
    clock: FrozenClock,
    targets: Make,
    lease_all: Make,
    settlement_of: Make,
    page_of: Make,
) -> Past:
    return Past(ledger, clock, targets, lease_all, settlement_of, page_of)
