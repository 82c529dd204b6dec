"""What is missing is told once, again in other words, and not to those who know."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from limpet.clock import FrozenClock
from limpet.engine.lacks import Lack, tell_lacks
from limpet.observe.alert_sweep import sweep
from limpet.record.alerts import Alert, resolve
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger
from limpet.source import Source

TWO, THREE = (Lack("court 2025", f"{number} are missing", "limpet gaps") for number in (2, 3))


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncIterator[Ledger]:
    async with await Ledger.open(tmp_path, clock=FrozenClock()) as opened:
        await opened.put_source(Source(id="court", app="dockets", site="court", hosts=("court.test",)))
        yield opened


@pytest.fixture
async def run(ledger: Ledger) -> Run:
    return await ledger.plan_run(NewRun(app="dockets", source_id="court"), [])


async def alerts(ledger: Ledger, run: Run, *lacks: Lack) -> list[Alert]:
    """Tell of these lacks and return every alert, the newest first."""
    now = ledger.clock.now()
    await ledger.write(partial(tell_lacks, lacks=lacks, run=run, now=now))
    await ledger.write(partial(sweep, now=now))
    return await ledger.alerts(is_alive=None)


async def test_the_same_words_are_no_news_and_other_words_are(ledger: Ledger, run: Run) -> None:
    (first,) = await alerts(ledger, run, TWO)
    (same,) = await alerts(ledger, run, TWO)
    (worse,) = await alerts(ledger, run, THREE)

    assert (first.severity, first.fix, first.run_id) == ("P3", "limpet gaps", run.id)
    assert (same.occurrences, worse.occurrences, worse.details) == (1, 2, "3 are missing")


async def test_whoever_resolved_it_is_not_told_the_same_again(ledger: Ledger, run: Run) -> None:
    (first,) = await alerts(ledger, run, TWO)
    known = partial(resolve, alert_id=first.id, by="Ada", note="never published", now=ledger.clock.now())
    await ledger.write(known)

    (silent,) = await alerts(ledger, run, TWO)
    newer, _ = await alerts(ledger, run, THREE)

    assert silent.status == "resolved"
    assert (newer.status, newer.details) == ("open", "3 are missing")


async def test_what_is_there_again_is_resolved_and_told_when_it_goes_once_more(
    ledger: Ledger, run: Run
) -> None:
    await alerts(ledger, run, TWO)
    (filled,) = await alerts(ledger, run)
    newer, _ = await alerts(ledger, run, TWO)

    assert (filled.status, filled.resolved_by) == ("resolved", "nothing is missing any more")
    assert newer.status == "open"


async def test_lacks_of_another_source_are_left_alone(ledger: Ledger, run: Run) -> None:
    await ledger.put_source(Source(id="other", app="dockets", site="court", hosts=("other.test",)))
    other = await ledger.plan_run(NewRun(app="dockets", source_id="other"), [])

    await alerts(ledger, run, TWO)
    (still,) = await alerts(ledger, other)

    assert still.status == "open"
