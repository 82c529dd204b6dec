"""Every body that was judged, kept once under its sha256: the evidence of each verdict."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import zstandard
from msgspec import Struct
from sqlalchemy import Connection, select

from limpet.errors import SnapshotDamaged
from limpet.fetch.page import Page
from limpet.record.log_tables import snapshot_frames, snapshots
from limpet.record.packs import PackWriter, Place

DATABASE = "database"  # stands where the name of a pack would
_RECENT = 8_192
_LEVEL = 1  # bodies compress to a sixth at the price of a memory copy; higher levels cost more than the page


class NewSnapshot(Struct, frozen=True):
    """A body that is in a pack and on the disk, waiting for its row."""

    sha256: str
    place: Place
    raw_bytes: int
    media_type: str
    charset: str | None
    frame: bytes | None = None  # the compressed body, when the database is its place


class SnapshotStore:
    """Content-addressed bodies in pack files. `keep` belongs to the writer thread, `read` to anybody.

    With `in_database` bodies travel with their rows instead, for hosts that share no disk.
    """

    def __init__(self, directory: Path, *, in_database: bool = False) -> None:
        self._directory = directory
        self._in_database = in_database
        self._packs = PackWriter(directory)
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL)
        self._recent: OrderedDict[str, None] = OrderedDict()

    def keep(
        self, pages: Sequence[Page], *, known: Callable[[list[str]], set[str]]
    ) -> tuple[list[str], list[NewSnapshot]]:
        """Return every page's hash, and what still needs a row; those bodies are on the disk already.

        `known` tells which hashes the ledger holds: a body seen before is not written again.
        """
        hashes = [hash_of(page) for page in pages]
        unseen = {sha: page for sha, page in zip(hashes, pages, strict=True) if sha not in self._recent}
        if unseen:
            for sha in known(list(unseen)):
                unseen.pop(sha, None)
        return hashes, self._store(unseen)

    def keep_anew(self, page: Page) -> NewSnapshot:
        """Keep a body whatever is known of it; it is on the disk and needs its row."""
        return self._store({hash_of(page): page})[0]

    def remember(self, hashes: Sequence[str]) -> None:
        """Note hashes whose rows are committed, so that the next page like it costs only its hash."""
        for sha in hashes:
            self._recent[sha] = None
            self._recent.move_to_end(sha)
        while len(self._recent) > _RECENT:
            self._recent.popitem(last=False)

    def read(self, connection: Connection, sha256: str) -> bytes:
        """Return the body; raise SnapshotDamaged when it is missing or is not what was stored."""
        row = connection.execute(
            select(
                snapshots.c.pack, snapshots.c.offset, snapshots.c.stored_bytes, snapshots.c.raw_bytes
            ).where(snapshots.c.sha256 == sha256, snapshots.c.purged_at.is_(None))
        ).one_or_none()
        if row is None:
            raise SnapshotDamaged(f"No snapshot {sha256} is kept.")
        place = Place(row.pack, row.offset, row.stored_bytes)
        return read_body(connection, self._directory, sha256, place=place, raw_bytes=row.raw_bytes)

    def close(self) -> None:
        """Close the open pack."""
        self._packs.close()

    def _store(self, unseen: dict[str, Page]) -> list[NewSnapshot]:
        if not unseen:
            return []
        frames = [self._compressor.compress(page.body) for page in unseen.values()]
        places = self._place(frames, next(iter(unseen.values())).fetched_at.date())
        travelling = frames if self._in_database else [None] * len(frames)
        return [
            NewSnapshot(sha, place, len(page.body), page.media_type, charset_of(page), frame)
            for (sha, page), place, frame in zip(unseen.items(), places, travelling, strict=True)
        ]

    def _place(self, frames: list[bytes], day: date) -> list[Place]:
        if self._in_database:
            return [Place(DATABASE, 0, len(frame)) for frame in frames]
        return self._packs.append(frames, day)


def read_body(connection: Connection, directory: Path, sha256: str, *, place: Place, raw_bytes: int) -> bytes:
    """Return the body at this place, proven by its hash."""
    try:
        frame = frame_of(connection, directory, sha256, place)
        body = zstandard.ZstdDecompressor().decompress(frame, max_output_size=max(raw_bytes, 1))
    except (OSError, zstandard.ZstdError) as exc:
        raise SnapshotDamaged(f"Snapshot {sha256} cannot be read from {place.pack}: {exc}") from exc
    if hashlib.sha256(body).hexdigest() != sha256:
        raise SnapshotDamaged(f"Snapshot {sha256} in {place.pack} is not what was stored.")
    return body


def frame_of(connection: Connection, directory: Path, sha256: str, place: Place) -> bytes:
    """Return the compressed body as it lies there, unproven."""
    return _frame_in(connection, sha256) if place.pack == DATABASE else _frame_at(directory, place)


def _frame_at(directory: Path, place: Place) -> bytes:
    with (directory / place.pack).open("rb") as pack:
        pack.seek(place.offset)
        return pack.read(place.size)


def _frame_in(connection: Connection, sha256: str) -> bytes:
    frame = connection.execute(
        select(snapshot_frames.c.frame).where(snapshot_frames.c.sha256 == sha256)
    ).scalar_one_or_none()
    if frame is None:
        raise SnapshotDamaged(f"Snapshot {sha256} has no body in the database.")
    return bytes(frame)


def hash_of(page: Page) -> str:
    """Return the name a body is kept under."""
    return hashlib.sha256(page.body).hexdigest()


def charset_of(page: Page) -> str | None:
    """Return the charset the origin declared, if it did."""
    _, _, declared = page.headers.get("content-type", "").partition("charset=")
    return declared.partition(";")[0].strip(" \"'").lower()[:40] or None
