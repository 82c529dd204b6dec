"""Leases and settles until killed; says `done <job id>` on stdout once a settlement is acknowledged."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from limpet.fetch.page import Page
from limpet.record import crash_points
from limpet.record.entry import AttemptNote, Lease, Settlement
from limpet.record.ledger import Ledger
from limpet.target import Outcome


async def settle(ledger: Ledger, lease: Lease) -> None:
    now = datetime.now(UTC)
    body = f"<html>{lease.target.url}</html>".encode()
    page = Page(lease.target.url, lease.target.url, 200, {"content-type": "text/html"}, body, now)
    tries = [AttemptNote(lease.attempt + 1, now, 1.0, "ok", status=200)]
    await ledger.settle(Settlement(lease, Outcome.SUCCEEDED, now, page=page, attempts=tries))
    sys.stdout.write(f"done {lease.job_id}\n")
    sys.stdout.flush()


async def main(data_dir: Path, database_url: str | None, run_id: int, point: str, hits: int) -> None:
    async with await Ledger.open(data_dir, database_url=database_url) as ledger:
        if point != "none":
            crash_points.arm(point, hits)
        worker = ledger.worker
        while leases := await ledger.lease(run_id, lane="shop.test", worker=worker, limit=8, seconds=600):
            await asyncio.gather(*(settle(ledger, lease) for lease in leases))


if __name__ == "__main__":
    place, url, run, name, count = sys.argv[1:]
    asyncio.run(main(Path(place), url if url != "-" else None, int(run), name, int(count)))
