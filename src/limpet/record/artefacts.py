"""Files we keep (PDFs and the like): complete and on the disk before the ledger speaks of them."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import Connection

from limpet.clock import Clock
from limpet.fetch.filing import StoredArtefact
from limpet.record import crash_points
from limpet.record.bulk import BulkInsert, Row, moment_writer
from limpet.record.database import make_directory, unusable
from limpet.record.disk_gauge import DiskGauge
from limpet.record.packs import sync_directory
from limpet.record.storable import storable

INSERT_ARTEFACTS = BulkInsert(
    "artefacts",
    ("kind", "key", "path", "sha256", "size_bytes", "media_type", "job_id", "stored_at"),
    skip_known=True,
)
PART_SUFFIX = ".part"
_STEM_LIMIT = 80
_READ_BYTES = 1024 * 1024


def file_stem(key: str) -> str:
    """Return a file name made of our own key: nothing in it can leave the folder.

    A key that loses anything on the way gets a short hash, so that two keys never share a name.
    """
    plain = unicodedata.normalize("NFKC", key).strip().upper()
    stem = re.sub(r"[^A-Z0-9_-]+", "", plain)[:_STEM_LIMIT]
    if stem == key and stem:
        return stem
    return f"{stem or 'FILE'}-{_digest(key.encode('utf-8', 'surrogatepass'))[:10]}"


class ArtefactStore:
    """Files under `<data_dir>/<kind>/`, named by key. A file once kept is never overwritten."""

    def __init__(self, data_dir: Path, *, clock: Clock) -> None:
        self.data_dir = data_dir
        self._clock = clock
        self._gauge = DiskGauge(data_dir)

    def store(
        self, kind: str, key: str, content: bytes | Iterable[bytes], *, suffix: str, media_type: str
    ) -> StoredArtefact:
        """Keep the content and return it durable; DiskInsufficient leaves nothing behind."""
        with self.draft(kind, key, suffix=suffix, media_type=media_type) as draft:
            for chunk in (content,) if isinstance(content, bytes) else content:
                draft.write(chunk)
            return draft.finish()

    def draft(self, kind: str, key: str, *, suffix: str, media_type: str) -> Draft:
        """Return a file to be written chunk by chunk; it vanishes unless `finish` is reached."""
        if not re.fullmatch(r"[a-z][a-z0-9_]*", kind) or not re.fullmatch(r"\.[a-z0-9]{1,8}", suffix):
            raise ValueError(f"{kind!r} and {suffix!r} do not make a folder and a suffix")
        self._gauge.note_file()
        return Draft(self.data_dir, kind, key, suffix=suffix, media_type=media_type, now=self._clock.now)

    def adopt(
        self, kind: str, key: str, *, suffix: str, media_type: str, accept: Callable[[Path], bool]
    ) -> StoredArtefact | None:
        """Return the file that stands under this key already, as after a crash before its row was written."""
        path = self.data_dir / kind / f"{file_stem(key)}{suffix}"
        if not path.is_file() or not accept(path):
            return None
        size = path.stat().st_size
        return StoredArtefact(
            kind, key, f"{kind}/{path.name}", hash_file(path), size, media_type, stored_at=self._clock.now()
        )


class Draft:
    """A file under a temporary name, locked so that a sweep can tell it from one left by a crash."""

    def __init__(
        self,
        data_dir: Path,
        kind: str,
        key: str,
        *,
        suffix: str,
        media_type: str,
        now: Callable[[], datetime],
    ) -> None:
        self._kind, self._key, self._suffix, self._media_type = kind, key, suffix, media_type
        self._now = now
        self._folder = data_dir / kind
        self._stem = file_stem(key)
        self._hash = hashlib.sha256()
        self._size = 0
        make_directory(self._folder)
        self._part = self._folder / f".{self._stem}.{secrets.token_hex(6)}{PART_SUFFIX}"
        try:
            self._fd = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except OSError as exc:
            raise unusable(self._folder, exc) from exc
        fcntl.flock(self._fd, fcntl.LOCK_EX)

    def __enter__(self) -> Draft:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    def write(self, chunk: bytes) -> None:
        """Add a chunk."""
        view = memoryview(chunk)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as exc:
            self.discard()
            raise unusable(self._folder, exc) from exc
        self._hash.update(chunk)
        self._size += len(chunk)

    @property
    def sha256(self) -> str:
        """The hash of what was written so far."""
        return self._hash.hexdigest()

    def finish(self, *, key: str | None = None) -> StoredArtefact:
        """Give the file its name, durably. One of the same content that stands there is adopted."""
        if key is not None:
            self._key, self._stem = key, file_stem(key)
        sha256 = self.sha256
        path = self._free_path(sha256)
        try:
            if not path.exists():
                os.fsync(self._fd)
                crash_points.reach("before_artefact_rename")
                self._part.rename(path)
            sync_directory(self._folder)
        except OSError as exc:
            raise unusable(self._folder, exc) from exc
        finally:
            self.discard()
        crash_points.reach("after_artefact_rename")
        relative = f"{self._kind}/{path.name}"
        return StoredArtefact(
            self._kind, self._key, relative, sha256, self._size, self._media_type, stored_at=self._now()
        )

    def discard(self) -> None:
        """Remove the temporary file; harmless once finished."""
        if self._fd < 0:
            return
        os.close(self._fd)
        self._fd = -1
        self._part.unlink(missing_ok=True)

    def _free_path(self, sha256: str) -> Path:
        path = self._folder / f"{self._stem}{self._suffix}"
        if not path.exists() or hash_file(path) == sha256:
            return path
        return self._folder / f"{self._stem}~{sha256[:10]}{self._suffix}"


def artefact_row(file: StoredArtefact, job_id: int | None, moment: Callable[[datetime], Any]) -> Row:
    """Return the row of one kept file."""
    at = moment(file.stored_at)
    key, media_type = storable(file.key), storable(file.media_type)
    return (file.kind, key, file.path, file.sha256, file.size_bytes, media_type, job_id, at)


def note_artefact(connection: Connection, file: StoredArtefact, *, job_id: int | None = None) -> None:
    """Make the file ours, inside the caller's transaction. Saying it twice changes nothing."""
    INSERT_ARTEFACTS.run(connection, [artefact_row(file, job_id, moment_writer(connection))])


def hash_file(path: Path) -> str:
    """Return the sha256 of a file without holding it in memory."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_READ_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
