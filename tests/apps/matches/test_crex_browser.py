"""crex by a real browser, over real sockets and through every gate."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.domains import DomainTable
from limpet.apps.matches.record import DiscoveredMatch
from limpet.clock import SystemClock
from limpet.errors import BrowserError, BrowserLaunchFailed, FetchError
from limpet.extract.failure import CannotRead
from limpet.fetch import Trail
from limpet.fetch.browser import BrowserFetcher, BrowserPool, PoolLimits
from limpet.fetch.browser.way import BrowserWay, ForwardThroughClient
from limpet.fetch.client import Client, Way
from limpet.fetch.gates import Gates
from limpet.fetch.http import HttpTransport
from limpet.fetch.policy.resolver import GuardedResolver
from limpet.fetch.policy.robots_keeper import RobotsKeeper
from limpet.record.breaker_file import FileBreakers
from limpet.record.budget_file import FileBudget
from limpet.source import Pace, Source, Terms
from limpet.source.catalogue import Catalogue
from tidepool import Tidepool

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("crex_browser")]
HOSTS = ("crex.tidepool.localhost", "crexapi.tidepool.localhost")


@dataclass
class Outside:
    """The pretend site, and both ways to it."""

    tidepool: Tidepool
    browser: BrowserWay
    http: Way
    pool: BrowserPool
    domains: DomainTable

    async def match(self, kind: str) -> DiscoveredMatch:
        key = next(each["key"] for each in self.tidepool.world.matches() if each["kind"] == kind)
        listed = await self.domains.adapter("crex_browser").discover(self.browser)
        return next(match for match in listed if match.match_key == key)


@pytest.fixture
async def outside(tmp_path: Path, chromium: str) -> AsyncIterator[Outside]:
    clock = SystemClock()
    source = Source(
        "crex",
        "matches",
        "crex_browser",
        HOSTS,
        terms=Terms(datetime(2026, 1, 1, tzinfo=UTC), "the tests"),
        pace=Pace(requests_per_second=None, min_delay_seconds=0, max_concurrent=20),
        http_only=True,
        allow_private_addresses=True,
    )
    async with AsyncExitStack() as stack:
        tidepool = await stack.enter_async_context(Tidepool(seed=7, poll_seconds=1, code_book_seconds=0.2))
        budget, breakers = FileBudget(tmp_path, clock=clock), FileBreakers(tmp_path, clock=clock)
        stack.callback(budget.close)
        stack.callback(breakers.close)
        gates = Gates(Catalogue([source]), RobotsKeeper(clock=clock), breakers, budget)
        transport = HttpTransport(GuardedResolver(private_hosts=HOSTS))
        client = Client(gates, transport, clock=clock, user_agent="Limpet tests")
        stack.push_async_callback(client.close)
        pool = BrowserPool(
            ForwardThroughClient(client), executable=Path(chromium), limits=PoolLimits(max_contexts=3)
        )
        await stack.enter_async_context(pool)
        about = {"base_url": tidepool.url("crex", "").rstrip("/"), "names_patience_seconds": 5}
        domains = DomainTable(
            [DomainAdapterDescriptor(name, name, metadata=about) for name in ("crex", "crex_browser")],
            clock=clock,
        )
        trail = Trail()
        http = Way(client, source, trail)
        browser = BrowserWay(BrowserFetcher(pool, clock=clock), source, trail, http)
        yield Outside(tidepool, browser, http, pool, domains)


async def test_the_pages_own_data_is_overheard_and_names_that_come_late_are_waited_for(
    outside: Outside,
) -> None:
    outside.tidepool.advance(100)
    match = await outside.match("plain")

    snapshot = await outside.domains.adapter("crex_browser").fetch_match(
        match, outside.browser, with_card=True
    )

    truth = outside.tidepool.world.match(match.match_key)
    assert truth is not None
    assert [(i.runs, i.wickets, i.overs.legal_balls) for i in snapshot.innings] == [
        (i["runs"], i["wickets"], i["legal_balls"]) for i in truth["innings"]
    ]
    assert len(snapshot.balls) == len(truth["balls"])
    assert snapshot.unknown_codes == ()
    assert all(line.name for innings in snapshot.card for line in innings.batters)


async def test_what_the_browser_learnt_lets_the_direct_way_ask_by_itself(outside: Outside) -> None:
    outside.tidepool.advance(100)
    match = await outside.match("plain")
    await outside.domains.adapter("crex_browser").fetch_match(match, outside.browser)
    before = len(outside.tidepool.log)

    snapshot = await outside.domains.adapter("crex").fetch_match(match, outside.http)

    asked = [visit.path for visit in outside.tidepool.log[before:]]
    assert "/v10/sV3.php" in asked
    assert "/live-matches" not in asked, "the token and the names were overheard"
    assert snapshot.unknown_codes == ()


async def test_a_killed_chromium_fails_one_visit_and_the_next_one_works(outside: Outside) -> None:
    outside.tidepool.advance(100)
    match = await outside.match("plain")
    adapter = outside.domains.adapter("crex_browser")
    outside.tidepool.set_fault("crexapi", "never_answers", path="/v10/sV3.php", times=1)
    visit = asyncio.create_task(adapter.fetch_match(match, outside.browser))
    await until(lambda: any(seen.path == "/v10/sV3.php" for seen in outside.tidepool.log))

    for pid in chromium_children():
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(BrowserError):
        await visit
    outside.tidepool.clear_faults()
    again = await adapter.fetch_match(match, outside.browser)
    assert again.innings


async def test_visit_after_visit_leaves_no_more_processes_than_the_first_ones(outside: Outside) -> None:
    """Incident: a browser per match and a close that was not on every path left 4,613 processes after a day."""
    outside.tidepool.advance(100)
    adapter = outside.domains.adapter("crex_browser")
    listed = await adapter.discover(outside.browser)
    for match in listed[:3]:
        await adapter.fetch_match(match, outside.browser)
    after_three = len(chromium_children())

    for match in listed[:6] * 2:
        await adapter.fetch_match(match, outside.browser)

    assert len(chromium_children()) <= after_three + 2


async def test_matches_visited_at_once_are_never_mixed_up(outside: Outside) -> None:
    """Defect: a pooled context was shared with another match's page; a late handler left the overs empty."""
    outside.tidepool.advance(100)
    adapter = outside.domains.adapter("crex_browser")
    listed = [m for m in await adapter.discover(outside.browser) if m.match_key in ("RF0", "RG1", "RH2")]

    snapshots = await asyncio.gather(*(adapter.fetch_match(match, outside.browser) for match in listed))

    for snapshot in snapshots:
        truth = outside.tidepool.world.match(snapshot.match_key)
        assert truth is not None
        assert [innings.runs for innings in snapshot.innings] == [i["runs"] for i in truth["innings"]]
        assert len(snapshot.balls) > 0


async def test_a_recycle_lets_the_visit_under_way_end(outside: Outside) -> None:
    """Defect: recycling closed contexts under running tasks."""
    outside.tidepool.advance(100)
    match = await outside.match("plain")
    adapter = outside.domains.adapter("crex_browser")
    outside.tidepool.set_fault("crexapi", "latency", path="/v10/sV3.php", times=1, seconds=1.5)
    visit = asyncio.create_task(adapter.fetch_match(match, outside.browser))
    await until(lambda: any(seen.path == "/v10/sV3.php" for seen in outside.tidepool.log))

    await outside.pool.recycle()

    assert (await visit).innings
    assert (await adapter.fetch_match(match, outside.browser)).innings


async def test_a_data_host_that_fails_is_a_failure_and_no_match_without_a_score(outside: Outside) -> None:
    outside.tidepool.advance(100)
    match = await outside.match("plain")
    outside.tidepool.set_fault("crexapi", "server_error_500", path="/v10/*")

    hasty = replace(outside.browser, source=replace(outside.browser.source, patience_seconds=3))

    with pytest.raises((FetchError, CannotRead)):
        await outside.domains.adapter("crex_browser").fetch_match(match, hasty)


async def test_a_way_without_a_browser_is_refused_with_the_fix(outside: Outside) -> None:
    outside.tidepool.advance(100)
    match = await outside.match("plain")

    with pytest.raises(BrowserLaunchFailed) as refused:
        await outside.domains.adapter("crex_browser").fetch_match(match, outside.http)

    assert refused.value.fix


async def until(comes_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not comes_true():
            await asyncio.sleep(0.02)


def chromium_children() -> list[int]:
    import psutil  # noqa: PLC0415 - only this test looks at processes

    return [
        process.pid
        for process in psutil.Process().children(recursive=True)
        if "chrom" in process.name().lower() or "headless" in process.name().lower()
    ]
