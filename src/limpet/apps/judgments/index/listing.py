"""The versions of an index, listed for people."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from limpet.apps.judgments.tables import csv_versions


def list_versions(connection: Connection, source: str | None, *, limit: int = 50) -> list[dict[str, Any]]:
    """Return the newest versions with everything known about each; `state` says how it stands in a word."""
    question = select(csv_versions).order_by(csv_versions.c.id.desc()).limit(limit)
    if source is not None:
        question = question.where(csv_versions.c.source == source)
    return [
        dict(row._mapping) | {"state": _state(row.valid, is_held=row.is_held)}
        for row in connection.execute(question)
    ]


def _state(valid: int, *, is_held: bool) -> str:
    if not valid:
        return "invalid"
    return "held" if is_held else "applied"
