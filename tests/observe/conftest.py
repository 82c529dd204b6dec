"""A ledger in a temporary folder, and runs settled by hand on a frozen clock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from limpet.clock import FrozenClock
from limpet.fetch import FetchOutcome
from limpet.fetch.page import Page
from limpet.fetch.trail import RequestNote
from limpet.record.entry import AttemptNote, NewRun, Run, Settlement
from limpet.record.ledger import Ledger
from limpet.source import Source, Terms
from limpet.target import Outcome, Target
from limpet.target.outcome import RunState


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def source(clock: FrozenClock) -> Source:
    terms = Terms(reviewed_at=clock.now(), approved_by="the tests")
    return Source(id="shop", app="prices", site="woo", hosts=("www.shop.test", "*.cdn.test"), terms=terms)


@pytest.fixture
async def ledger(tmp_path: Path, clock: FrozenClock, source: Source) -> AsyncIterator[Ledger]:
    async with await Ledger.open(tmp_path, clock=clock) as opened:
        await opened.put_source(source)
        yield opened


@pytest.fixture
def run_once(ledger: Ledger, clock: FrozenClock) -> Callable[..., Any]:
    """Walk a run whose targets end as told; a minute passes for each."""

    async def run(
        *endings: tuple[Outcome, str | None],
        bodies: str = "same",
        for_app: bool = False,
        due_at: datetime | None = None,
        schedule: str | None = None,
    ) -> Run:
        urls = [f"https://www.shop.test/p/{number}" for number in range(len(endings))]
        planned = await ledger.plan_run(
            NewRun("prices", None if for_app else "shop", due_at=due_at, params={"schedule": schedule}),
            [Target("shop", url, url, "shop.test") for url in urls],
        )
        leases = await ledger.lease(planned.id, lane="shop.test", worker="w", limit=100, seconds=9_999)
        for lease, (outcome, reason) in zip(leases, endings, strict=True):
            clock.advance(60)
            now, url = clock.now(), lease.target.url
            word = FetchOutcome.TIMEOUT if outcome is Outcome.FAILED else FetchOutcome.OK
            page = Page(url, url, 200, {"content-type": "text/html"}, f"{bodies} {url}".encode(), now)
            await ledger.settle(
                Settlement(
                    lease,
                    outcome,
                    now,
                    reason=reason,
                    page=None if outcome is Outcome.FAILED else page,
                    attempts=[AttemptNote(1, now, 5.0, word.value)],
                    requests=[RequestNote("shop", "shop.test", url, "page", now, 5.0, word)],
                )
            )
        return await ledger.finish_run(planned.id, RunState.COMPLETED)

    return run
