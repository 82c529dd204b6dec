"""Packs that leave: noted before anything is moved, removed when no row points into them, swept after a crash."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, delete, select

from limpet.record import crash_points
from limpet.record.log_tables import leaving_packs, snapshots
from limpet.record.pack_locks import holding_pack, while_nobody_reads
from limpet.record.packs import sync_directory
from limpet.record.upserting import upsert


def note_leaving(connection: Connection, packs: Sequence[str], *, now: datetime) -> None:
    """Note packs that may be removed once nothing is in them."""
    for pack in packs:
        upsert(connection, leaving_packs, {"pack": pack, "since": now}, key=["pack"], changes={"since": now})


def remove_leaving(connection: Connection, data_dir: Path) -> int:
    """Remove noted packs that nothing points into and nobody holds; return how many bytes that gave back.

    A pack that is not noted is never touched, whatever points at it: another database may know it.
    """
    noted = list(connection.execute(select(leaving_packs.c.pack).order_by(leaving_packs.c.pack)).scalars())
    if not noted:
        return 0
    with while_nobody_reads(data_dir) as is_free:
        if not is_free:
            return 0
        return sum(_see_off(connection, data_dir / "snapshots" / pack) for pack in noted)


def forget_leaving(connection: Connection, pack: str) -> None:
    """Note that a pack stays."""
    connection.execute(delete(leaving_packs).where(leaving_packs.c.pack == pack))


def is_pointed_at(connection: Connection, pack: str) -> bool:
    """Whether a kept page lies in it."""
    question = select(snapshots.c.sha256).where(snapshots.c.pack == pack, snapshots.c.purged_at.is_(None))
    return connection.execute(question.limit(1)).first() is not None


def _see_off(connection: Connection, path: Path) -> int:
    given_back = 0
    with holding_pack(path) as fd:
        if fd is None and path.exists():
            return 0  # somebody fills or empties it right now
        if fd is not None and not is_pointed_at(connection, path.name):
            given_back = path.stat().st_size
            crash_points.reach("before_pack_removal")
            path.unlink()
            sync_directory(path.parent)
            crash_points.reach("after_pack_removal")
        forget_leaving(connection, path.name)
    return given_back
