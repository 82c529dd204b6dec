"""The half of `verify` that reads the disk: packs and artefacts against their hashes."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, Row, select

from limpet.errors import SnapshotDamaged
from limpet.record.artefacts import hash_file
from limpet.record.log_tables import artefacts, snapshots
from limpet.record.packs import Place
from limpet.record.snapshots import DATABASE, read_body
from limpet.record.sweeping import artefact_folders, orphan_files


class Findings(Protocol):
    """Where the two halves write."""

    notes: list[str]
    counts: dict[str, int]

    def object_to(self, kind: str, subject: str, message: str) -> None:
        """Note a problem."""
        ...


def check_snapshots(connection: Connection, directory: Path, found: Findings) -> None:
    """Read every frame, pack by pack, and report bytes no row points at."""
    kept = select(snapshots).where(snapshots.c.purged_at.is_(None))
    rows = connection.execution_options(yield_per=1_000).execute(
        kept.order_by(snapshots.c.pack, snapshots.c.offset)
    )
    checked, packs = 0, set()
    for pack, frames in groupby(rows, key=lambda row: str(row.pack)):
        packs.add(pack)
        used = 0
        for row in frames:
            _check_frame(connection, directory, row, found)
            used += row.stored_bytes
            checked += 1
        if pack != DATABASE:
            _note_unused(directory / pack, used, found)
    found.counts["snapshots"] = checked
    for path in sorted(directory.glob("*.pack")):
        if path.name not in packs:
            found.notes.append(f"no row points into {path.name} ({path.stat().st_size} bytes)")


def check_artefacts(connection: Connection, data_dir: Path, found: Findings) -> None:
    """Hash every kept file and report files no row speaks of."""
    known: set[str] = set()
    for row in connection.execute(select(artefacts).where(artefacts.c.purged_at.is_(None))):
        known.add(row.path)
        _check_file(data_dir / row.path, row, found)
    found.counts["artefacts"] = len(known)
    folders = artefact_folders(connection, data_dir)
    for path in orphan_files(data_dir, folders, known):
        found.notes.append(f"no row speaks of {path.relative_to(data_dir)}")


def _check_frame(connection: Connection, directory: Path, row: Row[Any], found: Findings) -> None:
    place = Place(row.pack, row.offset, row.stored_bytes)
    try:
        body = read_body(connection, directory, row.sha256, place=place, raw_bytes=row.raw_bytes)
    except SnapshotDamaged as exc:
        found.object_to("snapshot", row.sha256, str(exc))
    else:
        if len(body) != row.raw_bytes:
            found.object_to("snapshot", row.sha256, f"has {len(body)} bytes, {row.raw_bytes} were stored")


def _note_unused(pack: Path, used: int, found: Findings) -> None:
    size = pack.stat().st_size if pack.exists() else used
    if size > used:
        found.notes.append(f"{size - used} bytes of {pack.name} belong to no row")


def _check_file(path: Path, row: Row[Any], found: Findings) -> None:
    try:
        actual = hash_file(path)
    except OSError as exc:
        found.object_to("artefact", row.path, f"cannot be read: {exc.strerror}")
        return
    if actual != row.sha256:
        found.object_to("artefact", row.path, "is not what was stored")
