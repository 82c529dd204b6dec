"""One Chromium with the driver that runs it, from launch to the last process gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from limpet.errors import BrowserLaunchFailed
from limpet.fetch.browser.egress_tls import guard_certificate
from limpet.fetch.browser.find import FIX, find_chromium
from limpet.fetch.browser.launch_flags import launch_flags, needs_no_sandbox
from limpet.fetch.browser.orphans import BrowserNote
from limpet.fetch.browser.process_tree import ProcessTree, tell_on_exit
from limpet.fetch.browser.recycling import PoolLimits

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright


class Chromium:
    """A running browser. The driver is its own: one that dies takes one browser with it and no more."""

    def __init__(
        self, playwright: Playwright, browser: Browser, *, tree: ProcessTree, limits: PoolLimits
    ) -> None:
        self._playwright = playwright
        self._limits = limits
        self._note: Path | None = None
        self._ending = asyncio.Lock()
        self._stop_listening: Callable[[], None] = lambda: None
        self.browser = browser
        self.tree = tree

    @property
    def is_alive(self) -> bool:
        return self.browser.is_connected() and self.tree.has_driver

    def on_gone(self, tell: Callable[[], None]) -> None:
        """Call back once the browser is gone, or its driver, whose death Playwright does not tell."""
        self.browser.once("disconnected", lambda _: tell())
        self._stop_listening = tell_on_exit(self.tree.driver, tell)

    def leave_note(self, data_dir: Path) -> None:
        """Write down which processes are ours, for a successor that finds us killed."""
        self._note = BrowserNote.about(self.tree).write(data_dir)

    async def close(self) -> None:
        """Close politely, then make sure: no process of this browser is left, however it ended."""
        async with self._ending:
            await self._politely(self.browser.close())
            await self._leave_nothing()

    async def kill(self) -> None:
        """End every process at once."""
        async with self._ending:
            await self._leave_nothing()

    async def _leave_nothing(self) -> None:
        self._stop_listening()
        # The tree before the driver: a driver that is gone cannot reap what it started.
        await asyncio.to_thread(self.tree.kill)
        await self._politely(self._playwright.stop())
        await asyncio.to_thread(self.tree.kill_driver)
        if self._note:
            self._note.unlink(missing_ok=True)

    async def _politely(self, closing: Awaitable[None]) -> None:
        # A dead driver answers nothing, or with one of many errors; what follows ends the processes anyway.
        with contextlib.suppress(Exception):
            async with asyncio.timeout(self._limits.close_seconds):
                await closing


async def launch_chromium(
    told: str | Path | None, *, proxy: str, images: bool, limits: PoolLimits, data_dir: Path | None
) -> Chromium:
    """Return a running browser whose only way out is `proxy`, or raise BrowserLaunchFailed with the fix."""
    executable = find_chromium(told)
    from playwright.async_api import Error, async_playwright  # noqa: PLC0415 - slow to import

    try:
        async with asyncio.timeout(limits.launch_seconds):
            playwright = await async_playwright().start()
            try:
                chromium = await _launch(playwright, executable, proxy=proxy, images=images, limits=limits)
            except BaseException:
                await playwright.stop()
                raise
    except (Error, OSError, TimeoutError) as fault:
        first_line = (str(fault) or type(fault).__name__).strip().partition("\n")[0]
        raise BrowserLaunchFailed(f"{executable} did not start ({first_line}): {FIX}", fix=FIX) from fault
    if data_dir:
        chromium.leave_note(data_dir)
    return chromium


async def _launch(
    playwright: Playwright, executable: Path, *, proxy: str, images: bool, limits: PoolLimits
) -> Chromium:
    browser = await playwright.chromium.launch(
        executable_path=executable,
        headless=True,
        args=launch_flags(certificate_pin=guard_certificate().pin, images=images),
        chromium_sandbox=limits.sandbox and not needs_no_sandbox(),
        proxy={"server": proxy, "bypass": "<-loopback>"},
        # A Ctrl-C is for us to drain on; the driver must not close the browser under running pages.
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
    )
    session = await browser.new_browser_cdp_session()
    info = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    pid = next(process["id"] for process in info["processInfo"] if process["type"] == "browser")
    return Chromium(playwright, browser, tree=ProcessTree.of(pid), limits=limits)
