"""A source named on the command line of something that only reads: it must be one the ledger knows."""

from __future__ import annotations

from sqlalchemy import select

from limpet.errors import UnknownSource
from limpet.record.ledger import Ledger
from limpet.record.tables import sources


async def check_named(ledger: Ledger, source_id: str | None, *, app: str) -> None:
    """Raise UnknownSource when this is no source of the app; a name that was mistyped must not look like nothing."""
    if source_id is None:
        return
    question = select(sources.c.id).where(sources.c.app == app).order_by(sources.c.id)
    known = list(await ledger.read(lambda connection: connection.execute(question).scalars().all()))
    if source_id not in known:
        listed = ", ".join(known[:8]) or "none was ever visited"
        raise UnknownSource(f"{app!r} has no source {source_id[:80]!r}.", fix=f"Its sources: {listed}.")
