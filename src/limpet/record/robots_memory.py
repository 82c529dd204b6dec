"""Every robots.txt that was ever served to us: the newest one rules, the older ones explain past verdicts."""

from __future__ import annotations

from sqlalchemy import Connection, select

from limpet.fetch.policy.robots_keeper import StoredRobots
from limpet.record.ledger_core import LedgerCore
from limpet.record.log_tables import robots_files
from limpet.record.upserting import upsert


class LedgerRobotsMemory:
    """Remembers robots.txt in the ledger, for every process that works on it."""

    def __init__(self, ledger: LedgerCore) -> None:
        self._ledger = ledger

    async def load(self, origin: str) -> StoredRobots | None:
        """Return the newest good answer of this origin."""
        return await self._ledger.read(lambda connection: _newest(connection, origin))

    async def save(self, stored: StoredRobots) -> None:
        """Make this the newest answer of its origin; a body seen before is not kept twice."""
        await self._ledger.write(lambda connection: _keep(connection, stored))


def _newest(connection: Connection, origin: str) -> StoredRobots | None:
    columns = robots_files.c
    query = (
        select(columns.host, columns.status, columns.body, columns.sha256, columns.fetched_at)
        .where(columns.host == origin)
        .order_by(columns.fetched_at.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else StoredRobots(row.host, row.status, row.body, row.sha256, row.fetched_at)


def _keep(connection: Connection, stored: StoredRobots) -> None:
    newest = {"status": stored.status, "body": stored.body, "fetched_at": stored.fetched_at}
    place = {"host": stored.origin, "sha256": stored.sha256}
    upsert(connection, robots_files, place | newest, key=list(place), changes=newest)
