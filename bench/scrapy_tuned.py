"""Scrapy as its documentation tunes it for speed, with the manners Limpet never goes without.

`--lean` takes off everything that five fields from known addresses do not need, robots.txt and retries included;
`--jobdir` makes it resumable.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import scrapy
from bench import reading
from bench.store import Errand, OfferStore, errand, errand_parser, require_every_row
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response


class OfferSpider(scrapy.Spider):
    """Visits the addresses it was given."""

    name = "offers"

    def __init__(self, task: Errand, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.task = task

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in self.task.urls:
            yield scrapy.Request(url)

    def parse(self, response: Response) -> Iterator[dict[str, Any]]:
        yield {
            "row": reading.row(
                response.url,
                title=response.css(f"{reading.TITLE}::text").get(""),
                price="".join(response.css(f"{reading.PRICE} ::text").getall()),
                stock=response.css(f"{reading.STOCK}::text").get(""),
                sku=response.css(f"{reading.SKU}::text").get(""),
            )
        }


class OfferPipeline:
    """Hands items to the same batched store the other peers use."""

    def __init__(self, crawler: Any) -> None:
        self._task = crawler.settings["ERRAND"]

    @classmethod
    def from_crawler(cls, crawler: Any) -> OfferPipeline:
        return cls(crawler)

    def open_spider(self) -> None:
        self._store = OfferStore(self._task.directory)

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        self._store.add(item["row"])
        return item

    def close_spider(self) -> None:
        self._store.close()


COMMON: dict[str, Any] = {
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "ERROR",
}
# robots.txt and retries stay on, as they do for Limpet; cookies go, as the guide for broad crawls advises.
WITH_MANNERS = {"ROBOTSTXT_OBEY": True, "COOKIES_ENABLED": False}
LEAN: dict[str, Any] = {
    "ROBOTSTXT_OBEY": False,
    # A page gives one item; Scrapy starts this many tasks for every page.
    "CONCURRENT_ITEMS": 1,
    "DOWNLOADER_MIDDLEWARES_BASE": {},
    "SPIDER_MIDDLEWARES_BASE": {},
    "EXTENSIONS_BASE": {},
    "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
    "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
}
AIOHTTP = {"DOWNLOAD_HANDLERS": {"http": "scrapy.core.downloader.handlers._aiohttp.AiohttpDownloadHandler"}}


def settings(task: Errand, *, jobdir: Path | None, lean: bool, aiohttp: bool) -> dict[str, Any]:
    """Return the settings of one variant."""
    return {
        "ERRAND": task,
        "ITEM_PIPELINES": {OfferPipeline: 1},
        **COMMON,
        **(LEAN if lean else WITH_MANNERS),
        **(AIOHTTP if aiohttp else {}),
        **({"JOBDIR": str(jobdir)} if jobdir else {}),
    }


def main() -> None:
    """Crawl, then count."""
    parser = errand_parser()
    parser.add_argument("--jobdir", action="store_true")
    parser.add_argument("--lean", action="store_true")
    parser.add_argument("--aiohttp", action="store_true", help="Scrapy's own experimental aiohttp handler")
    arguments = parser.parse_args()
    task = errand(arguments)
    jobdir = task.directory / "jobdir" if arguments.jobdir else None
    process = AsyncCrawlerProcess(
        settings(task, jobdir=jobdir, lean=arguments.lean, aiohttp=arguments.aiohttp)
    )
    process.crawl(OfferSpider, task=task)
    process.start()
    require_every_row(task)


if __name__ == "__main__":
    main()
