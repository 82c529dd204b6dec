"""The browser pool of a house, and the two ways to a page: with it and without."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack

from limpet.clock import Clock
from limpet.fetch.browser.fetcher import BrowserFetcher
from limpet.fetch.browser.pool import BrowserPool
from limpet.fetch.browser.recycling import PoolLimits
from limpet.fetch.browser.succession import OnEvent
from limpet.fetch.browser.way import BrowserWay, ForwardThroughClient
from limpet.fetch.client import Client, Way
from limpet.settings import Settings
from limpet.source.source import MEBIBYTE


class Browsing:
    """One pool and who fetches by it. No browser is started yet: that happens when a page needs one."""

    def __init__(self, settings: Settings, client: Client, clock: Clock, stack: AsyncExitStack) -> None:
        self.story: list[OnEvent] = []  # everybody here is told what becomes of the browsers
        self.pool = _pool(settings, client, self._tell)
        self.fetcher = BrowserFetcher(self.pool, clock=clock)
        stack.push_async_exit(self.pool)

    def way(self, plain: Way) -> BrowserWay:
        """Return the way by the browser that goes with the plain one."""
        return BrowserWay(self.fetcher, plain.source, plain.trail, plain)

    def _tell(self, kind: str, details: Mapping[str, object]) -> None:
        for hear in self.story:
            hear(kind, details)


def _pool(settings: Settings, client: Client, tell: OnEvent) -> BrowserPool:
    limits = PoolLimits(
        max_contexts=settings.browser_contexts,
        max_age_seconds=settings.scraper_max_lifetime_hours * 3600,
        max_tasks=settings.browser_max_tasks,
        soft_memory_bytes=settings.memory_soft_limit_mb * MEBIBYTE,
        hard_memory_bytes=settings.memory_hard_limit_mb * MEBIBYTE,
        max_pids=settings.browser_max_pids,
        sandbox=settings.browser_sandbox,
    )
    return BrowserPool(
        ForwardThroughClient(client),
        executable=settings.chromium,
        data_dir=settings.data_dir,
        limits=limits,
        user_agent=settings.agent,
        on_event=tell,
    )
