"""A file that may change while we work: read when it did, and only then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from limpet.configuration.reading import read_tables

T = TypeVar("T")


class WatchedFile(Generic[T]):
    """Tells what the file says whenever it says something new."""

    def __init__(self, path: Path, understand: Callable[[dict[str, Any]], T], *, setting: str) -> None:
        self._path = path
        self._when_missing = f"Write it there, or have {setting} name another."
        self._understand = understand
        self._seen = self._mark()

    def read(self) -> T:
        """Return what the file says now."""
        return self._understand(read_tables(self._path, when_missing=self._when_missing))

    def __call__(self) -> T | None:
        """Return what the file says if it has changed since it was last looked at, else None."""
        mark = self._mark()
        if mark == self._seen:
            return None
        self._seen = mark
        return self.read()

    def _mark(self) -> tuple[int, int] | None:
        try:
            known = self._path.stat()
        except OSError:
            return None
        return known.st_mtime_ns, known.st_size
