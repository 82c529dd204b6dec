"""What a register lacks once a batch is through: numbers that were asked for and never answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import Connection

from limpet.apps.dockets.gaps import RegisterGaps, find_gaps, registers
from limpet.engine.lacks import Lack
from limpet.record.entry import Run

_MOST_NAMED = 12


def find_lacks(connection: Connection, run: Run, *, now: datetime) -> Sequence[Lack]:
    """Return a lack for each register with failures; what nobody has asked for yet may well be left for later."""
    return list(_lacks(connection, run.source_id or ""))


def _lacks(connection: Connection, source_id: str) -> Iterator[Lack]:
    for register in registers(connection, source_id=source_id, year=None):
        gaps = find_gaps(connection, register)
        if gaps.failed:
            count = sum(hole.count for hole in gaps.failed)
            yield Lack(f"{source_id} {register}", _named(gaps), gaps.backfill, {"numbers_missing": count})


def _named(gaps: RegisterGaps) -> str:
    more = len(gaps.failed) - _MOST_NAMED
    numbers = ", ".join(map(str, gaps.failed[:_MOST_NAMED])) + (f" and {more} more" if more > 0 else "")
    return f"asked for and not answered: {numbers}"
