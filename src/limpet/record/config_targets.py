"""Targets a config file names, kept in step with it: what was taken out of the file is no longer visited."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from limpet.record.bulk import BulkUpdate, moment_writer
from limpet.record.tables import targets

FROM_CONFIG = "config"
_LEFT_OUT = "no longer in the config file"
_STATUS = BulkUpdate(
    "targets",
    "status = v.status, notes = v.notes, updated_at = v.at",
    given=(("id", "bigint"), ("status", "text"), ("notes", "text"), ("at", "timestamptz")),
)


class Kept(NamedTuple):
    """How many targets were paused because the file no longer names them, and how many came back."""

    paused: int
    resumed: int


def keep_in_step(connection: Connection, source_id: str, *, named: Collection[str], now: datetime) -> Kept:
    """Pause what the file once named and no longer does, and resume what it names again; history stays.

    Targets people added by other ways, or paused themselves, are left alone.
    """
    columns = targets.c
    known = connection.execute(
        select(columns.id, columns.canonical_url, columns.status, columns.notes).where(
            columns.source_id == source_id, columns.created_by == FROM_CONFIG
        )
    ).all()
    gone = [row.id for row in known if row.status == "active" and row.canonical_url not in named]
    back = [row.id for row in known if row.notes == _LEFT_OUT and row.canonical_url in named]
    at = moment_writer(connection)(now)
    _STATUS.run(connection, [(number, "paused", _LEFT_OUT, at) for number in gone])
    _STATUS.run(connection, [(number, "active", None, at) for number in back])
    return Kept(len(gone), len(back))
