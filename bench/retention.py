"""Half of many pages removed by a rule: how long it takes, what comes back, what it costs those who work meanwhile.

Every page was settled as the crew does it; the past is made by a clock of the bench's own. A second process would find
the ledger as busy as the writer here does: one small write after the other, each timed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import tempfile
import time
from pathlib import Path

from limpet.clock import FrozenClock
from limpet.fetch.page import Page
from limpet.record.entry import AttemptNote, NewRun, Settlement
from limpet.record.ledger import Ledger
from limpet.record.retention.policy import Keep, RetentionPolicy
from limpet.record.retention.work import RetentionWork
from limpet.source import Source
from limpet.target import Outcome, Target
from limpet.target.outcome import RunState

LANE = "shop.test"
_LEASED = 512


async def fill(ledger: Ledger, clock: FrozenClock, pages: int) -> None:
    """Visit all targets on one day, every other one on two more; each page is new, so half of them may go.

    Those of the first day lie side by side with pages that stay: their pack has to be copied.
    """
    await ledger.put_source(Source(id="shop", app="prices", site="woo", hosts=(LANE,)))
    chance = random.Random(1)
    for day, step in enumerate((1, 2, 2)):
        urls = [f"https://{LANE}/p/{number}" for number in range(0, pages // 2, step)]
        run = await ledger.plan_run(
            NewRun("prices", "shop"), (Target("shop", url, url, LANE) for url in urls)
        )
        while leases := await ledger.lease(
            run.id, lane=LANE, worker=ledger.worker, limit=_LEASED, seconds=600
        ):
            await asyncio.gather(*(_settle(ledger, clock, lease, chance) for lease in leases))
        await ledger.finish_run(run.id, RunState.COMPLETED)
        clock.advance(86_400.0)
        print(f"  day {day + 1}: {len(urls):,} pages", flush=True)
    ledger.snapshots.close()


async def _settle(ledger: Ledger, clock: FrozenClock, lease: object, chance: random.Random) -> None:
    now, url = clock.now(), lease.target.url  # type: ignore[attr-defined]
    body = b"<html>" + chance.randbytes(1_000).hex().encode() + b"</html>"
    page = Page(url, url, 200, {"content-type": "text/html"}, body, now)
    tries = [AttemptNote(1, now, 1.0, "ok", status=200)]
    await ledger.settle(Settlement(lease, Outcome.SUCCEEDED, now, page=page, attempts=tries))  # type: ignore[arg-type]


async def write_beside(ledger: Ledger, done: asyncio.Event) -> list[float]:
    """Write one small thing after the other and return how long each took."""
    waits = []
    while not done.is_set():
        began = time.perf_counter()
        await ledger.log_event("bench")
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(0.01)
    return waits


def megabytes_in_packs(folder: Path) -> float:
    """Return what the packs take."""
    return sum(path.stat().st_size for path in (folder / "snapshots").glob("*.pack")) / 1e6


def peak_megabytes() -> float:
    """Return the most memory this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def main(pages: int, folder: Path, database_url: str | None) -> None:
    """Fill a ledger, apply the rule beside a writer, and print what it took."""
    clock = FrozenClock()
    async with await Ledger.open(folder, database_url=database_url, clock=clock) as ledger:
        await fill(ledger, clock, pages)
        before, memory, done = megabytes_in_packs(folder), peak_megabytes(), asyncio.Event()
        work = RetentionWork(ledger, RetentionPolicy(Keep(pages_days=1.5)))
        began = time.perf_counter()
        shown = await work.survey()
        looking = time.perf_counter() - began
        beside = asyncio.create_task(write_beside(ledger, done))
        began, cpu = time.perf_counter(), time.process_time()
        account = await work.apply(by="bench")
        seconds, spent = time.perf_counter() - began, time.process_time() - cpu
        done.set()
        waits = sorted(await beside)
        grown, after = peak_megabytes() - memory, megabytes_in_packs(folder)
        began = time.perf_counter()
        found = await ledger.verify()
        proving = time.perf_counter() - began
    if account is None or account.pages != shown.pages or not found.is_sound:
        raise SystemExit("what went is not what was shown, or the ledger does not balance")
    slow = waits[int(len(waits) * 0.99)] * 1e3
    print(f"{pages:,} pages, {account.pages:,} removed; shown in {looking:.1f} s")
    print(f"applied in {seconds:.1f} s ({spent:.1f} s of CPU), {account.packs_rewritten} packs rewritten")
    print(
        f"packs {before:.0f} MB before, {after:.0f} MB after; {account.bytes_given_back / 1e6:.0f} MB given back"
    )
    print(
        f"memory grew by {grown:.0f} MB; {len(waits):,} writes beside it: p50 {waits[len(waits) // 2] * 1e3:.1f} ms"
    )
    print(f"p99 {slow:.0f} ms, longest {waits[-1] * 1e3:.0f} ms; verify is clean, in {proving:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--database-url")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        asyncio.run(main(asked.pages, Path(place), asked.database_url))
