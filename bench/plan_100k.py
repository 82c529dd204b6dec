"""100,000 targets planned and leased on a fresh ledger: how long it takes, and whether memory stays flat."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from limpet.record.entry import NewRun
from limpet.record.ledger import Ledger, Selection
from limpet.source import Source
from limpet.target import Target

SOURCE = Source(id="bench", app="prices", site="tidepool_shop", hosts=("shop.tidepool.localhost",))
LANES = 200
LEASE_AT_ONCE = 32


def targets(count: int) -> Iterator[Target]:
    """Yield targets spread over the lanes, one at a time."""
    for number in range(count):
        domain = f"shop{number % LANES}.example"
        url = f"https://{domain}/product/{number}"
        yield Target(source_id=SOURCE.id, address=url, url=url, lane=domain)


class Gauge:
    """Prints how long each step took, what it cost us, and how far memory has grown since the start."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._at_first = self._rss_mb()
        self._since, self._cpu = time.monotonic(), time.process_time()

    def _rss_mb(self) -> float:
        return float(self._process.memory_info().rss) / 1024 / 1024

    def note(self, step: str) -> None:
        """Print one line and start timing the next step."""
        took, cost, rss = time.monotonic() - self._since, time.process_time() - self._cpu, self._rss_mb()
        grown = rss - self._at_first
        print(f"{step:<36} {took:7.2f} s   CPU {cost:6.2f} s   RSS {rss:6.1f} MB ({grown:+.1f})")
        self._since, self._cpu = time.monotonic(), time.process_time()


async def lease_everything(ledger: Ledger, run_id: int) -> int:
    """Lease every job of the run, lane by lane, and return how many there were."""
    leased = 0
    for waiting in await ledger.lanes(run_id):
        while jobs := await ledger.lease(
            run_id, lane=waiting.lane, worker=ledger.worker, limit=LEASE_AT_ONCE, seconds=600
        ):
            leased += len(jobs)
    return leased


async def main(count: int, data_dir: Path) -> None:
    """Walk the steps and check that nothing was planned or leased but once."""
    async with await Ledger.open(data_dir) as ledger:
        gauge = Gauge()
        gauge.note("ledger open")
        await ledger.put_source(SOURCE)
        await ledger.put_targets(targets(count))
        gauge.note(f"{count:,} targets added")
        run = await ledger.plan_run(NewRun(app="prices", source_id=SOURCE.id), Selection([SOURCE.id]))
        gauge.note(f"{run.planned:,} jobs planned")
        leased = await lease_everything(ledger, run.id)
        gauge.note(f"{leased:,} jobs leased")
    if not run.planned == leased == count:
        raise SystemExit(f"planned {run.planned}, leased {leased}, wanted {count}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=100_000)
    with tempfile.TemporaryDirectory(prefix="limpet-plan-") as directory:
        asyncio.run(main(parser.parse_args().targets, Path(directory)))
