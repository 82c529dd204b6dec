"""One browser context: a source's own cookies and storage, one page that is used again, one doorway out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from limpet.fetch.browser.egress import Doorway, EgressGuard
from limpet.fetch.browser.egress_headers import NOT_LOADED_SUFFIXES
from limpet.fetch.browser.visit import Visit
from limpet.source import Source

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page

ContextKey = tuple[str, str, bool]


def key_of(source: Source) -> ContextKey:
    """Contexts are never shared between sources, nor between two settings of one."""
    return source.id, source.user_agent, source.load_images


class SourceContext:
    """A context that belongs to one source for as long as it lives."""

    def __init__(
        self, context: BrowserContext, page: Page, session: CDPSession, *, doorway: Doorway, key: ContextKey
    ) -> None:
        self._context = context
        self.page = page
        self.session = session
        self.doorway = doorway
        self.key = key
        self.errands = 0  # how many the page that stands open here has served; zero once it was rested

    @classmethod
    async def open(
        cls,
        browser: Browser,
        source: Source,
        *,
        guard: EgressGuard,
        browser_has_images: bool,
        user_agent: str = "",
    ) -> SourceContext:
        doorway = await guard.open_doorway()
        try:
            context = await cls._open(browser, source, doorway, user_agent)
            if browser_has_images and not source.load_images:
                await context._block_decoration()
        except BaseException:
            await guard.close_doorway(doorway)
            raise
        return context

    @classmethod
    async def _open(
        cls, browser: Browser, source: Source, doorway: Doorway, user_agent: str
    ) -> SourceContext:
        context = await browser.new_context(
            proxy={"server": doorway.address, "bypass": "<-loopback>"},
            user_agent=user_agent or None,
            accept_downloads=False,
        )
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        return cls(context, page, session, doorway=doorway, key=key_of(source))

    async def _block_decoration(self) -> None:
        """Spare the guard what can be told by its name, where the browser as a whole does load images.

        Only there: with the Network domain on, each image costs two messages, which made pages half as fast.
        """
        await self.session.send("Network.enable")
        await self.session.send("Network.setBlockedURLs", {"urlPatterns": _blocked_patterns()})

    def begin(self, visit: Visit) -> None:
        """From now on, what the page asks for leaves on this visit's account."""
        self.doorway.visit = visit

    async def rest(self, visit: Visit) -> None:
        """Forget the visit: nothing of it runs on, nothing of it is found by the next."""
        for page in self._context.pages:
            if page is not self.page:
                await page.close()
        await self.page.goto("about:blank")
        await self._context.clear_cookies()
        for origin in _origins(visit.documents):
            await self.session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    async def close(self, guard: EgressGuard) -> None:
        try:
            await self._context.close()
        finally:
            await guard.close_doorway(self.doorway)


def _origins(addresses: Iterable[str]) -> set[str]:
    return {f"{parts.scheme}://{parts.netloc}" for parts in map(urlsplit, addresses)}


def _blocked_patterns() -> list[dict[str, object]]:
    return [{"urlPattern": f"*://*:*/*{suffix}", "block": True} for suffix in NOT_LOADED_SUFFIXES]
