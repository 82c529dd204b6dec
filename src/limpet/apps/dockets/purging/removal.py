"""The removal itself: rows in one transaction that first checks the plan again, then files, one by one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, delete, select, update

from limpet.apps.dockets.errors import PurgeRefused
from limpet.apps.dockets.purging.doubts import objection_to
from limpet.apps.dockets.purging.files import PlannedFile
from limpet.apps.dockets.purging.plan import PurgePlan, plan_purge
from limpet.apps.dockets.purging.rows import TABLES, belongs
from limpet.record.log_tables import artefacts, snapshot_frames, snapshots
from limpet.record.logbook import audit
from limpet.record.packs import Place
from limpet.record.snapshots import DATABASE
from limpet.record.tables import targets

BATCH = 500
T = TypeVar("T")


def remove_rows(
    connection: Connection, plan: PurgePlan, *, data_dir: Path, worker: str, backup: str, now: datetime
) -> list[Place]:
    """Remove the year's rows inside the caller's transaction, and return where its pages lie in the packs."""
    current = plan_purge(
        connection, data_dir, source_id=plan.source_id, year=plan.year, worker=worker, now=now
    )
    if current.fingerprint != plan.fingerprint or current.doubts:
        raise PurgeRefused(
            "The year has changed since it was looked at.", fix="Nothing was removed; try again."
        )
    for table in TABLES:
        removed = connection.execute(delete(table).where(belongs(table, plan.source_id, plan.year))).rowcount
        if removed != plan.rows.counts[table.name]:
            raise PurgeRefused(f"{table.name}: {removed} rows would go, not {plan.rows.counts[table.name]}.")
    _let_go_of_files(connection, plan.files, now)
    places = _let_go_of_pages(connection, plan, now)
    details = {**plan.facts(), "backup": backup}
    subject = f"dockets {plan.source_id} {plan.year}"
    audit(connection, worker, "dockets_purged", subject=subject, now=now, details=details)
    return places


def _let_go_of_files(connection: Connection, files: Iterable[PlannedFile], now: datetime) -> None:
    """The rows stay as the evidence of their jobs, under names that leave room for the same file to come again."""
    for file in files:
        if file.artefact_id is not None:
            row = artefacts.c
            gone = f"{now:%Y%m%dT%H%M%S}"
            connection.execute(
                update(artefacts)
                .where(row.id == file.artefact_id)
                .values(purged_at=now, path=f"purged/{gone}/{file.path}", key=row.key + f" purged {gone}")
            )


def _let_go_of_pages(connection: Connection, plan: PurgePlan, now: datetime) -> list[Place]:
    places = []
    for part in _parts(plan.rows.snapshots):
        chosen = snapshots.c.sha256.in_(part)
        in_packs = snapshots.c.purged_at.is_(None) & (snapshots.c.pack != DATABASE)
        for row in connection.execute(select(snapshots).where(chosen, in_packs)):
            places.append(Place(row.pack, row.offset, row.stored_bytes))
        connection.execute(delete(snapshot_frames).where(snapshot_frames.c.sha256.in_(part)))
        connection.execute(update(snapshots).where(chosen).values(purged_at=now, purged_by="purge"))
    for ids in _parts(plan.rows.targets):
        # Without these nobody asks whether a page has changed that we no longer hold.
        forgotten = {"etag": None, "last_modified": None, "last_snapshot": None}
        connection.execute(update(targets).where(targets.c.id.in_(ids)).values(**forgotten))
    return places


def _parts(items: tuple[T, ...]) -> Iterable[tuple[T, ...]]:
    return (items[at : at + BATCH] for at in range(0, len(items), BATCH))


def remove_files(data_dir: Path, files: Iterable[PlannedFile], *, year: int) -> tuple[int, list[str]]:
    """Remove the files and the folders they leave empty; return how many went and what would not go."""
    removed, troubles = 0, []
    for file in files:
        path = data_dir / file.path
        if not path.exists():
            continue  # an interrupted purge got this far
        if problem := objection_to(data_dir, file, year):
            troubles.append(problem)
            continue
        try:
            path.unlink()
            removed += 1
            _remove_if_empty(path.parent, data_dir)
        except OSError as exc:
            troubles.append(f"{file.path}: {exc.strerror}")
    return removed, troubles


def blank_pages(directory: Path, places: Iterable[Place]) -> int:
    """Overwrite purged pages where they lie in their packs, and return how many bytes that were."""
    blanked = 0
    for place in places:
        try:
            fd = os.open(directory / place.pack, os.O_WRONLY)
        except FileNotFoundError:
            continue  # the pack was rewritten without the page meanwhile
        try:
            blanked += os.pwrite(fd, bytes(place.size), place.offset)
            os.fsync(fd)
        finally:
            os.close(fd)
    return blanked


def _remove_if_empty(folder: Path, data_dir: Path) -> None:
    if folder != data_dir and not any(folder.iterdir()):
        folder.rmdir()
