"""The versions of an index, listed for people."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, select

from limpet.apps.judgments.tables import csv_versions
from limpet.record.storable import storable


def list_versions(
    connection: Connection, source: str | None, *, before: int | None = None, limit: int = 50
) -> list[dict[str, Any]]:
    """Return the newest versions with everything known about each; `state` says how it stands in a word."""
    question = select(csv_versions).order_by(csv_versions.c.id.desc()).limit(limit)
    if source is not None:
        question = question.where(csv_versions.c.source == storable(source))
    if before is not None:
        question = question.where(csv_versions.c.id < before)
    return [_told(row) for row in connection.execute(question)]


def one_version(connection: Connection, *, version_id: int) -> dict[str, Any] | None:
    """Return that version, told in the same way."""
    row = connection.execute(select(csv_versions).where(csv_versions.c.id == version_id)).first()
    return None if row is None else _told(row)


def version_before(connection: Connection, *, version_id: int, source: str) -> int | None:
    """Return the version the cases stood at when this one came."""
    question = select(func.max(csv_versions.c.id)).where(
        csv_versions.c.source == source,
        csv_versions.c.id < version_id,
        csv_versions.c.valid == 1,
        csv_versions.c.is_held.is_(False),
    )
    return connection.execute(question).scalar()


def _told(row: Row[Any]) -> dict[str, Any]:
    return dict(row._mapping) | {"state": _state(row.valid, is_held=row.is_held)}


def _state(valid: int, *, is_held: bool) -> str:
    if not valid:
        return "invalid"
    return "held" if is_held else "applied"
