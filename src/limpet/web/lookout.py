"""One look at the whole house, shared by everybody who asks within the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Generic, TypeVar

import structlog
from fastapi import Depends
from sqlalchemy import Connection, func, select
from starlette.requests import Request

from limpet.apps.matches.silence import watched_sources
from limpet.apps.matches.views import newest_news
from limpet.apps.prices.review import count_quarantined
from limpet.assembly import House
from limpet.clock import Clock
from limpet.errors import BrowserLaunchFailed
from limpet.fetch.browser.find import find_chromium
from limpet.observe.health import Disk, assess, disk_at
from limpet.observe.metrics import FigureReader, Figures
from limpet.observe.promise import ErrorBudget
from limpet.observe.promise_book import PromiseBook
from limpet.observe.standing import Gate, Standing, Surveyor
from limpet.record.alerts import Alert
from limpet.record.entry import Run
from limpet.record.inspecting import pulse
from limpet.record.politeness import DomainPoliteness
from limpet.record.tables import runs
from limpet.source import Source
from limpet.source.source import MEBIBYTE
from limpet.target import JobState
from limpet.target.outcome import RunState
from limpet.web.glance import Glance

T = TypeVar("T")
_log = structlog.get_logger("limpet.portal")
_LATEST_RUNS = 8
_PERIODS_REMEMBERED = 8
MONITORED = "matches"  # visited all the time, without runs


class Recently(Generic[T]):
    """Remembers an answer for a moment; whoever asks meanwhile waits for the one look under way."""

    def __init__(self, look: Callable[[], Awaitable[T]], *, seconds: float, clock: Clock) -> None:
        self._look = look
        self._seconds = seconds
        self._clock = clock
        self._looking = asyncio.Lock()
        self._answer: tuple[float, T] | None = None

    async def get(self) -> T:
        """Return an answer that is at most so many seconds old."""
        async with self._looking:
            if self._answer is None or self._clock.monotonic() - self._answer[0] > self._seconds:
                self._answer = (self._clock.monotonic(), await self._look())
            return self._answer[1]

    def forget(self) -> None:
        """Look again for whoever asks next."""
        self._answer = None


class Lookout:
    """Looks at the ledger for the portal, so that a hundred open pages cost it one question a second."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._surveyor = Surveyor(partial(watched_sources, clock=house.clock))
        self._reader = FigureReader()
        self._since = house.clock.monotonic()
        self._glance = Recently(self._look, seconds=1.0, clock=house.clock)
        self._pulse = Recently(self._feel, seconds=0.9, clock=house.clock)
        self._figures = Recently(self._count, seconds=1.0, clock=house.clock)
        self._book = PromiseBook(objective=house.settings.freshness_objective)
        self._budgets = Recently(self._draw_up, seconds=10.0, clock=house.clock)
        self._has_counted = False
        self._manners: dict[int, Recently[list[DomainPoliteness]]] = {}

    @property
    def uptime_seconds(self) -> float:
        """How long the portal has been open."""
        return self._house.clock.monotonic() - self._since

    async def glance(self) -> Glance:
        """Return what the overview shows."""
        return await self._glance.get()

    async def look_around(self) -> None:
        """Look once, so that nobody waits for what is counted only the first time."""
        try:
            await self.glance()
        except Exception as error:  # a ledger that is away is no reason to stay shut: /health says so
            _log.warning("first_look_failed", error=repr(error))

    async def count_ahead(self) -> None:
        """Count what takes long over a large ledger, before somebody asks for it."""
        try:
            await self._budgets.get()
            self._has_counted = True
            self._glance.forget()
            await self.figures()
        except Exception as error:  # whoever asks counts it then, and hears what is wrong
            _log.warning("counting_ahead_failed", error=repr(error))

    def forget(self) -> None:
        """Look again: somebody has just changed something, and should see it."""
        for remembered in (self._glance, self._pulse, self._figures, self._budgets):
            remembered.forget()

    async def pulse(self) -> tuple[object, ...]:
        """Return something that differs whenever there is news."""
        return await self._pulse.get()

    async def figures(self) -> Figures:
        """Return what Prometheus asks for."""
        return await self._figures.get()

    async def budgets(self) -> Mapping[str, ErrorBudget]:
        """Return how well each source keeps its promise of freshness."""
        return await self._budgets.get()

    async def manners(self, days: int) -> list[DomainPoliteness]:
        """Return how we behaved in these days; a walk over every request, so asked for rarely."""
        if days not in self._manners:
            if len(self._manners) >= _PERIODS_REMEMBERED:
                self._manners.clear()
            look = partial(self._account, days)
            self._manners[days] = Recently(look, seconds=20.0, clock=self._house.clock)
        return await self._manners[days].get()

    async def _account(self, days: int) -> list[DomainPoliteness]:
        return await self._house.ledger.politeness(since=self._house.clock.now() - timedelta(days=days))

    async def _look(self) -> Glance:
        house, now = self._house, self._house.clock.now()
        sources = house.catalogue.list()
        standings = await house.ledger.read(partial(self._surveyor.survey, sources=sources))
        news = await house.ledger.read(newest_news)
        standings = [self._with_browser_gate(_with_news(standing, news)) for standing in standings]
        under_way = await house.ledger.runs(state=RunState.RUNNING, limit=100)
        disk = self._disk()
        return Glance(
            taken_at=now,
            health=assess(standings, now=now, disk=disk),
            standings=standings,
            runs=await house.ledger.runs(limit=_LATEST_RUNS),
            open_jobs=sum(_open_jobs(run) for run in under_way),
            runs_today=await house.ledger.read(partial(_runs_since, midnight=_midnight(now))),
            disk=disk,
            alerts=await self._alerts(),
            quarantined=(await house.ledger.read(count_quarantined)).get("open", 0),
            browser=house.monitor.room.pool.reading() if house.monitor.room.pool else None,
            # A month is counted beside the first looks, not in the way of them.
            budgets=await self._budgets.get() if self._has_counted else None,
        )

    async def _alerts(self) -> list[Alert]:
        await self._house.alerts.heed()
        return await self._house.ledger.alerts()

    async def _feel(self) -> tuple[object, ...]:
        gates = tuple((source.id, source.enabled, source.switch) for source in self._house.catalogue.list())
        seen = sum(self._house.monitor.room.tally.updates.values())
        return (*await self._house.ledger.read(pulse), gates, seen)

    async def _count(self) -> Figures:
        figures = await self._house.ledger.read(
            partial(self._reader.read, sources=self._house.catalogue.list())
        )
        return replace(figures, budgets=await self._budgets.get())

    async def _draw_up(self) -> Mapping[str, ErrorBudget]:
        sources = self._house.catalogue.list()
        watched = {source.id for source in sources if source.app == MONITORED}
        read = partial(self._book.read, sources=sources, watched=watched, now=self._house.clock.now())
        return await self._house.ledger.read(read)

    def _disk(self) -> Disk:
        settings = self._house.settings
        return disk_at(settings.data_dir, settings.min_free_disk_mb * MEBIBYTE)

    def _with_browser_gate(self, standing: Standing) -> Standing:
        """An open gate is of no use to a source that needs a browser this machine does not have."""
        if not standing.gate.is_open or not self.needs_browser(standing.source):
            return standing
        fix = self.browser_fix()
        if fix is None:
            return standing
        reason = f"Source {standing.source.id!r} needs a browser, and this machine has none."
        return replace(standing, gate=Gate(is_open=False, reason=reason, fix=fix))

    def browser_fix(self) -> str | None:
        """Return what gets this machine a browser; None when it has one."""
        try:
            find_chromium(self._house.settings.chromium)
        except BrowserLaunchFailed as missing:
            return missing.fix
        return None

    def needs_browser(self, source: Source) -> bool:
        """Whether the source's pages only come to be in a browser."""
        return source.fetcher == "browser" or self._house.sites.get(source.site).requires_browser


def _with_news(standing: Standing, news: Mapping[str, datetime]) -> Standing:
    """A monitored source keeps no pages: its last change is the last thing it told us that was new."""
    told = news.get(standing.source.id) if standing.source.app == MONITORED else None
    return (
        standing if told is None else replace(standing, clocks=replace(standing.clocks, last_change_at=told))
    )


def _open_jobs(run: Run) -> int:
    return run.counts.get(JobState.PENDING.value, 0) + run.counts.get(JobState.RUNNING.value, 0)


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _runs_since(connection: Connection, midnight: datetime) -> int:
    question = select(func.count()).select_from(runs).where(runs.c.started_at >= midnight)
    return connection.execute(question).scalar_one()


async def _house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


async def _lookout_of(request: Request) -> Lookout:
    lookout: Lookout = request.app.state.lookout
    return lookout


TheHouse = Annotated[House, Depends(_house_of)]
TheLookout = Annotated[Lookout, Depends(_lookout_of)]
