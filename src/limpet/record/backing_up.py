"""Backups: the whole data directory as of one moment in one file, read back before anybody relies on it.

The database is copied first, while others go on writing: evidence is on the disk before any row points at it, so
every file the copy names is there when the files are taken afterwards; retention removes no pack meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from limpet.errors import FileUnreadable, UsageError
from limpet.record.database import LEDGER_FILE
from limpet.record.pack_locks import reading_many

MANIFEST = "limpet-backup.json"
_KIND = 1
# Locks, paces and breakers belong to running processes; logs are about them. None of it is knowledge.
_LEFT_OUT = frozenset({"logs", "workers", "domains", "breakers", "browsers"})
_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds."""

    files: int
    octets: int


def back_up(data_dir: Path, to: Path) -> BackedUp:
    """Write the backup and prove every byte of it; on any trouble nothing is left under the name."""
    if to.exists():
        raise UsageError(f"{to} is there already.", fix="Name another file; a backup is never overwritten.")
    if not (data_dir / LEDGER_FILE).is_file():
        raise UsageError(f"There is no ledger in {data_dir}.", fix="Name the place with --data-dir.")
    partial = to.with_name(f"{to.name}.partial")
    try:
        with (
            reading_many(data_dir),
            tempfile.TemporaryDirectory(dir=to.parent, prefix=".limpet-backup-") as workshop,
        ):
            copy = _copied_ledger(data_dir / LEDGER_FILE, Path(workshop))
            _write(partial, data_dir, copy)
        found = check_backup(partial)
        partial.rename(to)
    finally:
        partial.unlink(missing_ok=True)
    _sync_folder(to.parent)
    return found


def check_backup(file: Path) -> BackedUp:
    """Read the whole backup and compare every file with its hash, or raise FileUnreadable."""
    with _opened(file) as archive:
        expected = _manifest(archive, file)
        seen = {}
        for member in archive:
            if member.isfile() and member.name != MANIFEST:
                seen[member.name] = _digest(_content(archive, member))
    if seen != expected:
        wrong = sorted(set(seen.items()) ^ set(expected.items()))
        raise FileUnreadable(f"{file} is damaged at {wrong[0][0]!r}.", fix="Use another backup.")
    return BackedUp(len(seen), file.stat().st_size)


def restore(file: Path, data_dir: Path) -> BackedUp:
    """Put the backup where nothing is yet; it appears there whole and proven, or not at all."""
    if data_dir.exists() and any(data_dir.iterdir()):
        raise UsageError(
            f"{data_dir} is not empty.", fix="Restore into a new place with --data-dir, then move it."
        )
    found = check_backup(file)
    workshop = data_dir.with_name(f"{data_dir.name}.restoring")
    shutil.rmtree(workshop, ignore_errors=True)
    try:
        with _opened(file) as archive:
            archive.extractall(workshop, filter="data")
        (workshop / MANIFEST).unlink()
        if data_dir.exists():
            data_dir.rmdir()
        workshop.rename(data_dir)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
    _sync_folder(data_dir.parent)
    return found


def _copied_ledger(ledger: Path, workshop: Path) -> Path:
    copy = workshop / LEDGER_FILE
    with (
        closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(copy)) as new,
    ):
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    return copy


def _write(partial: Path, data_dir: Path, ledger: Path) -> None:
    hashes = {}
    with partial.open("wb") as raw, tarfile.open(fileobj=raw, mode="w") as archive:
        for name, path in [(LEDGER_FILE, ledger), *_files(data_dir)]:
            hashes[name] = _add(archive, name, path)
        body = json.dumps({"kind": _KIND, "files": hashes}, indent=1).encode()
        note = tarfile.TarInfo(MANIFEST)
        note.size = len(body)
        with tempfile.TemporaryFile() as said:
            said.write(body)
            said.seek(0)
            archive.addfile(note, said)
        archive.close()
        raw.flush()
        os.fsync(raw.fileno())


def _files(data_dir: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(data_dir.rglob("*")):
        name = path.relative_to(data_dir)
        is_ledger = name.name.startswith(LEDGER_FILE) and len(name.parts) == 1
        if path.is_file() and not path.is_symlink() and name.parts[0] not in _LEFT_OUT and not is_ledger:
            yield name.as_posix(), path


def _add(archive: tarfile.TarFile, name: str, path: Path) -> str:
    """Add the file as long as it is now: a pack may grow while it is read, and what grows is not ours yet."""
    with path.open("rb") as content:
        member = archive.gettarinfo(arcname=name, fileobj=content)
        member.size = os.fstat(content.fileno()).st_size
        digest = _digest(content, most=member.size)
        content.seek(0)
        archive.addfile(member, content)
    return digest


def _opened(file: Path) -> tarfile.TarFile:
    try:
        return tarfile.open(file, "r:")
    except (OSError, tarfile.TarError) as wrong:
        raise FileUnreadable(
            f"{file} is no backup that can be read.", fix="Name a file `limpet backup` wrote."
        ) from wrong


def _manifest(archive: tarfile.TarFile, file: Path) -> dict[str, str]:
    try:
        said: dict[str, Any] = json.load(_content(archive, archive.getmember(MANIFEST)))
        if said["kind"] == _KIND:
            return dict(said["files"])
    except (KeyError, ValueError, tarfile.TarError) as wrong:
        raise FileUnreadable(
            f"{file} has no list of what it holds.", fix="It is cut off, or no backup of ours."
        ) from wrong
    raise FileUnreadable(f"{file} was written by a newer Limpet.", fix="Upgrade Limpet first.")


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = archive.extractfile(member)
    assert content is not None
    return content


def _digest(content: IO[bytes], *, most: int | None = None) -> str:
    digest, left = hashlib.sha256(), most
    while piece := content.read(_PIECE if left is None else min(_PIECE, left)):
        digest.update(piece)
        left = None if left is None else left - len(piece)
    return digest.hexdigest()


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
