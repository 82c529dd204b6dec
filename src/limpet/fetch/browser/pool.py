"""The pool: one Chromium, a bounded number of pages, replaced before it wears out and after it dies."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from limpet.clock import Clock, SystemClock
from limpet.errors import BrowserCrashed, FetchTimeout, GateRefused, HttpStatusError
from limpet.fetch.browser.answer import Forward
from limpet.fetch.browser.chores import Chores
from limpet.fetch.browser.context import SourceContext, key_of
from limpet.fetch.browser.egress import EgressGuard
from limpet.fetch.browser.lease import Lease, tells_of_death
from limpet.fetch.browser.orphans import sweep_orphans
from limpet.fetch.browser.process_tree import TreeSize
from limpet.fetch.browser.recycling import PoolLimits, Reason
from limpet.fetch.browser.succession import OnEvent, Succession
from limpet.fetch.browser.tenancy import Tenancy
from limpet.fetch.browser.visit import Visit
from limpet.fetch.trail import Trail
from limpet.source import Source

# After these the page is as it was: nothing was loaded, or it was loaded and judged.
_LEAVES_PAGE_USABLE = (GateRefused, HttpStatusError)


@dataclass(frozen=True, slots=True)
class PoolReading:
    """What the pool looks like from outside, for gauges."""

    contexts_active: int
    pages_open: int
    tasks: int
    browser_uptime_seconds: float
    recycles: Mapping[str, int]
    size: TreeSize = field(default_factory=TreeSize)


class BrowserPool:
    """Leases pages: `async with pool.page(source, trail) as lease`. Nothing it starts outlives its block."""

    def __init__(
        self,
        forward: Forward,
        *,
        executable: str | Path | None = None,
        data_dir: Path | None = None,
        limits: PoolLimits | None = None,
        clock: Clock | None = None,
        on_event: OnEvent = lambda kind, details: None,
        user_agent: str = "",
    ) -> None:
        self._user_agent = user_agent  # what the forwarder says of us; scripts must be told the same
        self._data_dir = data_dir
        self._limits = limits or PoolLimits()
        self._tell = on_event
        self._guard = EgressGuard(forward)
        self._chores = Chores()
        self._room = asyncio.Semaphore(self._limits.max_contexts)
        self._opening = asyncio.Lock()
        self._watching: asyncio.Task[None] | None = None
        self._browsers = Succession(
            self._guard,
            self._chores,
            executable=executable,
            data_dir=data_dir,
            limits=self._limits,
            clock=clock or SystemClock(),
            tell=on_event,
        )

    async def __aenter__(self) -> BrowserPool:
        await self.open()
        return self

    async def open(self) -> None:
        """Sweep what dead owners left, and keep watch from now on; the first lease does it by itself."""
        async with self._opening:
            if self._watching is not None:
                return
            if self._data_dir and (swept := await asyncio.to_thread(sweep_orphans, self._data_dir)):
                self._tell("browser_orphans_swept", {"pids": swept})
            await self._guard.open()
            self._watching = asyncio.create_task(self._browsers.watch())

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watching:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        for tenancy in tuple(self._browsers.tenancies):
            self._browsers.end(tenancy)
        await self._chores.finish()
        await self._guard.close()

    async def warm(self) -> None:
        """Have a browser ready, or raise BrowserLaunchFailed with the command that gets one."""
        await self.open()
        await self._browsers.serving()

    async def recycle(self, reason: Reason = Reason.ASKED) -> None:
        """Start the successor, send new leases there, and let running ones finish before the old closes."""
        await self.open()
        await self._browsers.recycle(reason)

    async def look(self) -> None:
        """Weigh the browsers against the limits now; the pool does so by itself every few seconds."""
        await self._browsers.look()

    def reading(self) -> PoolReading:
        """Return what the pool looks like now; sizes are those of the last look."""
        browsers, current = self._browsers, self._browsers.current
        return PoolReading(
            contexts_active=sum(tenancy.busy for tenancy in browsers.tenancies),
            pages_open=sum(tenancy.contexts for tenancy in browsers.tenancies),
            tasks=current.tasks if current else 0,
            browser_uptime_seconds=browsers.age(current) if current else 0.0,
            recycles=dict(browsers.recycles),
            size=browsers.last_size,
        )

    @contextlib.asynccontextmanager
    async def page(
        self, source: Source, trail: Trail, *, capture: Sequence[str] = (), stays_open: bool = False
    ) -> AsyncIterator[Lease]:
        """Lease a page of the source's own context, or raise BrowserCrashed when it dies under the lease.

        One that `stays_open` is left as it stands for the next such lease, unless this one ends in an error.
        """
        await self.open()
        async with self._place():
            tenancy, context = await self._context_for(source, stays_open=stays_open)
            visit = Visit(source, trail, capture)
            context.begin(visit)
            is_usable = False
            try:
                with Lease(context.page, context.session, visit, register=tenancy.leases) as lease:
                    lease.errands = context.errands
                    yield lease
                is_usable = True
                context.errands += stays_open
            except _LEAVES_PAGE_USABLE:
                is_usable = not stays_open
                raise
            finally:
                context.doorway.leave()
                giving_back = self._chores.start(
                    self._give_back(tenancy, context, visit if is_usable else None)
                )
                if is_usable:
                    # The next lease of this source should find the page rested, and not have to open another.
                    await asyncio.shield(giving_back)

    @contextlib.asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._limits.room_seconds):
                await self._room.acquire()
        except TimeoutError as waited:
            raise FetchTimeout("no browser page became free in time") from waited
        try:
            yield
        finally:
            self._room.release()

    async def _context_for(self, source: Source, *, stays_open: bool) -> tuple[Tenancy, SourceContext]:
        """Return a context in the serving browser; one that died just now is tried again in its successor."""
        try:
            return await self._enter(source, stays_open=stays_open)
        except BrowserCrashed:
            return await self._enter(source, stays_open=stays_open)

    async def _enter(self, source: Source, *, stays_open: bool) -> tuple[Tenancy, SourceContext]:
        tenancy = await self._browsers.serving(source)
        tenancy.enter()
        try:
            if stays_open and (context := tenancy.take_idle(key_of(source), left_open=True)):
                return tenancy, context
            if context := tenancy.take_idle(key_of(source)):
                return tenancy, context
            await self._make_room(tenancy)
            async with asyncio.timeout(self._limits.launch_seconds):
                return tenancy, await SourceContext.open(
                    tenancy.chromium.browser,
                    source,
                    guard=self._guard,
                    browser_has_images=tenancy.has_images,
                    user_agent=source.user_agent or self._user_agent,
                )
        except BaseException as fault:
            self._browsers.leave(tenancy)
            if isinstance(fault, TimeoutError) or tells_of_death(fault):
                raise BrowserCrashed("the browser died before it gave a page") from fault
            raise

    async def _make_room(self, tenancy: Tenancy) -> None:
        """Close the context that rested longest, when all are taken."""
        while tenancy.idle and tenancy.contexts > self._limits.max_contexts:
            await self._discard(tenancy, tenancy.idle.pop(0))

    async def _give_back(self, tenancy: Tenancy, context: SourceContext, visit: Visit | None) -> None:
        """Rest the context for the next visit; close it when the visit left it in doubt."""
        try:
            if visit is not None and tenancy.is_serving and await self._rested(context, visit):
                tenancy.idle.append(context)
            else:
                await self._discard(tenancy, context)
        finally:
            self._browsers.leave(tenancy)

    async def _rested(self, context: SourceContext, visit: Visit) -> bool:
        if context.errands:
            return True  # it stands open for the next errand
        try:
            async with asyncio.timeout(self._limits.close_seconds):
                await context.rest(visit)
        except Exception:  # whatever went wrong, the context is closed instead
            return False
        return True

    async def _discard(self, tenancy: Tenancy, context: SourceContext) -> None:
        try:
            async with asyncio.timeout(self._limits.close_seconds):
                await context.close(self._guard)
        except TimeoutError:
            # A context that will not close would run on for as long as its browser does.
            if tenancy.is_serving:
                self._chores.start(self._browsers.recycle(Reason.STUCK))
        except Exception as fault:  # a dead browser closes nothing, and need not
            if tenancy.is_serving:
                self._tell("browser_context_lost", {"error": f"{type(fault).__name__}: {fault}"})
