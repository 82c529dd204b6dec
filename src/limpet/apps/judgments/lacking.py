"""What an archive lacks once a scrape is through, in a few words: numbers never seen, months without a judgment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from limpet.apps.judgments.gaps import JudgmentGaps, find_gaps
from limpet.engine.lacks import Lack
from limpet.record.entry import Run

_MOST_NAMED = 8


def find_lacks(connection: Connection, run: Run, *, now: datetime) -> Sequence[Lack]:
    """Return what the court of this run lacks; what is merely not downloaded yet is the next run's work."""
    source_id = run.source_id or ""
    gaps = find_gaps(connection, source_id=source_id, now=now)
    details, fix = described(gaps), f"limpet gaps judgments --source {source_id}"
    return [Lack(f"source {source_id}", details, fix, _evidence(gaps))] if details else []


def described(gaps: JudgmentGaps) -> str:
    """Return what is missing in a few words; nothing when nothing is."""
    named = list(_named(gaps))
    more = len(named) - _MOST_NAMED
    return "; ".join(named[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")


def _named(gaps: JudgmentGaps) -> Iterator[str]:
    for numbering in gaps.holes:
        yield f"{numbering.name} lacks {', '.join(map(str, numbering.holes[:_MOST_NAMED]))}"
    for month in gaps.quiet_months:
        yield f"{month} is quiet"


def _evidence(gaps: JudgmentGaps) -> dict[str, Any]:
    return {
        "numbers_missing": sum(numbering.missing for numbering in gaps.holes),
        "quiet_months": [str(month) for month in gaps.quiet_months],
    }
