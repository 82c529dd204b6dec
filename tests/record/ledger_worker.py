"""Leases and settles until killed; writes `done <job id>` into a file once a settlement is acknowledged.

Run in a process of its own, forked from one that has everything loaded; see test_kills.
"""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from limpet.fetch.page import Page
from limpet.record import crash_points
from limpet.record.entry import AttemptNote, Lease, Settlement
from limpet.record.ledger import Ledger
from limpet.target import Outcome

if TYPE_CHECKING:
    data_dir, url, point, acks = Path(), "", "", Path()
    run_id, hits = 0, 0


async def settle(ledger: Ledger, lease: Lease, *, acks: int) -> None:
    now = datetime.now(UTC)
    body = f"<html>{lease.target.url}</html>".encode()
    page = Page(lease.target.url, lease.target.url, 200, {"content-type": "text/html"}, body, now)
    tries = [AttemptNote(lease.attempt + 1, now, 1.0, "ok", status=200)]
    await ledger.settle(Settlement(lease, Outcome.SUCCEEDED, now, page=page, attempts=tries))
    os.write(acks, f"done {lease.job_id}\n".encode())


async def work(acks: int) -> None:
    async with await Ledger.open(data_dir, database_url=url) as ledger:
        if point != "none":
            crash_points.arm(point, hits)
        worker = ledger.worker
        while leases := await ledger.lease(run_id, lane="shop.test", worker=worker, limit=8, seconds=600):
            await asyncio.gather(*(settle(ledger, lease, acks=acks) for lease in leases))


asyncio.run(work(os.open(acks, os.O_WRONLY | os.O_CREAT | os.O_APPEND)))
