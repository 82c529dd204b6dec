"""One question or one deed at the ledger, in the name of whoever is logged in on this machine."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection

from limpet.assembly import open_ledger
from limpet.cli.opening import read_kept, read_settings
from limpet.settings import Settings

T = TypeVar("T")


def ask(question: Callable[[Connection], T]) -> T:
    """Return the ledger's answer."""

    async def do() -> T:
        async with open_ledger(read_kept()) as ledger:
            return await ledger.read(question)

    return asyncio.run(do())


def decide(deed: Callable[..., T], **what: Any) -> T:
    """Do it in one transaction: `deed(connection, by=, now=, **what)`."""
    return _do(read_kept(), deed, what)


def decide_beforehand(deed: Callable[..., T], **what: Any) -> T:
    """Do it in the same way, also where no ledger is kept yet: what may be settled before anything runs."""
    return _do(read_settings(), deed, what)


def _do(settings: Settings, deed: Callable[..., T], what: dict[str, Any]) -> T:
    async def do() -> T:
        async with open_ledger(settings) as ledger:
            now = ledger.clock.now()
            return await ledger.write(
                lambda connection: deed(connection, by=getpass.getuser(), now=now, **what)
            )

    return asyncio.run(do())
