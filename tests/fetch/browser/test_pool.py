"""One browser, replaced when it is worn or dead, and not a process of it left behind."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from limpet.clock import FrozenClock
from limpet.errors import BrowserCrashed, BrowserLaunchFailed, FetchTimeout
from limpet.fetch.browser import BrowserFetcher, BrowserPool, PoolLimits, Reason
from limpet.fetch.browser.process_tree import ProcessTree
from limpet.fetch.trail import Trail
from limpet.source import Source

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

HOME = "https://shop.test/"
# Nothing may happen by the clock on the wall: tests look when they mean to.
UNWATCHED = PoolLimits(max_contexts=3, watch_seconds=3600, rest_between_recycles_seconds=0)


class Story:
    """What the pool tells."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Mapping[str, object]]] = []

    def __call__(self, kind: str, details: Mapping[str, object]) -> None:
        self.events.append((kind, details))

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events]

    def count(self, kind: str) -> int:
        return self.kinds().count(kind)


@pytest.fixture
def story() -> Story:
    return Story()


@pytest.fixture
def open_pool(chromium: Path, pretend_web, story: Story) -> Callable[..., BrowserPool]:
    pretend_web.html("/", "home")

    def open_pool(**options: object) -> BrowserPool:
        options = {"executable": chromium, "limits": UNWATCHED, "on_event": story, **options}
        return BrowserPool(pretend_web.forward, **options)  # type: ignore[arg-type]

    return open_pool


def serving_tree(pool: BrowserPool) -> ProcessTree:
    current = pool._browsers.current
    assert current is not None
    return current.chromium.tree


async def eventually(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.02)


async def test_no_process_is_left_after_close(open_pool, source: Source, story: Story) -> None:
    async with open_pool() as pool:
        async with pool.page(source, Trail()) as lease:
            await lease.page.goto(HOME)
        tree = serving_tree(pool)
        assert len(tree.members()) > 2
        assert tree.driver is not None

    assert tree.members() == []
    assert not tree.driver.is_running() or tree.driver.status() == psutil.STATUS_ZOMBIE
    assert story.kinds() == ["browser_launched", "browser_closed"]
    assert story.events[-1][1]["processes_left"] == 0


async def test_a_source_finds_its_own_page_again_and_never_anothers(open_pool, source: Source) -> None:
    other = replace(source, id="other")

    async with open_pool() as pool:
        async with pool.page(source, Trail()) as first:
            await first.page.goto(HOME)
        async with pool.page(source, Trail()) as again:
            pass
        async with pool.page(other, Trail()) as stranger:
            pass

    assert again.page is first.page
    assert stranger.page.context is not first.page.context


async def test_pages_are_bounded_and_the_oldest_idle_one_gives_way(open_pool, source: Source) -> None:
    limits = replace(UNWATCHED, max_contexts=2, room_seconds=0.05)

    async with open_pool(limits=limits) as pool:
        for name in "abc":
            async with pool.page(replace(source, id=name), Trail()):
                pass
        resting = pool.reading().pages_open
        async with pool.page(source, Trail()), pool.page(source, Trail()):
            with pytest.raises(FetchTimeout):
                async with pool.page(source, Trail()):
                    pass

    assert resting == 2


@pytest.mark.parametrize("victim", ["browser", "driver"])
async def test_a_dead_browser_is_told_at_once_and_the_next_page_works(
    open_pool, pretend_web, source: Source, story: Story, victim: str
) -> None:
    pretend_web.hold("/hangs")

    async with open_pool() as pool:
        tree: ProcessTree | None = None
        with pytest.raises(BrowserCrashed):
            async with pool.page(source, Trail()) as lease:
                await lease.page.goto(HOME)
                tree = serving_tree(pool)
                assert tree.driver is not None
                os.kill(tree.root_pid if victim == "browser" else tree.driver.pid, signal.SIGKILL)
                if victim == "browser":
                    await lease.page.goto(f"{HOME}hangs", timeout=0)
                # A visitor who waits for something else must hear of it too.
                await asyncio.Event().wait()
        async with pool.page(source, Trail()) as lease:
            response = await lease.page.goto(HOME)
        assert tree is not None
        await eventually(lambda: story.count("browser_closed") == 1)
        orphans = tree.members()

    assert response is not None
    assert response.status == 200
    assert orphans == []
    assert story.kinds()[:2] == ["browser_launched", "browser_crashed"]
    assert pool.reading().recycles == {"crash": 1}


async def test_a_crashed_page_costs_its_lease_but_not_the_browser(
    open_pool, pretend_web, source: Source, story: Story
) -> None:
    async with open_pool() as pool:
        with pytest.raises(BrowserCrashed):
            async with pool.page(source, Trail()) as lease:
                await lease.page.goto(HOME)
                await lease.session.send("Page.crash")
                await asyncio.Event().wait()
        async with pool.page(source, Trail()) as lease:
            await lease.page.goto(HOME)

    assert story.count("browser_launched") == 1


async def test_a_cancelled_visitor_stays_cancelled(open_pool, source: Source) -> None:
    async with open_pool() as pool:
        inside = asyncio.Event()

        async def visit() -> None:
            async with pool.page(source, Trail()):
                inside.set()
                await asyncio.Event().wait()

        visitor = asyncio.create_task(visit())
        await inside.wait()
        visitor.cancel()
        await asyncio.wait({visitor})

    assert visitor.cancelled()


async def test_a_worn_browser_drains_while_its_successor_serves(
    open_pool, source: Source, story: Story
) -> None:
    async with open_pool(limits=replace(UNWATCHED, max_tasks=2)) as pool:
        async with pool.page(source, Trail()) as old:
            async with pool.page(source, Trail()):
                pass
            await eventually(lambda: story.count("browser_launched") == 2)
            async with pool.page(source, Trail()) as new:
                same_browser = new.page.context.browser is old.page.context.browser
            response = await old.page.goto(HOME)
            closed_too_early = story.count("browser_closed")
        await eventually(lambda: story.count("browser_closed") == 1)

    assert not same_browser
    assert response is not None
    assert closed_too_early == 0
    assert pool.reading().recycles == {"tasks": 1}


@pytest.mark.parametrize(
    ("limits", "seconds", "reason"),
    [
        (UNWATCHED, 6 * 3600, Reason.AGE),
        (replace(UNWATCHED, max_pids=10), 0, Reason.PIDS),
    ],
)
async def test_an_idle_browser_is_replaced_for_its(
    open_pool, source: Source, story: Story, limits: PoolLimits, seconds: float, reason: Reason
) -> None:
    clock = FrozenClock()

    async with open_pool(limits=limits, clock=clock) as pool:
        await pool.warm()
        old = serving_tree(pool)
        clock.advance(seconds)
        await pool.look()
        await eventually(lambda: story.count("browser_closed") == 1)
        left = old.members()

    assert left == []
    recycled = next(details for kind, details in story.events if kind == "browser_recycled")
    assert recycled["reason"] == reason


async def test_a_browser_over_its_limit_from_the_start_is_not_replaced_all_the_time(
    open_pool, story: Story
) -> None:
    limits = replace(UNWATCHED, max_pids=10, rest_between_recycles_seconds=60)

    async with open_pool(limits=limits, clock=FrozenClock()) as pool:
        await pool.warm()
        for _ in range(3):
            await pool.look()

    assert story.count("browser_recycled") == 1


async def test_a_browser_over_the_hard_limit_is_killed_under_its_visitor(
    open_pool, source: Source, story: Story
) -> None:
    async with open_pool(limits=replace(UNWATCHED, hard_memory_bytes=1)) as pool:
        with pytest.raises(BrowserCrashed, match="hard_memory"):
            async with pool.page(source, Trail()):
                await pool.look()
                await asyncio.Event().wait()

    assert story.kinds() == ["browser_launched", "browser_killed", "browser_closed"]


async def test_a_lease_that_never_ends_does_not_keep_a_drained_browser_alive(
    open_pool, source: Source, story: Story
) -> None:
    clock = FrozenClock()

    async with open_pool(clock=clock) as pool:
        with pytest.raises(BrowserCrashed, match="drain_too_long"):
            async with pool.page(source, Trail()):
                await pool.recycle()
                clock.advance(UNWATCHED.drain_seconds)
                await pool.look()
                await asyncio.Event().wait()


async def test_images_are_loaded_for_the_source_that_asks_and_no_other(
    open_pool, pretend_web, source: Source, story: Story
) -> None:
    pretend_web.html("/", "<img src=/photo.png><img src=/photo><link rel=stylesheet href=/a.css>")
    with_images = replace(source, id="gallery", load_images=True)

    async with open_pool() as pool:
        fetcher = BrowserFetcher(pool)
        await fetcher.get(source, HOME, trail=Trail())
        plain = set(pretend_web.urls)
        await fetcher.get(with_images, HOME, trail=Trail())
        loaded = set(pretend_web.urls)
        pretend_web.asked.clear()
        await fetcher.get(source, HOME, trail=Trail())
        plain_again = set(pretend_web.urls)

    assert plain == plain_again == {HOME}
    assert loaded >= {f"{HOME}photo.png", f"{HOME}photo", f"{HOME}a.css"}
    assert pool.reading().recycles == {"images_wanted": 1}


async def test_a_browser_that_does_not_start_says_what_to_do(open_pool, tmp_path: Path, story: Story) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)

    async with open_pool(executable=broken) as pool:
        with pytest.raises(BrowserLaunchFailed, match="make browser"):
            await pool.warm()

    assert story.kinds() == ["browser_launch_failed"]


async def test_a_worn_browser_serves_on_when_no_successor_starts(
    open_pool, source: Source, chromium: Path, tmp_path: Path
) -> None:
    link = tmp_path / "chromium"
    link.symlink_to(chromium)

    async with open_pool(executable=link, limits=replace(UNWATCHED, max_pids=10)) as pool:
        await pool.warm()
        link.unlink()
        await pool.look()
        async with pool.page(source, Trail()) as lease:
            response = await lease.page.goto(HOME)

    assert response is not None
    assert pool.reading().recycles == {}
