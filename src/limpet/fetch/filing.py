"""Files that come from the web: where a body goes that is too large, or too dear, to hold in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StoredArtefact:
    """A file that stands complete under its name, waiting for the row that makes it ours."""

    kind: str  # also its folder in the data directory, such as pdfs
    key: str
    path: str  # relative to the data directory
    sha256: str
    size_bytes: int
    media_type: str
    stored_at: datetime


class Sink(Protocol):
    """Takes a body piece by piece while it arrives."""

    def write(self, chunk: bytes) -> None:
        """Add a piece; what it raises ends the request."""
        ...


class DraftFile(Sink, Protocol):
    """A file under a temporary name; it vanishes unless it is finished."""

    @property
    def sha256(self) -> str:
        """The hash of what was written so far."""
        ...

    def finish(self, *, key: str | None = None) -> StoredArtefact:
        """Give the file its name, durably; a key known only now replaces the one it was begun with."""
        ...

    def discard(self) -> None:
        """Remove it; harmless once finished."""
        ...


class FileStore(Protocol):
    """Where files are kept, each under our own key."""

    def draft(self, kind: str, key: str, *, suffix: str, media_type: str) -> DraftFile:
        """Return a file to be written piece by piece."""
        ...

    def adopt(
        self, kind: str, key: str, *, suffix: str, media_type: str, accept: Callable[[Path], bool]
    ) -> StoredArtefact | None:
        """Return the file that stands under this key already, if there is one and it is accepted."""
        ...
