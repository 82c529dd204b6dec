"""The versions of an index as the ledger knows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from limpet.apps.judgments.index.comparing import Comparison
from limpet.apps.judgments.index.survey import Survey
from limpet.apps.judgments.tables import csv_versions
from limpet.record.storable import redact_url, storable, storable_or_none
from limpet.target import Validators


@dataclass(frozen=True, slots=True)
class Version:
    """One version of one source's index."""

    id: int
    source: str
    sha256: str
    validators: Validators
    is_valid: bool
    is_held: bool
    file_path: str
    error_code: str | None
    fetched_at: datetime
    checked_at: datetime


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came when the index was asked for."""

    source: str
    url: str
    sha256: str = ""
    file_path: str = ""
    validators: Validators = field(default_factory=Validators)


def newest(connection: Connection, source: str, *, readable: bool = False) -> Version | None:
    """Return the newest version, or the newest that could be read."""
    question = select(csv_versions).where(csv_versions.c.source == source)
    if readable:
        question = question.where(csv_versions.c.valid == 1)
    return _version(connection.execute(question.order_by(csv_versions.c.id.desc()).limit(1)).first())


def last_good(connection: Connection, source: str) -> Version | None:
    """Return the version the cases stand at."""
    question = (
        select(csv_versions)
        .where(csv_versions.c.source == source, csv_versions.c.valid == 1, csv_versions.c.is_held.is_(False))
        .order_by(csv_versions.c.id.desc())
        .limit(1)
    )
    return _version(connection.execute(question).first())


def version_by_id(connection: Connection, version_id: int) -> Version | None:
    """Return that version."""
    return _version(connection.execute(select(csv_versions).where(csv_versions.c.id == version_id)).first())


def touch(
    connection: Connection, version_id: int, *, now: datetime, validators: Validators | None = None
) -> None:
    """Note that the origin still has this version."""
    values: dict[str, Any] = {"checked_at": now, "checks": csv_versions.c.checks + 1}
    if validators:
        values |= {"etag": validators.etag, "last_modified": validators.last_modified}
    connection.execute(update(csv_versions).where(csv_versions.c.id == version_id).values(values))


def add_invalid(
    connection: Connection, arrival: Arrival, *, code: str, message: str, row_count: int, now: datetime
) -> int:
    """Record a version that cannot be used; the same trouble again is the same row."""
    last = newest(connection, arrival.source)
    if last is not None and (last.is_valid, last.error_code, last.sha256) == (False, code, arrival.sha256):
        touch(connection, last.id, now=now)
        return last.id
    values = _row(arrival, now=now) | {
        "row_count": row_count,
        "valid": 0,
        "error_code": code,
        "error_message": storable(message),
    }
    return _insert(connection, values)


def add_readable(connection: Connection, arrival: Arrival, *, found: Survey, now: datetime) -> int:
    """Record a version that can be read, before anybody knows what it changes."""
    counts = {
        "row_count": found.row_count,
        "case_count": found.case_count,
        "criminal_count": found.criminal_count,
        "blank_count": found.blank_count,
        "duplicate_count": found.duplicate_count,
        "undated_count": found.undated_count,
    }
    return _insert(connection, _row(arrival, now=now) | counts | {"valid": 1})


def note_outcome(connection: Connection, version_id: int, changes: Comparison, *, held_because: str) -> None:
    """Write down what the version changes, and whether that waits for a person."""
    values = {
        "new_count": len(changes.new),
        "changed_count": len(changes.changed),
        "removed_count": len(changes.removed),
        "reappeared_count": len(changes.reappeared),
        "is_held": bool(held_because),
        "error_code": "index_held" if held_because else None,
        "error_message": held_because or None,
    }
    connection.execute(update(csv_versions).where(csv_versions.c.id == version_id).values(values))


def _row(arrival: Arrival, *, now: datetime) -> dict[str, Any]:
    counts = ("case", "new", "changed", "removed", "reappeared", "criminal", "blank", "duplicate", "undated")
    return dict.fromkeys((f"{name}_count" for name in counts), 0) | {
        "source": arrival.source,
        "fetched_at": now,
        "source_url": redact_url(arrival.url),
        "etag": storable_or_none(arrival.validators.etag),
        "last_modified": storable_or_none(arrival.validators.last_modified),
        "sha256": arrival.sha256,
        "file_path": arrival.file_path,
        "checked_at": now,
        "checks": 1,
        "is_held": False,
    }


def _insert(connection: Connection, values: dict[str, Any]) -> int:
    key = connection.execute(insert(csv_versions).values(values)).inserted_primary_key
    assert key is not None
    return int(key[0])


def _version(row: Row[Any] | None) -> Version | None:
    if row is None:
        return None
    return Version(
        id=row.id,
        source=row.source,
        sha256=row.sha256,
        validators=Validators(row.etag, row.last_modified),
        is_valid=bool(row.valid),
        is_held=row.is_held,
        file_path=row.file_path,
        error_code=row.error_code,
        fetched_at=row.fetched_at,
        checked_at=row.checked_at,
    )
