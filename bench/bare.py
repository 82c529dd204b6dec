"""The floor: aiohttp + uvloop + selectolax + batched SQLite, and not one line more.

No robots, no rate, no retries, no deadline, no resume, no evidence kept. Default malloc settings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import aiohttp
import uvloop
from bench import reading
from bench.store import Errand, OfferStore, Row, errand, errand_parser, require_every_row
from selectolax.lexbor import LexborHTMLParser

CONCURRENCY = 16


def read(url: str, body: bytes) -> Row:
    """Return the row the page states."""
    page = LexborHTMLParser(body)
    return reading.row(
        url,
        title=page.css_first(reading.TITLE).text(),
        price=page.css_first(reading.PRICE).text(),
        stock=page.css_first(reading.STOCK).text(),
        sku=page.css_first(reading.SKU).text(),
    )


async def walk(urls: Iterator[str], session: aiohttp.ClientSession, store: OfferStore) -> None:
    """Fetch, read and store until no address is left."""
    for url in urls:
        async with session.get(url) as response:
            body = await response.read()
        store.add(read(url, body))


async def main(task: Errand) -> None:
    """Run the errand with a fixed number of walkers on one keep-alive pool."""
    store = OfferStore(task.directory)
    urls = iter(task.urls)
    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONCURRENCY)) as session,
        asyncio.TaskGroup() as crew,
    ):
        for _ in range(CONCURRENCY):
            crew.create_task(walk(urls, session, store))
    store.close()
    require_every_row(task)


if __name__ == "__main__":
    uvloop.run(main(errand(errand_parser().parse_args())))
