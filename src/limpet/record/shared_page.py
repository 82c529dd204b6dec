"""A small file that processes of one machine share: mapped into memory to read, locked to change."""

from __future__ import annotations

import fcntl
import hashlib
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

LONGEST_NAME = 120


def safe_file_name(name: str) -> str:
    """Return a file name that is the name's own, whatever characters the name has."""
    quoted = quote(name, safe="")
    if 0 < len(quoted) <= LONGEST_NAME and not quoted.startswith("."):
        return quoted
    return f"{quoted.lstrip('.')[:80]}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


class SharedPage:
    """One mapped file of fixed size, zeroes until somebody writes; OSError when it cannot be opened."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _give_it_blocks(self._fd, size)
            self._map = mmap.mmap(self._fd, size)
        except BaseException:
            os.close(self._fd)
            raise
        self.bytes = memoryview(self._map)
        self.doubles = self.bytes.cast("d")

    @property
    def is_lost(self) -> bool:
        """True when the file was deleted under us: others would no longer see what we write."""
        return os.fstat(self._fd).st_nlink == 0

    def try_lock(self) -> bool:
        """Take the file for a change, unless another has it."""
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(self) -> None:
        fcntl.flock(self._fd, fcntl.LOCK_UN)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the file for a change of a few microseconds; waits for another's."""
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        try:
            yield
        finally:
            self.unlock()

    def sync(self) -> None:
        """Bring what was written to the disk, and the file's name with it."""
        self._map.flush()
        os.fsync(self._fd)
        folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def close(self) -> None:
        self.doubles.release()
        self.bytes.release()
        self._map.close()
        os.close(self._fd)


def _give_it_blocks(fd: int, size: int) -> None:
    if os.fstat(fd).st_size >= size:
        return
    # Without blocks of its own, the first write to the mapping on a full disk would kill us with SIGBUS.
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(fd, 0, size)
    else:
        os.ftruncate(fd, size)
