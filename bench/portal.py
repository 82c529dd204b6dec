"""How long the portal takes over a large ledger: 100,000 targets, 1,000 runs, 1,000,000 jobs in SQLite.

python bench/portal.py [targets] [runs] [jobs]
"""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import aiohttp

from limpet.assembly import House, assemble
from limpet.cli.admission import newcomers_link
from limpet.fetch.page import Page
from limpet.record.entry import Lease, NewRun, Settlement
from limpet.settings import Settings
from limpet.target import Outcome, Target
from limpet.web.portal import portal_for
from limpet.web.server import serve_portal

CONFIG = """
[[sources]]
id = "shop"
app = "prices"
site = "tidepool_shop"
hosts = ["shop.test"]
[sources.terms]
reviewed_at = 2026-01-01
approved_by = "the bench"
"""
MOMENT = "strftime('%Y-%m-%dT%H:%M:%S.000000+00:00', 'now', '-' || ({}) || ' seconds')"
PATHS = {
    "/": 50,
    "/runs": 150,
    "/runs/500": 150,
    "/targets": 150,
    "/targets?search=product/99": 150,
    "/targets?search=product/99999": 150,  # one of them all: every address is looked at
    "/errors": 150,
    "/audit": 150,
    "/sources": 150,
    "/sources/shop": 150,
    "/api/v1/runs": 150,
    "/api/v1/targets": 150,
    "/metrics": 150,
    "/health": 20,
}


def fill(file: Path, targets: int, runs: int, jobs: int) -> None:
    """Write the rows by SQL alone; a hundredth of the jobs failed."""
    count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})"
    each = jobs // runs
    with sqlite3.connect(file) as ledger:
        ledger.execute("PRAGMA synchronous = OFF")
        ledger.execute(
            f"{count.format(targets)} INSERT INTO targets (id, source_id, canonical_url, url, adapter_id, kind, lane, "
            "enabled, robots_path_blocked, last_status, last_scraped_at, created_at, updated_at) SELECT i, 'shop', "
            "'https://shop.test/product/' || i, 'https://shop.test/product/' || i, 'tidepool_shop', 'page', "
            f"'shop.test', 1, 0, 'succeeded', {MOMENT.format('i % 900')}, {MOMENT.format(9_000)}, "
            f"{MOMENT.format(9_000)} FROM n"
        )
        ledger.execute(
            f"{count.format(runs)} INSERT INTO runs (id, app, source_id, trigger, mode, state, planned, dry_run, "
            f"params, due_at, started_at, ended_at, prepared_at) SELECT i, 'prices', 'shop', 'schedule', "
            f"'full', 'completed', {each}, "
            f'0, \'{{"schedule": "every 10m"}}\', {MOMENT.format(f"({runs} - i) * 600 + 60")}, '
            f"{MOMENT.format(f'({runs} - i) * 600 + 60')}, {MOMENT.format(f'({runs} - i) * 600')}, "
            f"{MOMENT.format(f'({runs} - i) * 600 + 60')} FROM n"
        )
        ledger.execute(
            f"{count.format(jobs)} INSERT INTO jobs (id, run_id, target_id, source_id, lane, priority, state, reason, "
            f"attempts, fence, planned_at, started_at, ended_at) SELECT i, (i - 1) / {each} + 1, "
            f"((i - 1) % {each}) + 1 + ((i - 1) / {each} % {max(1, targets // each)}) * {each}, 'shop', "
            "'shop.test', 0, "
            "CASE WHEN i % 100 = 0 THEN 'failed' ELSE 'succeeded' END, "
            "CASE WHEN i % 100 = 0 THEN 'timeout' END, 1, 1, "
            f"{MOMENT.format(f'({jobs} - i) / 2')}, {MOMENT.format(f'({jobs} - i) / 2')}, "
            f"{MOMENT.format(f'({jobs} - i) / 2')} FROM n"
        )


async def measure(targets: int, runs: int, jobs: int) -> int:
    with tempfile.TemporaryDirectory() as place:
        data_dir = Path(place)
        (data_dir / "limpet.toml").write_text(CONFIG)
        settings = Settings(data_dir=data_dir, config=data_dir / "limpet.toml", port=0)
        async with assemble(settings):
            pass
        began = time.perf_counter()
        fill(data_dir / "limpet.db", targets, runs, jobs)
        print(f"{targets:,} targets, {runs:,} runs, {jobs:,} jobs in {time.perf_counter() - began:.0f} s")
        async with assemble(settings) as house:
            return await ask(house, PATHS, while_walking=True)


async def ask(house: House, paths: Mapping[str, int], *, while_walking: bool = False) -> int:
    """Ask the portal for each path, and count those that take longer than their milliseconds."""
    door, stop = socket.create_server(("127.0.0.1", 0)), asyncio.Event()
    port, late = door.getsockname()[1], 0
    async with asyncio.TaskGroup() as group:
        app = portal_for(house)
        group.create_task(serve_portal(app, door, stop, first_look=app.state.lookout.look_around))
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", cookie_jar=jar) as http:
            async with http.get(await newcomers_link(house, port) or "", allow_redirects=False):
                pass
            for path, limit in paths.items():
                taken = [await once(http, path) for _ in range(9)]
                late += statistics.median(taken) > limit
                print(tell(path, taken, limit))
            if while_walking:
                group.create_task(walk_until(house, stop))
                taken = [await once(http, "/health") for _ in range(25)]
                print(tell("/health while a run is under way", taken, 20))
                late += statistics.median(taken) > 20
        stop.set()
    return 1 if late else 0


def tell(path: str, taken: Sequence[float], limit: int) -> str:
    first, middle, worst = taken[0], statistics.median(taken), max(taken)
    return f"{path:48} first {first:7.1f}  median {middle:7.1f}  worst {worst:7.1f} ms  wanted < {limit}"


async def walk_until(house: House, stop: asyncio.Event) -> None:
    """Settle pages as fast as the ledger takes them, as a run would."""
    wanted = [
        Target("shop", f"https://shop.test/product/{n}", f"https://shop.test/product/{n}", "shop.test")
        for n in range(1, 50_001)
    ]
    run = await house.ledger.plan_run(NewRun("prices", "shop"), wanted)
    while not stop.is_set():
        leases = await house.ledger.lease(run.id, lane="shop.test", worker="bench", limit=64, seconds=600)
        await asyncio.gather(*(house.ledger.settle(settled(lease, house)) for lease in leases))


def settled(lease: Lease, house: House) -> Settlement:
    now, url = house.clock.now(), lease.target.url
    body = f"<html><title>{url}</title>{'<p>A line of a page.</p>' * 500}</html>".encode()
    page = Page(url, url, 200, {"content-type": "text/html"}, body, now)
    return Settlement(lease, Outcome.NO_RECORD, now, reason="bench", page=page)


async def once(http: aiohttp.ClientSession, path: str) -> float:
    await asyncio.sleep(0.25)  # what is remembered for a second is asked for anew in between
    began = time.perf_counter()
    async with http.get(path) as answer:
        await answer.read()
        assert answer.status == 200, (path, answer.status)
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    sizes = [int(each) for each in sys.argv[1:]] or [100_000, 1_000, 1_000_000]
    raise SystemExit(asyncio.run(measure(*sizes)))
