"""Builds the house in one place: every room gets what it needs handed in, and nobody looks for it alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial

from limpet.apps.dockets import APP as DOCKETS
from limpet.apps.judgments import APP as JUDGMENTS
from limpet.apps.matches import APP as MATCHES
from limpet.apps.matches.domains import DomainTable, descriptors_from, descriptors_of
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.roll_call import RollCall
from limpet.apps.matches.monitor.session import SessionTerms
from limpet.apps.matches.monitor.terms import MonitorTerms
from limpet.apps.matches.monitor.watching import MatchMonitor
from limpet.apps.matches.pushing import Pusher, backend_source
from limpet.apps.matches.queue import QueueBounds
from limpet.apps.matches.rhythm import RhythmTerms
from limpet.apps.matches.shelf.shelf import MemoryShelf, Shelf
from limpet.apps.prices import APP as PRICES
from limpet.apps.prices.models.configured import configured_site
from limpet.clock import Clock, SystemClock
from limpet.configuration import Config, load_config
from limpet.configuration.watched_file import WatchedFile
from limpet.engine.alert_keeper import AlertKeeper
from limpet.engine.app import App
from limpet.engine.crew import Crew
from limpet.engine.memory import settle_in
from limpet.engine.runs import RunDesk
from limpet.errors import ConfigError, SettingsError, UsageError
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Getter, Site
from limpet.fetch import Trail
from limpet.fetch.ask import Ask
from limpet.fetch.browser.fetcher import BrowserFetcher
from limpet.fetch.browser.pool import BrowserPool
from limpet.fetch.browser.recycling import PoolLimits
from limpet.fetch.browser.succession import OnEvent
from limpet.fetch.browser.way import BrowserWay, ForwardThroughClient
from limpet.fetch.client import Client, Way
from limpet.fetch.filing import FileStore
from limpet.fetch.gates import Gates
from limpet.fetch.http import HttpTransport
from limpet.fetch.page import Page
from limpet.fetch.policy.breaker import Breakers, BreakerTerms
from limpet.fetch.policy.rate import Budget
from limpet.fetch.policy.resolver import GuardedResolver
from limpet.fetch.policy.retry import RetryPolicy
from limpet.fetch.policy.robots_keeper import RobotsKeeper
from limpet.observe.alert_sending import Audience, Destination
from limpet.observe.quiet_hours import parse_quiet_hours
from limpet.record.alert_tables import Severity
from limpet.record.breaker_file import FileBreakers
from limpet.record.budget_file import FileBudget
from limpet.record.config_targets import FROM_CONFIG, keep_in_step
from limpet.record.ledger import Ledger
from limpet.record.ledger_core import SILENCE_SECONDS
from limpet.record.robots_memory import LedgerRobotsMemory
from limpet.record.verify import AppCheck
from limpet.settings import Settings
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.source.source import MEBIBYTE
from limpet.target.queue import QueueLimits


@dataclass(frozen=True, slots=True)
class House:
    """Everything a command may need, built and open."""

    settings: Settings
    config: Config
    clock: Clock
    catalogue: Catalogue
    sites: SiteRegistry
    apps: Mapping[str, App]
    ledger: Ledger
    client: Client
    desk: RunDesk
    alerts: AlertKeeper
    monitor: MatchMonitor
    budget: Budget

    def app(self, name: str) -> App:
        """Return the app, or say which ones there are."""
        if name not in self.apps:
            raise UsageError(f"There is no app {name!r}.", fix=f"Known apps: {', '.join(sorted(self.apps))}.")
        return self.apps[name]


@cache
def all_apps() -> Mapping[str, App]:
    """Return every app by name."""
    return {app.name: app for app in (PRICES, DOCKETS, JUDGMENTS, MATCHES)}


def app_checks() -> list[AppCheck]:
    """Return every app's own proof of its tables, for `limpet verify`."""
    return [app.bookkeeper.check for app in all_apps().values()]


def all_sites(config: Config | None = None) -> SiteRegistry:
    """Return the registry of every site of every app, with those the config file describes."""
    registry = SiteRegistry()
    for app in all_apps().values():
        for site in app.sites:
            registry.register(site)
    for plan in config.sites if config is not None else ():
        registry.register(configured_site(plan))
    return registry


@asynccontextmanager
async def assemble(settings: Settings) -> AsyncIterator[House]:
    """Yield the open house; on leaving, everything that was opened is closed, in reverse."""
    config = load_config(settings.config) if settings.config else Config()
    clock, sites, apps = SystemClock(), all_sites(config), all_apps()
    catalogue = Catalogue(each.source for each in config.sources)
    _refuse_unknown(catalogue, sites, apps)
    async with AsyncExitStack() as stack:
        ledger = await stack.enter_async_context(open_ledger(settings, clock))
        await _register(config, ledger, apps)
        gates = await _gates(settings, catalogue, ledger, clock, stack)
        client = Client(
            gates,
            HttpTransport(_resolver(catalogue)),
            clock=clock,
            user_agent=settings.agent,
            requests_at_once=settings.requests_at_once,
        )
        stack.push_async_callback(client.close)
        story: list[OnEvent] = []
        pool = await stack.enter_async_context(_pool(settings, client, story))
        browser = BrowserFetcher(pool, clock=clock)
        crew = Crew(
            ledger,
            worker=ledger.worker,
            lease_seconds=settings.lease_seconds,
            clock=clock,
            lanes_at_once=settings.concurrency,
            silence_seconds=settings.silence_seconds,
        )
        way = _ways(client, browser, ledger.artefacts)
        desk = RunDesk(
            ledger,
            crew,
            catalogue,
            sites,
            way=way,
            clock=clock,
            retry=_page_retries(settings),
            limits=_queue_limits(settings),
            apps=apps,
        )
        await desk.switchboard.refresh()
        alerts = alert_keeper(settings, ledger, catalogue)
        roll_call = _roll_call(settings, catalogue, sites, clock)
        shelf, terms = _shelf(settings, stack), monitor_terms(settings)
        room = ControlRoom(ledger, clock, way, roll_call, gates.breakers, shelf, terms, pool)
        pusher = _pusher(settings, room, gates, clock, stack)
        monitor = MatchMonitor(room, settings.data_dir, pusher.look if pusher else None)
        story.append(monitor.hear_browser)
        settle_in()
        yield House(
            settings,
            config,
            clock,
            catalogue,
            sites,
            apps,
            ledger,
            client,
            desk,
            alerts,
            monitor,
            gates.budget,
        )


@asynccontextmanager
async def open_ledger(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Ledger]:
    """Yield the ledger alone, for commands that only look at what is recorded."""
    async with await Ledger.open(
        settings.data_dir,
        database_url=settings.database_url,
        clock=clock or SystemClock(),
        bookkeepers=[app.bookkeeper for app in all_apps().values()],
        shares_bodies=settings.is_scaled,
        silence_seconds=settings.silence_seconds if settings.is_scaled else SILENCE_SECONDS,
    ) as ledger:
        yield ledger


def alert_keeper(settings: Settings, ledger: Ledger, catalogue: Catalogue) -> AlertKeeper:
    """Return who keeps the alerts of this ledger."""
    needed = settings.min_free_disk_mb * MEBIBYTE
    return AlertKeeper(ledger, catalogue, ledger.clock, audience_of(settings), needed)


def audience_of(settings: Settings) -> Audience:
    """Whom alerts are told to: `alert_urls` hear everything, `alert_paging_urls` only what cannot wait."""
    everything = [Destination(url) for url in settings.alert_urls.split()]
    paging = [Destination(url, (Severity.P1.value,)) for url in settings.alert_paging_urls.split()]
    try:
        quiet = parse_quiet_hours(settings.alert_quiet_hours)
    except ValueError as wrong:
        sentence = f"LIMPET_ALERT_QUIET_HOURS is {settings.alert_quiet_hours!r}."
        raise SettingsError(sentence, fix=f"Write {wrong}.") from None
    return Audience((*everything, *paging), quiet, allow_private=settings.alert_private_addresses)


def _refuse_unknown(catalogue: Catalogue, sites: SiteRegistry, apps: Mapping[str, App]) -> None:
    for source in catalogue.list():
        if source.app not in apps:
            known = ", ".join(sorted(apps))
            raise ConfigError(
                f"Source {source.id!r} names no known app: {source.app!r}.", fix=f"Known apps: {known}."
            )
        sites.get(source.site)


async def _register(config: Config, ledger: Ledger, apps: Mapping[str, App]) -> None:
    """Make the ledger know every source and target the file names."""
    for each in config.sources:
        make_target = apps[each.source.app].make_target
        named = [make_target(each.source, url) for url in each.targets]
        await ledger.put_source(each.source)
        await ledger.put_targets(named, created_by=FROM_CONFIG)
        addresses = {target.address for target in named}
        step = partial(keep_in_step, source_id=each.source.id, named=addresses, now=ledger.clock.now())
        await ledger.write(step)


async def _gates(
    settings: Settings, catalogue: Catalogue, ledger: Ledger, clock: Clock, stack: AsyncExitStack
) -> Gates:
    terms = BreakerTerms(
        failure_threshold=settings.circuit_breaker_threshold,
        rest_seconds=settings.circuit_breaker_timeout_seconds,
        success_threshold=settings.circuit_breaker_success_threshold,
    )
    budget, breakers = await _shared_pace(settings, terms, clock, stack)
    robots = RobotsKeeper(agent=settings.agent, clock=clock, memory=LedgerRobotsMemory(ledger))
    return Gates(catalogue, robots, breakers, budget)


async def _shared_pace(
    settings: Settings, terms: BreakerTerms, clock: Clock, stack: AsyncExitStack
) -> tuple[Budget, Breakers]:
    """One count per domain: in files for all processes of one data directory, in Redis for all hosts."""
    if settings.redis_url:
        # Not before it is asked for: the embedded house starts without this library.
        from limpet.record.breaker_redis import RedisBreakers  # noqa: PLC0415
        from limpet.record.budget_redis import RedisBudget  # noqa: PLC0415
        from limpet.record.redis_client import connect_redis  # noqa: PLC0415

        redis = connect_redis(settings.redis_url)
        stack.push_async_callback(redis.aclose)
        shared = RedisBudget(redis, clock=clock, lease_seconds=settings.silence_seconds)
        stack.callback(shared.close)
        return shared, RedisBreakers(redis, clock=clock, terms=terms)
    budget = FileBudget(settings.data_dir, clock=clock)
    breakers = FileBreakers(settings.data_dir, clock=clock, terms=terms)
    stack.callback(breakers.close)
    stack.callback(budget.close)
    return budget, breakers


def _page_retries(settings: Settings) -> RetryPolicy:
    return RetryPolicy(
        max_attempts=settings.retry_max_attempts,
        first_delay=settings.retry_base_delay_seconds,
        max_delay=settings.retry_max_delay_seconds,
    )


def _queue_limits(settings: Settings) -> QueueLimits:
    return QueueLimits(
        max_pending_per_adapter=settings.max_pending_per_adapter,
        max_pending_total=settings.max_pending_total,
        max_age_seconds=settings.max_pending_hours * 3600,
    )


def _resolver(catalogue: Catalogue) -> GuardedResolver:
    permitted = (source for source in catalogue.list() if source.allow_private_addresses)
    return GuardedResolver(private_hosts=[host for source in permitted for host in source.hosts])


def _pool(settings: Settings, client: Client, story: Sequence[OnEvent]) -> BrowserPool:
    """No browser is started yet: that happens when a page needs one. Its story is told to all in the list."""

    def tell(kind: str, details: Mapping[str, object]) -> None:
        for hear in story:
            hear(kind, details)

    limits = PoolLimits(
        max_contexts=settings.browser_contexts,
        max_age_seconds=settings.scraper_max_lifetime_hours * 3600,
        max_tasks=settings.browser_max_tasks,
        soft_memory_bytes=settings.memory_soft_limit_mb * MEBIBYTE,
        hard_memory_bytes=settings.memory_hard_limit_mb * MEBIBYTE,
        max_pids=settings.browser_max_pids,
    )
    return BrowserPool(
        ForwardThroughClient(client),
        executable=settings.chromium,
        data_dir=settings.data_dir,
        limits=limits,
        user_agent=settings.agent,
        on_event=tell,
    )


def _roll_call(settings: Settings, catalogue: Catalogue, sites: SiteRegistry, clock: Clock) -> RollCall:
    """The domains of the sources file, which may change while we work; without one, a domain per source."""
    path = settings.match_sources
    if path is None:
        return RollCall(DomainTable(descriptors_of(catalogue.list()), clock=clock), catalogue, sites)
    file = WatchedFile(path, partial(descriptors_from, place=str(path)))
    return RollCall(DomainTable(file.read(), clock=clock), catalogue, sites, file)


def _shelf(settings: Settings, stack: AsyncExitStack) -> Shelf:
    if not settings.redis_url:
        return MemoryShelf()
    from limpet.apps.matches.shelf.redis_shelf import RedisShelf  # noqa: PLC0415
    from limpet.record.redis_client import connect_redis  # noqa: PLC0415

    redis = connect_redis(settings.redis_url)
    stack.push_async_callback(redis.aclose)
    return RedisShelf(redis)


def _pusher(
    settings: Settings, room: ControlRoom, gates: Gates, clock: Clock, stack: AsyncExitStack
) -> Pusher | None:
    """Who tells the backend, by a client whose gates know that one host alone."""
    if not settings.backend_url:
        return None
    base = settings.backend_url.rstrip("/")
    source = backend_source(base, now=clock.now())
    own = Gates(Catalogue([source]), gates.robots, gates.breakers, gates.budget)
    transport = HttpTransport(GuardedResolver(private_hosts=source.hosts))
    client = Client(own, transport, clock=clock, user_agent=settings.agent)
    stack.push_async_callback(client.close)

    async def post(path: str, body: bytes, headers: Mapping[str, str]) -> Page:
        ask = Ask(kind="push", method="POST", headers=headers, data=body)
        return await client.fetch(source, base + path, trail=Trail(), ask=ask)

    return Pusher(room, post, settings.backend_user, settings.backend_password)


def monitor_terms(settings: Settings) -> MonitorTerms:
    """Return how the match monitor works, in the words of the settings."""
    rhythm = RhythmTerms(
        base_seconds=settings.polling_interval_seconds,
        shortest_timeout_seconds=settings.page_timeout_seconds,
        longest_timeout_seconds=max(settings.page_timeout_seconds, settings.total_timeout_seconds),
        is_adaptive=settings.enable_adaptive_polling,
        has_adaptive_timeouts=settings.enable_adaptive_timeouts,
    )
    session = SessionTerms(
        max_lifetime_seconds=settings.scraper_max_lifetime_hours * 3600,
        staleness_seconds=settings.staleness_threshold_seconds,
        soft_memory_limit=settings.memory_soft_limit_mb * MEBIBYTE,
        hard_memory_limit=settings.memory_hard_limit_mb * MEBIBYTE,
    )
    return MonitorTerms(
        rhythm=rhythm,
        session=session,
        bounds=QueueBounds(settings.max_queue_size, round(settings.max_queue_size_mb * MEBIBYTE)),
        concurrency_cap=settings.concurrency_cap,
        discovery_seconds=settings.discovery_interval_seconds,
        detects_match_state=settings.enable_match_state_detection,
    )


def _ways(
    client: Client, browser: BrowserFetcher, files: FileStore
) -> Callable[[Source, Site, Trail], Getter]:
    """A site that needs scripts to run is reached by the browser, every other by plain HTTP."""

    def way(source: Source, site: Site, trail: Trail) -> Getter:
        plain = Way(client, source, trail, browser, files)
        if site.requires_browser or source.fetcher == "browser":
            return BrowserWay(browser, source, trail, plain)
        return plain

    return way
