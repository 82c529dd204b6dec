"""What short commands do with the ledger: ask it something, or change something in somebody's name."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from limpet.assembly import open_ledger
from limpet.cli.opening import read_settings


def ask_ledger(question: Callable[[Connection], Any]) -> Any:
    """Return the answer, read in one transaction."""

    async def ask() -> Any:
        async with open_ledger(read_settings()) as ledger:
            return await ledger.read(question)

    return asyncio.run(ask())


def do_in_ledger(act: Callable[..., Any]) -> Any:
    """Call `act(connection, by=…, now=…)` in one transaction, in the name of whoever is logged in."""

    async def do() -> Any:
        async with open_ledger(read_settings()) as ledger:
            now = ledger.clock.now()
            return await ledger.write(lambda connection: act(connection, by=getpass.getuser(), now=now))

    return asyncio.run(do())
