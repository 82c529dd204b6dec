"""Crawlee's ParselCrawler on a queue that outlives the process, obeying robots.txt.

The queue is a file per request, renamed but never synced to the disk; `--sql` keeps it in SQLite, as Crawlee sets it
up. `--lean` goes without robots.txt, sessions and retries.
"""

from __future__ import annotations

import logging
import warnings
from datetime import timedelta

import uvloop
from bench import reading
from bench.store import Errand, OfferStore, errand, errand_parser, require_every_row
from crawlee import ConcurrencySettings
from crawlee.configuration import Configuration
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import FileSystemStorageClient, SqlStorageClient, StorageClient

CONCURRENCY = 16


WITH_MANNERS = {"respect_robots_txt_file": True}
LEAN = {"use_session_pool": False, "retry_on_blocked": False, "max_request_retries": 0}


def queue_place(*, sql: bool) -> StorageClient:
    """Return where the queue is kept."""
    if not sql:
        return FileSystemStorageClient()
    warnings.simplefilter("ignore")  # it calls itself experimental
    return SqlStorageClient()


def crawler(task: Errand, *, lean: bool, sql: bool) -> ParselCrawler:
    """Return a crawler whose queue survives the process and whose concurrency stays at its ceiling."""
    storage = task.directory / "storage"
    storage.mkdir()
    return ParselCrawler(
        configuration=Configuration(storage_dir=str(storage), log_level="ERROR"),
        storage_client=queue_place(sql=sql),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=CONCURRENCY, desired_concurrency=CONCURRENCY, max_concurrency=CONCURRENCY
        ),
        configure_logging=False,
        status_message_logging_interval=timedelta(hours=1),
        **(LEAN if lean else WITH_MANNERS),
    )


async def main(task: Errand, *, lean: bool, sql: bool) -> None:
    """Queue every address, then let the crawler empty the queue."""
    logging.disable(logging.WARNING)
    store = OfferStore(task.directory)
    crawl = crawler(task, lean=lean, sql=sql)

    @crawl.router.default_handler
    async def read(context: ParselCrawlingContext) -> None:
        page = context.selector
        store.add(
            reading.row(
                context.request.url,
                title=page.css(f"{reading.TITLE}::text").get(""),
                price="".join(page.css(f"{reading.PRICE} ::text").getall()),
                stock=page.css(f"{reading.STOCK}::text").get(""),
                sku=page.css(f"{reading.SKU}::text").get(""),
            )
        )

    await crawl.run(task.urls)
    store.close()
    require_every_row(task)


if __name__ == "__main__":
    parser = errand_parser()
    parser.add_argument("--lean", action="store_true")
    parser.add_argument("--sql", action="store_true")
    arguments = parser.parse_args()
    uvloop.run(main(errand(arguments), lean=arguments.lean, sql=arguments.sql))
