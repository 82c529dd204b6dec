"""What a page may cost: the CPU of each step the bare loop takes, and of the steps Limpet adds, one by one.

Times are CPU time of this process (best of several rounds), so a busy machine blurs them little.
Run it with Limpet's own environment: `.venv/bin/python -m bench.budget`.
"""

from __future__ import annotations

import asyncio
import hashlib
import queue
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import aiohttp
import orjson
import uvloop
import zstandard
from bench import bare
from bench.measure import PageServer, pick_cores
from bench.store import OfferStore
from bench.storefront import Storefront
from selectolax.lexbor import LexborHTMLParser

ROUNDS = 7
PAGES = 1_000
BASE_URL = "http://127.0.0.1:8000"


def cpu_us(step: Callable[[], None], times: int) -> float:
    """Return the CPU microseconds one of `times` repetitions inside `step` takes, at best."""
    best = float("inf")
    for _ in range(ROUNDS):
        before = time.process_time()
        step()
        best = min(best, time.process_time() - before)
    return best / times * 1e6


def over(pages: list[bytes], work: Callable[[bytes], object]) -> float:
    """Return the CPU microseconds `work` takes for a page."""

    def step() -> None:
        for page in pages:
            work(page)

    return cpu_us(step, len(pages))


async def fetch_all(base_url: str) -> None:
    """The network half of the bare loop: fetch every page and let it go."""
    urls = iter([f"{base_url}/product/{number}" for number in range(1, PAGES + 1)])

    async def walk(session: aiohttp.ClientSession) -> None:
        for url in urls:
            async with session.get(url) as response:
                await response.read()

    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=bare.CONCURRENCY)) as session,
        asyncio.TaskGroup() as crew,
    ):
        for _ in range(bare.CONCURRENCY):
            crew.create_task(walk(session))


def network() -> float:
    """Return what fetching costs, without the server's share."""
    with PageServer(pick_cores().server) as server:
        return cpu_us(lambda: uvloop.run(fetch_all(server.base_url)), PAGES)


def sqlite_batches(pages: list[bytes]) -> float:
    """Return what the batched store costs, fsyncs included."""
    rows = [bare.read(f"{BASE_URL}/product/{n}", page) for n, page in enumerate(pages)]

    def step() -> None:
        with tempfile.TemporaryDirectory() as directory:
            store = OfferStore(Path(directory))
            for row in rows:
                store.add(row)
            store.close()

    return cpu_us(step, len(rows))


def json_ld_without_dom(page: bytes) -> object:
    """Read the first JSON-LD block straight from the bytes."""
    start = page.index(b"application/ld+json") + len(b'application/ld+json">')
    return orjson.loads(page[start : page.index(b"</script>", start)])


def _answer_all(group: list[asyncio.Future[None]]) -> None:
    for future in group:
        future.set_result(None)


async def _round_trips(times: int, *, grouped: bool) -> None:
    """Hand futures to a thread, 16 waiting at a time, which answers one by one or a group at once."""
    loop = asyncio.get_running_loop()
    handed: queue.SimpleQueue[list[asyncio.Future[None]] | None] = queue.SimpleQueue()

    def answer() -> None:
        while (group := handed.get()) is not None:
            if grouped:
                loop.call_soon_threadsafe(_answer_all, group)
            else:
                for future in group:
                    loop.call_soon_threadsafe(future.set_result, None)

    writer = threading.Thread(target=answer)
    writer.start()
    for _ in range(times // bare.CONCURRENCY):
        group = [loop.create_future() for _ in range(bare.CONCURRENCY)]
        handed.put(group)
        for future in group:
            await future
    handed.put(None)
    writer.join()


def answered_by_thread(*, grouped: bool) -> float:
    """Return what waiting for a writer thread costs one caller."""
    times = 4_000
    return cpu_us(lambda: uvloop.run(_round_trips(times, grouped=grouped)), times)


def blob_insert(pages: list[bytes]) -> float:
    """Return what keeping the compressed bodies in one SQLite table would cost."""
    packer = zstandard.ZstdCompressor(level=1)
    bodies = [(n, packer.compress(page)) for n, page in enumerate(pages)]

    def step() -> None:
        with tempfile.TemporaryDirectory() as directory:
            connection = sqlite3.connect(Path(directory) / "blobs", isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("CREATE TABLE blobs (id INTEGER PRIMARY KEY, body BLOB)")
            for start in range(0, len(bodies), 64):
                connection.execute("BEGIN")
                connection.executemany("INSERT INTO blobs VALUES (?, ?)", bodies[start : start + 64])
                connection.execute("COMMIT")
            connection.close()

    return cpu_us(step, len(bodies))


def main() -> None:
    """Print the budget, step by step."""
    storefront = Storefront(BASE_URL)
    pages = [storefront.page(number) for number in range(1, PAGES + 1)]
    packer = zstandard.ZstdCompressor(level=1)
    packed = sum(len(packer.compress(page)) for page in pages) / len(pages)
    url = f"{BASE_URL}/product/1"
    steps = {
        "the bare loop": "",
        "fetch (aiohttp + uvloop, headers to bytes)": network(),
        "read (DOM + 4 selectors)": over(pages, lambda page: bare.read(url, page)),
        "  of it: build the DOM": over(pages, LexborHTMLParser),
        "record (SQLite, 64 rows a commit, FULL)": sqlite_batches(pages),
        "what may be added": "",
        "JSON-LD block from the bytes, no DOM": over(pages, json_ld_without_dom),
        "sha256 of the page": over(pages, lambda page: hashlib.sha256(page).digest()),
        f"zstd level 1 (to {packed / 1000:.1f} KB)": over(pages, packer.compress),
        "the compressed body into SQLite": blob_insert(pages),
        "future + call_soon_threadsafe each": answered_by_thread(grouped=False),
        "future, one call_soon_threadsafe per 16": answered_by_thread(grouped=True),
    }
    for name, microseconds in steps.items():
        print(f"{name:<46}{'' if microseconds == '' else f'{microseconds:8.1f} us'}")


if __name__ == "__main__":
    main()
