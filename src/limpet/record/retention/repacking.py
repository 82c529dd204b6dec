"""Space that comes back: packs with much that was removed are copied without it, then removed themselves.

The copy is on the disk before any row points at it, rows change in one transaction per handful of bodies, and the old
pack goes last. Killed anywhere in between, every row points at a body that is there.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, case, func, select, update

from limpet.record import crash_points
from limpet.record.ledger_core import LedgerCore
from limpet.record.log_tables import snapshots
from limpet.record.pack_locks import holding_pack
from limpet.record.packs import PackWriter, Place
from limpet.record.retention.leaving import note_leaving, remove_leaving
from limpet.record.snapshots import DATABASE

WORTH_IT = 0.8  # of a pack's bytes are still needed at most, or copying it is not worth the trouble
AT_ONCE = 500
AT_ONCE_BYTES = 8 * 1024 * 1024
_IS_KEPT = snapshots.c.purged_at.is_(None)


@dataclass(slots=True)
class Repacker:
    """Empties packs one after the other into new ones."""

    ledger: LedgerCore
    given_back: int = 0
    rewritten: int = 0
    _writer: PackWriter = field(init=False)
    _announced: str = ""

    def __post_init__(self) -> None:
        self._writer = PackWriter(self._directory)

    @property
    def _directory(self) -> Path:
        return self.ledger.data_dir / "snapshots"

    async def packs(self) -> list[str]:
        """Return the packs that are worth the trouble."""
        return await self.ledger.read(partial(sparse_packs, directory=self._directory))

    async def rewrite(self, pack: str) -> None:
        """Move what is still needed out of the pack and remove it; one that somebody fills is left alone."""
        with holding_pack(self._directory / pack) as fd:
            if fd is None:
                return
            await self.ledger.write(partial(note_leaving, packs=[pack], now=self.ledger.clock.now()))
            after = -1
            while frames := await self.ledger.read(partial(_next_frames, pack=pack, after=after)):
                if not await self._move(fd, pack, frames):
                    return  # it is cut short: `limpet verify` names what is missing, and we touch nothing
                after = frames[-1].offset
        self.rewritten += 1
        await self.sweep()

    async def sweep(self) -> None:
        """Remove what nothing points at any more."""
        data_dir = self.ledger.data_dir
        self.given_back += await self.ledger.write(partial(remove_leaving, data_dir=data_dir))

    async def close(self) -> None:
        """Let the last new pack be a pack like any other."""
        self._writer.close()
        await self.sweep()

    async def _move(self, fd: int, pack: str, frames: Sequence[Row[Any]]) -> bool:
        bodies = await asyncio.to_thread(_read, fd, frames)
        if any(len(body) != row.stored_bytes for body, row in zip(bodies, frames, strict=True)):
            return False
        day = self.ledger.clock.now().date()
        name = await asyncio.to_thread(self._writer.begin, day)
        if name != self._announced:
            self._announced = name
            await self.ledger.write(partial(note_leaving, packs=[name], now=self.ledger.clock.now()))
        places = await asyncio.to_thread(self._writer.append, bodies, day)
        self.given_back -= sum(place.size for place in places)
        crash_points.reach("before_repoint")
        unwanted = await self.ledger.write(partial(_repoint, pack=pack, frames=frames, places=places))
        crash_points.reach("after_repoint")
        await asyncio.to_thread(_blank, self._directory, unwanted)
        return True


def sparse_packs(connection: Connection, directory: Path) -> list[str]:
    """Return packs of this directory that hold much that nobody needs any more, by name."""
    needed = func.sum(case((_IS_KEPT, snapshots.c.stored_bytes), else_=0))
    question = select(snapshots.c.pack, needed).where(snapshots.c.pack != DATABASE)
    found = []
    for pack, octets in connection.execute(question.group_by(snapshots.c.pack).order_by(snapshots.c.pack)):
        path = directory / pack
        if path.exists() and octets <= path.stat().st_size * WORTH_IT:
            found.append(str(pack))
    return found


def _next_frames(connection: Connection, *, pack: str, after: int) -> list[Row[Any]]:
    columns = (snapshots.c.sha256, snapshots.c.offset, snapshots.c.stored_bytes)
    question: Select[Any] = select(*columns).where(
        snapshots.c.pack == pack, snapshots.c.offset > after, _IS_KEPT
    )
    rows, octets = [], 0
    for row in connection.execute(question.order_by(snapshots.c.offset).limit(AT_ONCE)):
        rows.append(row)
        octets += row.stored_bytes
        if octets >= AT_ONCE_BYTES:
            break
    return rows


def _read(fd: int, frames: Sequence[Row[Any]]) -> list[bytes]:
    return [os.pread(fd, row.stored_bytes, row.offset) for row in frames]


def _repoint(
    connection: Connection, *, pack: str, frames: Sequence[Row[Any]], places: Sequence[Place]
) -> list[Place]:
    """Point the rows at their new places; return those whose page was removed since it was copied."""
    moved = (
        update(snapshots)
        .where(snapshots.c.sha256 == bindparam("sha"), snapshots.c.pack == pack, _IS_KEPT)
        .values(pack=bindparam("new_pack"), offset=bindparam("new_offset"))
    )
    pairs = list(zip(frames, places, strict=True))
    values = [{"sha": row.sha256, "new_pack": at.pack, "new_offset": at.offset} for row, at in pairs]
    connection.execute(moved, values)
    arrived = select(snapshots.c.sha256).where(
        snapshots.c.sha256.in_([row.sha256 for row in frames]), snapshots.c.pack == places[0].pack, _IS_KEPT
    )
    there = set(connection.execute(arrived).scalars())
    return [place for row, place in pairs if row.sha256 not in there]


def _blank(directory: Path, places: Sequence[Place]) -> None:
    """Overwrite what a purge removed while we copied it: it promised to leave nothing."""
    for place in places:
        fd = os.open(directory / place.pack, os.O_WRONLY)
        try:
            os.pwrite(fd, bytes(place.size), place.offset)
            os.fsync(fd)
        finally:
            os.close(fd)
