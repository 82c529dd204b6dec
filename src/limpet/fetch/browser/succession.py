"""Which Chromium serves: the first is launched when needed, and each worn or dead one has a successor."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from limpet.clock import Clock
from limpet.errors import BrowserLaunchFailed
from limpet.fetch.browser.chores import Chores
from limpet.fetch.browser.egress import EgressGuard
from limpet.fetch.browser.launch import launch_chromium
from limpet.fetch.browser.process_tree import TreeSize
from limpet.fetch.browser.recycling import PoolLimits, Reason, Wear, is_too_heavy, reason_to_recycle
from limpet.fetch.browser.tenancy import Tenancy
from limpet.source import Source


class OnEvent(Protocol):
    """Where the pool's story is told: launched, recycled, crashed, killed, closed, orphans swept."""

    def __call__(self, kind: str, details: Mapping[str, object]) -> None: ...


class Succession:
    """Keeps one browser in service, beside those that drain."""

    def __init__(
        self,
        guard: EgressGuard,
        chores: Chores,
        *,
        executable: str | Path | None,
        data_dir: Path | None,
        limits: PoolLimits,
        clock: Clock,
        tell: OnEvent,
    ) -> None:
        self._guard = guard
        self._chores = chores
        self._executable = executable
        self._data_dir = data_dir
        self._limits = limits
        self._clock = clock
        self._tell = tell
        self._launching = asyncio.Lock()
        self._look_now = asyncio.Event()
        self._wants_images = False
        self._recycled_at: float | None = None
        self.current: Tenancy | None = None
        self.tenancies: set[Tenancy] = set()
        self.recycles: Counter[str] = Counter()
        self.last_size = TreeSize()

    async def serving(self, source: Source | None = None) -> Tenancy:
        """Return the browser in service, launched when there is none, or raise BrowserLaunchFailed."""
        if source is not None and source.load_images and not self._wants_images:
            self._wants_images = True
        if self.current and self.current.is_serving and self._wants_images and not self.current.has_images:
            await self.recycle(Reason.IMAGES_WANTED)
        if self.current is None or not self.current.is_serving:
            async with self._launching:
                if self.current is None or not self.current.is_serving:
                    self.current = await self._launch()
        return self.current

    async def recycle(self, reason: Reason) -> None:
        """Launch the successor while the old one still serves, then let that one drain."""
        async with self._launching:
            old = self.current
            if reason is Reason.IMAGES_WANTED and old and old.has_images:
                return  # another lease asked for the same while we waited
            self.current = await self._launch()
            self.recycles[reason] += 1
            self._recycled_at = self._clock.monotonic()
            if old and not old.is_ending:
                old.draining_since = self._clock.monotonic()
                self._tell("browser_recycled", {"reason": str(reason), **self._facts(old)})
                self._end_if_drained(old)

    def leave(self, tenancy: Tenancy) -> None:
        """One task less; the last one out of a draining browser closes it."""
        tenancy.busy -= 1
        self._end_if_drained(tenancy)
        if reason_to_recycle(self._wear(tenancy, TreeSize()), self._limits):
            self._look_now.set()

    async def watch(self) -> None:
        """Look at the browsers every few seconds, for as long as the pool lives."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._limits.watch_seconds):
                    await self._look_now.wait()
            self._look_now.clear()
            try:
                await self.look()
            except Exception as fault:  # a watch that dies lets the next browser grow without limit
                self._tell("browser_watch_failed", {"error": f"{type(fault).__name__}: {fault}"})

    async def look(self) -> None:
        """Weigh every browser against the limits once."""
        for tenancy in tuple(self.tenancies):
            if not tenancy.is_ending:
                await self._judge(tenancy)

    def end(self, tenancy: Tenancy) -> None:
        """Close a browser, in the background; whoever still uses it is interrupted."""
        if not tenancy.is_ending:
            tenancy.is_ending = True
            tenancy.die("the browser was closed")
            self._chores.start(self._close(tenancy))

    def age(self, tenancy: Tenancy) -> float:
        return self._clock.monotonic() - tenancy.started_at

    async def _launch(self) -> Tenancy:
        images = self._wants_images
        try:
            chromium = await launch_chromium(
                self._executable,
                proxy=self._guard.outside.address,
                images=images,
                limits=self._limits,
                data_dir=self._data_dir,
            )
        except BrowserLaunchFailed as fault:
            self._tell("browser_launch_failed", {"error": str(fault)})
            raise
        tenancy = Tenancy(chromium, images, self._clock.monotonic())
        self.tenancies.add(tenancy)
        chromium.on_gone(lambda: self._crashed(tenancy))
        self._tell("browser_launched", self._facts(tenancy))
        return tenancy

    async def _judge(self, tenancy: Tenancy) -> None:
        if not tenancy.chromium.is_alive:
            self._crashed(tenancy)
            return
        size = await asyncio.to_thread(tenancy.chromium.tree.measure)
        wear = self._wear(tenancy, size)
        if tenancy is self.current:
            self.last_size = size
        if is_too_heavy(wear, self._limits):
            self._kill(tenancy, Reason.HARD_MEMORY, size)
        elif tenancy.draining_since is not None:
            if self._clock.monotonic() - tenancy.draining_since >= self._limits.drain_seconds:
                self._kill(tenancy, Reason.DRAIN_TOO_LONG, size)
        elif (
            (reason := reason_to_recycle(wear, self._limits))
            and tenancy is self.current
            and self._is_rested()
        ):
            # Without a successor the old one serves on: worn is better than none.
            with contextlib.suppress(BrowserLaunchFailed):
                await self.recycle(reason)

    def _is_rested(self) -> bool:
        rest = self._limits.rest_between_recycles_seconds
        return self._recycled_at is None or self._clock.monotonic() - self._recycled_at >= rest

    def _wear(self, tenancy: Tenancy, size: TreeSize) -> Wear:
        return Wear(self.age(tenancy), tenancy.tasks, size)

    def _end_if_drained(self, tenancy: Tenancy) -> None:
        if tenancy.draining_since is not None and tenancy.busy == 0:
            self.end(tenancy)

    def _crashed(self, tenancy: Tenancy) -> None:
        if not tenancy.is_ending:
            self.recycles[Reason.CRASH] += 1
            self._tell("browser_crashed", self._facts(tenancy))
            self._fell(tenancy, "the browser died")

    def _kill(self, tenancy: Tenancy, reason: Reason, size: TreeSize) -> None:
        if not tenancy.is_ending:
            self.recycles[reason] += 1
            facts = {"reason": str(reason), "pids": size.pids, "memory_bytes": size.memory_bytes}
            self._tell("browser_killed", {**self._facts(tenancy), **facts})
            self._fell(tenancy, f"the browser was killed: {reason}")

    def _fell(self, tenancy: Tenancy, cause: str) -> None:
        tenancy.is_ending = True
        tenancy.die(cause)
        self._chores.start(self._close(tenancy, politely=False))

    async def _close(self, tenancy: Tenancy, *, politely: bool = True) -> None:
        chromium = tenancy.chromium
        await (chromium.close() if politely else chromium.kill())
        for context in tenancy.idle:
            await self._guard.close_doorway(context.doorway)
        tenancy.idle.clear()
        self.tenancies.discard(tenancy)
        if self.current is tenancy:
            self.current = None
        left = await asyncio.to_thread(chromium.tree.members)
        self._tell("browser_closed", {**self._facts(tenancy), "processes_left": len(left)})

    def _facts(self, tenancy: Tenancy) -> dict[str, object]:
        return {
            "browser_pid": tenancy.chromium.tree.root_pid,
            "age_seconds": round(self.age(tenancy), 1),
            "tasks": tenancy.tasks,
            "leases": len(tenancy.leases),
        }
