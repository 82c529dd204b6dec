"""Moves a ledger from one database to another, table by table, and proves that every row arrived as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, func, insert, inspect, select, text

from limpet.errors import LedgerUnreadable, RecordError
from limpet.record.database import for_writing
from limpet.record.log_tables import snapshot_frames, snapshots
from limpet.record.migrate import migrate
from limpet.record.pack_locks import reading_many
from limpet.record.packs import Place
from limpet.record.snapshots import DATABASE, frame_of, read_body
from limpet.record.tables import metadata

BATCH = 1_000
# Bodies change their place on the way: they are compared by what they hold, not by where it lies.
_BODIES = (snapshots.name, snapshot_frames.name)
# Who works here, and who leads: nobody of the old place does so in the new one.
_LEFT_BEHIND = ("workers", "leaderships")
Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Moved:
    """How many rows of each table arrived, every one of them compared."""

    rows: dict[str, int]

    @property
    def total(self) -> int:
        """All rows of all tables."""
        return sum(self.rows.values())


def move(origin: Engine, goal: Engine, *, data_dir: Path, share_bodies: bool, tell: Progress) -> Moved:
    """Copy everything in one transaction and compare it row by row; the goal must be empty, and stays so on failure."""
    migrate(goal)
    with reading_many(data_dir), origin.connect() as old, for_writing(goal).begin() as new:
        _refuse_unless_empty(new)
        counted = {table.name: _copy(old, new, table, tell) for table in _tables()}
        counted[snapshots.name] = _copy_bodies(old, new, data_dir, share=share_bodies, tell=tell)
        _restart_numbering(new)
        for table in _tables():
            _compare(old, new, table)
        _compare_bodies(old, new, data_dir)
    return Moved(counted)


def _tables() -> list[Table]:
    return [table for table in metadata.sorted_tables if table.name not in (*_BODIES, *_LEFT_BEHIND)]


def _refuse_unless_empty(connection: Connection) -> None:
    for table in metadata.sorted_tables:
        if connection.execute(select(func.count()).select_from(table)).scalar_one():
            raise LedgerUnreadable(
                f"The database to move to is not empty: {table.name} has rows.",
                fix="Create a new, empty database and name that one.",
            )


def _rows(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """Yield rows in the order of their key, a few at a time."""
    ordered = select(table).order_by(*table.primary_key.columns)
    for row in connection.execution_options(yield_per=BATCH).execute(ordered).mappings():
        yield dict(row)


def _copy(old: Connection, new: Connection, table: Table, tell: Progress) -> int:
    count, batch = 0, []
    for row in _rows(old, table):
        batch.append(row)
        if len(batch) == BATCH:
            new.execute(insert(table), batch)
            count, batch = count + len(batch), []
            tell(table.name, count)
    if batch:
        new.execute(insert(table), batch)
    return count + len(batch)


def _copy_bodies(old: Connection, new: Connection, data_dir: Path, *, share: bool, tell: Progress) -> int:
    """Copy what is known of every body; bodies that hosts are to share travel with it."""
    count = 0
    for row in _rows(old, snapshots):
        place = Place(row["pack"], row["offset"], row["stored_bytes"])
        travels = row["purged_at"] is None and (share or place.pack == DATABASE)
        if travels:
            frame = frame_of(old, data_dir / "snapshots", row["sha256"], place)
            new.execute(insert(snapshot_frames), {"sha256": row["sha256"], "frame": frame})
            row |= {"pack": DATABASE, "offset": 0}
        new.execute(insert(snapshots), row)
        count += 1
        if count % BATCH == 0:
            tell(snapshots.name, count)
    return count


def _restart_numbering(connection: Connection) -> None:
    """Let Postgres count on from the highest number that arrived."""
    if connection.dialect.name != "postgresql":
        return
    for table in _tables():
        for column in inspect(table).primary_key.columns:
            if column.autoincrement is True:
                connection.execute(
                    text(
                        f"SELECT setval(pg_get_serial_sequence(:table, :column), "
                        f'coalesce((SELECT max("{column.name}") FROM "{table.name}"), 0) + 1, false)'
                    ),
                    {"table": table.name, "column": column.name},
                )


def _compare(old: Connection, new: Connection, table: Table) -> None:
    for was, is_now in zip_longest(_rows(old, table), _rows(new, table)):
        if was != is_now:
            key = [(was or is_now or {}).get(column.name) for column in table.primary_key.columns]
            raise RecordError(f"Row {key} of {table.name} did not arrive as it was.")


def _compare_bodies(old: Connection, new: Connection, data_dir: Path) -> None:
    known = select(func.count()).select_from(snapshots)
    if old.execute(known).scalar_one() != new.execute(known).scalar_one():
        raise RecordError("Not every snapshot arrived.")
    for row in _rows(new, snapshots):
        if row["purged_at"] is None:
            place = Place(row["pack"], row["offset"], row["stored_bytes"])
            read_body(
                new, data_dir / "snapshots", row["sha256"], place=place, raw_bytes=row["raw_bytes"]
            )  # raises unless the body is what its hash says
