"""Applies a rule of one day at a given time, until killed at a crash point."""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime
from pathlib import Path

from limpet.clock import FrozenClock
from limpet.record import crash_points
from limpet.record.ledger import Ledger
from limpet.record.retention.policy import Keep, RetentionPolicy
from limpet.record.retention.work import RetentionWork


async def main(data_dir: Path, database_url: str | None, now: datetime, point: str) -> None:
    async with await Ledger.open(data_dir, database_url=database_url, clock=FrozenClock(now)) as ledger:
        crash_points.arm(point)
        await RetentionWork(ledger, RetentionPolicy(Keep(pages_days=1.0))).apply(by="doomed")


if __name__ == "__main__":
    place, url, when, name = sys.argv[1:]
    asyncio.run(main(Path(place), url if url != "-" else None, datetime.fromisoformat(when), name))
