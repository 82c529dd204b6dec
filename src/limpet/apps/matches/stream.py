"""A match as it happens: deltas by number, from wherever the listener left off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from limpet.apps.matches.monitor.watching import MatchMonitor
from limpet.apps.matches.snapshot import CachedSnapshot, delta
from limpet.apps.matches.views import latest_snapshot, snapshot_at, snapshots_after
from limpet.clock import is_set_within
from limpet.record.ledger import Ledger

_LOOK_AGAIN_SECONDS = 1.0
_BATCH = 100


async def deltas(
    ledger: Ledger, monitor: MatchMonitor, match_id: str, *, after: int | None
) -> AsyncIterator[tuple[int, dict[str, Any]] | None]:
    """Yield (number, what changed) without end; None when there was nothing for a second.

    Without `after` the first is the whole of the newest snapshot; with it, nothing above that number is left out.
    """
    last = await _starting_point(ledger, match_id, after)
    if after is None and last is not None:
        yield last.sequence_number, delta(None, last)
    while True:
        board = monitor.room.boards.get(match_id) if monitor.is_watching else None
        bell = board.bell if board is not None else asyncio.Event()
        fresh = await ledger.read(
            partial(snapshots_after, match_id=match_id, after=_number(last, after), limit=_BATCH)
        )
        for snapshot in fresh:
            yield snapshot.sequence_number, delta(last, snapshot)
            last = snapshot
        if not fresh:
            await is_set_within(bell, _LOOK_AGAIN_SECONDS)
            yield None


async def _starting_point(ledger: Ledger, match_id: str, after: int | None) -> CachedSnapshot | None:
    """Return the snapshot the listener holds already, or the newest one for a listener who holds none."""
    if after is None:
        return await ledger.read(partial(latest_snapshot, match_id=match_id))
    return await ledger.read(partial(snapshot_at, match_id=match_id, sequence=after))


def _number(last: CachedSnapshot | None, after: int | None) -> int:
    return last.sequence_number if last is not None else (after or 0)
