"""The ledger, opened for whoever needs it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from limpet.assembly.apps import Bookkeepers, all_apps
from limpet.clock import Clock, SystemClock
from limpet.record.ledger import Ledger
from limpet.record.ledger_core import SILENCE_SECONDS
from limpet.settings import Settings


@asynccontextmanager
async def open_ledger(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Ledger]:
    """Yield the ledger alone, for commands that only look at what is recorded."""
    async with await Ledger.open(
        settings.data_dir,
        database_url=settings.database_url,
        clock=clock or SystemClock(),
        bookkeepers=Bookkeepers(all_apps()),
        shares_bodies=settings.is_scaled,
        silence_seconds=settings.silence_seconds if settings.is_scaled else SILENCE_SECONDS,
    ) as ledger:
        yield ledger
