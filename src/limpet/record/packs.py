"""Pack files: compressed bodies one after the other, on the disk before any row points at them."""

from __future__ import annotations

import os
import secrets
from datetime import date
from pathlib import Path

from msgspec import Struct

from limpet.record import crash_points
from limpet.record.database import make_directory, unusable
from limpet.record.pack_locks import hold_new_pack

PACK_LIMIT_BYTES = 256 * 1024 * 1024


class Place(Struct, frozen=True):
    """Where a frame lies."""

    pack: str
    offset: int
    size: int


class PackWriter:
    """An open pack, held against everybody who would remove it; used by one thread at a time."""

    def __init__(self, directory: Path, *, limit_bytes: int = PACK_LIMIT_BYTES) -> None:
        self.directory = directory
        self._limit_bytes = limit_bytes
        self._day: date | None = None
        self._name = ""
        self._fd = -1
        self._end = 0

    def begin(self, day: date) -> str:
        """Return the pack the next frames of this day will lie in, made if need be."""
        try:
            self._turn_page(day)
        except OSError as exc:
            self.close()
            raise unusable(self.directory, exc) from exc
        return self._name

    def append(self, frames: list[bytes], day: date) -> list[Place]:
        """Write the frames and return where they lie once they are on the disk."""
        try:
            self._turn_page(day)
            places = self._places(frames)
            self._write(b"".join(frames))
            crash_points.reach("before_snapshot_sync")
            os.fdatasync(self._fd) if hasattr(os, "fdatasync") else os.fsync(self._fd)
        except OSError as exc:
            # What stands behind the last good frame is unknown now: leave that tail and begin a new pack.
            self.close()
            raise unusable(self.directory, exc) from exc
        crash_points.reach("after_snapshot_sync")
        return places

    def close(self) -> None:
        """Close the pack; the next append begins another."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd, self._day = -1, None

    def _turn_page(self, day: date) -> None:
        if self._fd >= 0 and day == self._day and self._end < self._limit_bytes:
            return
        self.close()
        make_directory(self.directory)
        self._name = f"{day:%Y%m%d}-{secrets.token_hex(6)}.pack"
        self._fd = hold_new_pack(self.directory / self._name)
        self._day, self._end = day, 0
        sync_directory(self.directory)

    def _places(self, frames: list[bytes]) -> list[Place]:
        places, offset = [], self._end
        for frame in frames:
            places.append(Place(self._name, offset, len(frame)))
            offset += len(frame)
        return places

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            written = os.write(self._fd, view)
            self._end += written
            view = view[written:]


def sync_directory(directory: Path) -> None:
    """Make the names in a directory durable; a synced file whose name is not may vanish with the power."""
    fd = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
