"""The backup: one archive with every row, page and file of the plan, read back and proven before anything goes."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection

from limpet.apps.dockets.errors import PurgeRefused
from limpet.apps.dockets.purging.plan import PurgePlan
from limpet.apps.dockets.purging.rows import TABLES, each_row
from limpet.record.database import make_directory, unusable
from limpet.record.packs import sync_directory

MANIFEST = "manifest.json"
ReadPage = Callable[[Connection, str], bytes]


def write_backup(
    path: Path, connection: Connection, plan: PurgePlan, *, data_dir: Path, read_page: ReadPage
) -> None:
    """Write the archive under its name, durably; a file of that name is never replaced."""
    if path.exists():
        raise PurgeRefused(f"{path} is there already.", fix="Name another place with --backup.")
    make_directory(path.parent)
    temporary = path.with_name(f".{path.name}.part")
    try:
        with temporary.open("wb") as raw:
            with tarfile.open(fileobj=raw, mode="w:gz", compresslevel=6) as archive:
                _fill(archive, _members(connection, plan, data_dir=data_dir, read_page=read_page), plan)
            raw.flush()
            os.fsync(raw.fileno())
        temporary.rename(path)
        sync_directory(path.parent)
    except OSError as exc:
        raise unusable(path.parent, exc) from exc
    finally:
        temporary.unlink(missing_ok=True)


def prove_backup(path: Path, plan: PurgePlan) -> int:
    """Read the whole archive back and return how many members it has; raise PurgeRefused unless each is right."""
    found: dict[str, str] = {}
    manifest: dict[str, Any] = {}
    try:
        with tarfile.open(path, mode="r:gz") as archive:
            for member in archive:
                content = archive.extractfile(member)
                body = content.read() if content is not None else b""
                if member.name == MANIFEST:
                    manifest = orjson.loads(body)
                else:
                    found[member.name] = hashlib.sha256(body).hexdigest()
    except (OSError, EOFError, tarfile.TarError, orjson.JSONDecodeError) as exc:
        raise PurgeRefused(
            f"The backup {path} cannot be read back: {exc}.", fix="Nothing was removed."
        ) from exc
    wanted = {f"files/{file.path}": file.sha256 for file in plan.files}
    wanted |= {f"snapshots/{sha256}": sha256 for sha256 in plan.rows.snapshots}
    is_whole = (
        found == manifest.get("sha256")
        and manifest.get("fingerprint") == plan.fingerprint
        and all(found.get(name) == sha256 for name, sha256 in wanted.items())
    )
    if not is_whole:
        raise PurgeRefused(f"The backup {path} does not hold what it should.", fix="Nothing was removed.")
    return len(found)


def _members(
    connection: Connection, plan: PurgePlan, *, data_dir: Path, read_page: ReadPage
) -> Iterator[tuple[str, bytes]]:
    for table in TABLES:
        names = [str(column.name) for column in table.columns]
        rows = (dict(zip(names, row, strict=True)) for row in each_row(connection, table, plan.rows))
        yield f"rows/{table.name}.jsonl", b"".join(orjson.dumps(row, default=str) + b"\n" for row in rows)
    for sha256 in plan.rows.snapshots:
        yield f"snapshots/{sha256}", read_page(connection, sha256)
    for file in plan.files:
        yield f"files/{file.path}", (data_dir / file.path).read_bytes()


def _fill(archive: tarfile.TarFile, members: Iterator[tuple[str, bytes]], plan: PurgePlan) -> None:
    hashes = {}
    for name, body in members:
        hashes[name] = hashlib.sha256(body).hexdigest()
        _add(archive, name, body)
    manifest = {"plan": plan.facts(), "fingerprint": plan.fingerprint, "sha256": hashes}
    _add(archive, MANIFEST, orjson.dumps(manifest, option=orjson.OPT_INDENT_2))


def _add(archive: tarfile.TarFile, name: str, body: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(body)
    archive.addfile(member, io.BytesIO(body))
