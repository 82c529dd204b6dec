"""Files that are replaced whole or grow line by line, and never stand half written after a crash."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from limpet.record import crash_points
from limpet.record.database import make_directory, unusable
from limpet.record.packs import sync_directory

TEMPORARY = ".tmp"


def replace_file(path: Path, content: bytes, *, point: str = "") -> None:
    """Put the content under this name at once and durably: whoever reads it finds the old whole or the new.

    With a point, the process may be made to die before and after the rename.
    """
    make_directory(path.parent)
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        _write_synced(temporary, content)
        if point:
            crash_points.reach(f"before_{point}_rename")
        temporary.replace(path)
        sync_directory(path.parent)
    except OSError as exc:
        raise unusable(path.parent, exc) from exc
    if point:
        crash_points.reach(f"after_{point}_rename")


def put_new_files(files: Iterable[tuple[Path, bytes]]) -> None:
    """Write several files whole; their folders are synced once, at the end."""
    folders = set()
    for path, content in files:
        make_directory(path.parent)
        temporary = path.with_name(f".{path.name}{TEMPORARY}")
        try:
            _write_synced(temporary, content)
            temporary.replace(path)
        except OSError as exc:
            raise unusable(path.parent, exc) from exc
        folders.add(path.parent)
    for folder in folders:
        sync_directory(folder)


class LineFile:
    """A file that grows by whole lines; what a crash tore off is cut away when it is opened again."""

    def __init__(self, path: Path, *, point: str = "") -> None:
        make_directory(path.parent)
        self.path, self._point = path, point
        is_new = not path.exists()
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            if is_new:
                sync_directory(path.parent)
        except OSError as exc:
            raise unusable(path.parent, exc) from exc

    def append(self, lines: bytes) -> None:
        """Add lines, durably."""
        try:
            view = memoryview(lines)
            while view:
                view = view[os.write(self._fd, view) :]
            if self._point:
                crash_points.reach(f"before_{self._point}_sync")
            os.fsync(self._fd)
        except OSError as exc:
            raise unusable(self.path.parent, exc) from exc

    def cut(self, size: int) -> None:
        """Keep only so many bytes."""
        os.ftruncate(self._fd, size)
        os.fsync(self._fd)

    def close(self) -> None:
        """Let go of it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def whole_lines(path: Path) -> list[bytes]:
    """Return the lines that were written to their end; a file that is not there has none."""
    try:
        return path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []


def _write_synced(path: Path, content: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(fd, view) :]
        os.fsync(fd)
    finally:
        os.close(fd)
