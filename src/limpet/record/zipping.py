"""A ZIP file that leaves as it is written: nobody waits for the end, and nothing of it stays in memory."""

from __future__ import annotations

import io
from typing import IO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

# The earliest moment a ZIP can name: the same content is then the same bytes.
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


class _Outbox(io.RawIOBase):
    """Collects what was written until it is taken. It cannot seek, so sizes follow their content."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(cast(bytes, data))
        self._pieces.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


class StreamedZip:
    """Entries go in one after the other; `taken` returns what is ready to leave."""

    def __init__(self) -> None:
        self._out = _Outbox()
        self._zip = ZipFile(self._out, "w")
        self._entry: IO[bytes] | None = None

    def add(self, name: str, content: bytes, *, compress: bool = True) -> None:
        """Put a small entry in at once."""
        self.begin(name, compress=compress)
        self.write(content)
        self.finish()

    def begin(self, name: str, *, compress: bool = False) -> None:
        """Open the next entry; its content follows by `write`."""
        entry = ZipInfo(name, date_time=_LONG_AGO)
        entry.compress_type = ZIP_DEFLATED if compress else ZIP_STORED
        entry.external_attr = 0o644 << 16
        self._entry = self._zip.open(entry, "w", force_zip64=True)

    def write(self, data: bytes) -> None:
        """Write on in the open entry."""
        assert self._entry is not None, "begin an entry first"
        self._entry.write(data)

    def finish(self) -> None:
        """Close the open entry."""
        assert self._entry is not None, "begin an entry first"
        self._entry.close()
        self._entry = None

    def taken(self) -> bytes:
        """Return what was written since the last time."""
        return self._out.taken()

    def end(self) -> bytes:
        """Write the directory, and return the last bytes."""
        self._zip.close()
        return self._out.taken()

    def close(self) -> None:
        """Let go of what was begun, when nobody takes the rest; after `end` there is nothing left to let go of."""
        if self._entry is not None:
            self.finish()
        self.end()
