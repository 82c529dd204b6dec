"""Moves a ledger while nobody works on it."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from limpet.assembly import open_ledger
from limpet.cli.terminal import Terminal
from limpet.errors import RunBusy, UsageError
from limpet.record.database import ledger_url, open_engine
from limpet.record.moving import Moved, move
from limpet.record.staff import staff
from limpet.settings import Settings


def move_ledger(settings: Settings, to: str, *, share_bodies: bool) -> Moved:
    """Copy the ledger there and compare every row; refuse while somebody works on it."""
    if ledger_url(to) == ledger_url(settings.ledger_place):
        raise UsageError("The ledger lives there already.", fix="Name another database with --to.")
    asyncio.run(_refuse_while_at_work(settings))
    origin, goal = open_engine(settings.ledger_place), open_engine(to)
    console = Terminal(stderr=True)
    try:
        with console.status("copying") as status:
            return move(
                origin,
                goal,
                data_dir=settings.data_dir,
                share_bodies=share_bodies,
                tell=lambda table, count: status.update(f"{table}: {count:,} rows"),
            )
    finally:
        origin.dispose()
        goal.dispose()


async def _refuse_while_at_work(settings: Settings) -> None:
    async with open_ledger(settings) as ledger:
        heard_since = ledger.clock.now() - timedelta(seconds=settings.silence_seconds)
        at_work = [each.id for each in await ledger.read(staff) if each.heard_at > heard_since]
    if at_work:
        raise RunBusy(f"{at_work[0]} works on this ledger.", fix="Stop it first, so that nothing is missed.")
