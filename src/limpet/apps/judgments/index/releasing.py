"""Lets a held version of an index through: exactly the file a person has looked at, not whatever is there by now."""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from limpet.apps.judgments.index.applying import Application, known_cases
from limpet.apps.judgments.index.comparing import compare
from limpet.apps.judgments.index.reading import IndexFile, NotAnIndex
from limpet.apps.judgments.index.survey import Survey, survey
from limpet.apps.judgments.index.sync import CsvSyncResult, result_of
from limpet.apps.judgments.index.versions import Version, newest, note_outcome, version_by_id
from limpet.apps.judgments.options import options_of
from limpet.errors import FileUnreadable, NothingToDo, NotThere
from limpet.record.ledger import Ledger
from limpet.record.logbook import audit
from limpet.source import Source


async def release(ledger: Ledger, source: Source, version_id: int, *, by: str, reason: str) -> CsvSyncResult:
    """Apply a held version, audited; raise NothingToDo when it is not held, or no longer the newest."""
    version = await ledger.read(partial(held_version, version_id=version_id))
    file = IndexFile(ledger.data_dir / version.file_path, options_of(source).criminal_rule)
    found = await asyncio.to_thread(_survey, file, ledger.data_dir / version.file_path, version)
    now = ledger.clock.now()

    def let_through(connection: Connection) -> None:
        held_version(connection, version_id=version_id)  # still, now that nobody else can write
        changes = compare(found, known_cases(connection, source.id))
        note_outcome(connection, version_id, changes, held_because="")
        Application(connection, source.id, version_id, now).apply(file, changes)
        details = {"source": source.id, "removed": len(changes.removed), "new": len(changes.new)}
        subject = f"index version {version_id}"
        audit(connection, by, "release_index", subject=subject, now=now, reason=reason, details=details)

    await ledger.write_once(let_through)
    await ledger.log_event("index_applied", source_id=source.id, payload={"csv_version_id": version_id})
    return await ledger.read(partial(result_of, version_id=version_id))


def held_version(connection: Connection, *, version_id: int) -> Version:
    """Return the version if it waits for a person; otherwise raise NotThere or NothingToDo."""
    version = version_by_id(connection, version_id)
    if version is None:
        raise NotThere(f"There is no version {version_id} of any index.")
    if not version.is_held:
        raise NothingToDo(f"Version {version_id} is not held.", fix="There is nothing to release.")
    latest = newest(connection, version.source, readable=True)
    if latest is not None and latest.id != version_id:
        raise NothingToDo(
            f"Version {version_id} is over: version {latest.id} came after it.",
            fix=f"Look at version {latest.id}.",
        )
    return version


def _survey(file: IndexFile, path: Path, version: Version) -> Survey:
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() != version.sha256:
            raise FileUnreadable(
                f"The file of version {version.id} is not what was fetched.",
                fix="`limpet judgments sync --accept-removals` fetches it anew.",
            )
        return survey(file)
    except (OSError, NotAnIndex) as wrong:
        raise FileUnreadable(
            f"The file of version {version.id} cannot be read: {wrong}",
            fix="`limpet judgments sync --accept-removals` fetches it anew.",
        ) from wrong
