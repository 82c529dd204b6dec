"""Who uses packs: one who fills a pack holds it, and one who reads many asks that none be removed meanwhile.

The locks are the kernel's: they end with their holder, however it ends.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from limpet.record.database import make_directory

_READERS = "packs.readers"


def hold_new_pack(path: Path) -> int:
    """Create the pack and hold it for as long as it is open; raise FileExistsError when the name is taken."""
    while True:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        fcntl.flock(fd, fcntl.LOCK_EX)
        # Somebody may have taken it for a leftover and removed it before we had the lock.
        if os.fstat(fd).st_nlink:
            return fd
        os.close(fd)


@contextmanager
def holding_pack(path: Path) -> Iterator[int | None]:
    """Hold an existing pack that nobody fills, open for reading; None when it is in use or gone."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        yield None
        return
    try:
        yield fd if _try(fd, fcntl.LOCK_EX) and os.fstat(fd).st_nlink else None
    finally:
        os.close(fd)


@contextmanager
def reading_many(data_dir: Path) -> Iterator[None]:
    """See to it that no pack is removed while rows read at the beginning are followed to their packs."""
    with _readers(data_dir) as fd:
        fcntl.flock(fd, fcntl.LOCK_SH)
        yield


@contextmanager
def while_nobody_reads(data_dir: Path) -> Iterator[bool]:
    """Keep such readers out for a moment; False when one is at work, and nothing may be removed."""
    with _readers(data_dir) as fd:
        yield _try(fd, fcntl.LOCK_EX)


@contextmanager
def _readers(data_dir: Path) -> Iterator[int]:
    make_directory(data_dir / "workers")
    fd = os.open(data_dir / "workers" / _READERS, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        yield fd
    finally:
        os.close(fd)


def _try(fd: int, how: int) -> bool:
    try:
        fcntl.flock(fd, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
