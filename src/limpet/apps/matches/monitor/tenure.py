"""One monitor at a time: its session is a run in the ledger, held by the process that watches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from sqlalchemy import Connection, select

from limpet.errors import RunBusy
from limpet.record.entry import NewRun, Run
from limpet.record.ledger import Ledger
from limpet.record.tables import runs
from limpet.record.workers import is_alive
from limpet.target.outcome import RunState, Trigger

APP_NAME = "matches"
_SILENCE = timedelta(seconds=120)
_LEFT_BEHIND = "its process ended without a word; the matches are watched on by the next one"


@asynccontextmanager
async def tenure(ledger: Ledger, *, trigger: Trigger) -> AsyncIterator[Run]:
    """Yield the session, or raise RunBusy while another living process watches.

    What a dead process left open is ended as aborted. Of two that begin at once, the lower number stays.
    """
    await _end_what_is_left(ledger, except_for=None)
    run = await ledger.plan_run(
        NewRun(app=APP_NAME, source_id=None, trigger=trigger, params={"monitor": True}),
        (),
        worker=ledger.worker,
    )
    try:
        await ledger.take_run(run.id)
        await _end_what_is_left(ledger, except_for=run.id)
    except RunBusy:
        await ledger.finish_run(run.id, RunState.ABORTED, error_message="another process watches already")
        raise
    try:
        yield run
    finally:
        await ledger.finish_run(run.id, RunState.COMPLETED)


async def _end_what_is_left(ledger: Ledger, *, except_for: int | None) -> None:
    for run in await ledger.runs(app=APP_NAME, state=RunState.RUNNING, limit=50):
        if except_for is None or run.id < except_for:
            await ledger.take_run(run.id)
            # Whoever held it may have ended it in good order since we looked.
            if (await ledger.run(run.id)).state is RunState.RUNNING:
                await ledger.finish_run(run.id, RunState.ABORTED, error_message=_LEFT_BEHIND)


async def is_anybody_watching(ledger: Ledger) -> bool:
    """Whether a living process watches now."""
    heard_since = ledger.clock.now() - _SILENCE

    def look(connection: Connection) -> bool:
        held = select(runs.c.worker).where(runs.c.app == APP_NAME, runs.c.state == RunState.RUNNING.value)
        holders = [holder for (holder,) in connection.execute(held) if holder]
        return any(is_alive(connection, ledger.data_dir, each, heard_since=heard_since) for each in holders)

    return await ledger.read(look)
