"""Worker and scheduler in the foreground: the same house, with its runs handed over instead of walked here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import typer

from limpet.assembly import House
from limpet.cli.log_watcher import LogWatcher
from limpet.engine.runs import RunDesk
from limpet.engine.scaled.lane_work import LaneWork
from limpet.engine.scaled.scheduler import Scheduler
from limpet.engine.scaled.worker import LaneWorker
from limpet.engine.signals import graceful_stop
from limpet.errors import SettingsError, UsageError
from limpet.record.budget_redis import RedisBudget
from limpet.record.lane_queue import hand_over, install_queue

MATCHES = "matches"


async def work(house: House, *, queues: Sequence[str], lanes_at_once: int) -> None:
    """Take lanes from the queue until a signal comes."""
    _refuse_unknown(house, queues)
    desk = await handing_over(house)
    assert isinstance(house.budget, RedisBudget)
    worker = LaneWorker(
        LaneWork(desk, LogWatcher(), house.budget.wait_ahead, {MATCHES: house.monitor}),
        conninfo=house.ledger.engine.url.set(drivername="postgresql").render_as_string(hide_password=False),
        queues=queues,
        lanes_at_once=lanes_at_once,
        drain_seconds=house.settings.drain_seconds,
    )
    stop = desk.crew.stop
    await house.ledger.enlist(desk.crew.worker)
    typer.echo(f"Worker {house.ledger.worker} takes lanes - Ctrl-C stops.")
    with graceful_stop(stop, drain_seconds=house.settings.drain_seconds):
        await worker.serve(stop)


async def schedule(house: House) -> None:
    """Plan what is due, whenever this process leads, until a signal comes."""
    desk = await handing_over(house)
    stop = desk.crew.stop
    typer.echo(f"Scheduler {house.ledger.worker} looks what is due - Ctrl-C stops.")
    with graceful_stop(stop, drain_seconds=house.settings.drain_seconds):
        await Scheduler(desk, house.alerts, house.retention).serve(stop)


async def handing_over(house: House) -> RunDesk:
    """Return the desk whose runs go to the workers; refuse where there is no place for a queue."""
    settings = house.settings
    if not settings.database_url or not settings.redis_url:
        missing = "LIMPET_DATABASE_URL" if not settings.database_url else "LIMPET_REDIS_URL"
        raise SettingsError(
            f"Several workers need a shared database and a shared pace, and {missing} is not set.",
            fix="Set LIMPET_DATABASE_URL=postgresql://… and LIMPET_REDIS_URL=redis://…, or use `limpet serve`.",
        )
    await asyncio.to_thread(partial(install_queue, house.ledger.engine))
    return replace(house.desk, hand_over=hand_over)


def _refuse_unknown(house: House, queues: Sequence[str]) -> None:
    for name in queues:
        if name not in house.apps:
            raise UsageError(f"There is no queue {name!r}.", fix=f"Queues are apps: {', '.join(house.apps)}.")
