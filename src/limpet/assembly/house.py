"""The open house: all that a command may need, built once and closed in reverse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from limpet.assembly.apps import all_apps, all_sites
from limpet.assembly.network import client_of, gates_of, page_retries
from limpet.assembly.opening import open_ledger
from limpet.clock import Clock, SystemClock
from limpet.configuration import Config, load_config
from limpet.engine.app import App
from limpet.engine.crew import Crew
from limpet.engine.memory import settle_in
from limpet.engine.runs import RunDesk
from limpet.errors import ConfigError, UsageError
from limpet.extract.registry import SiteRegistry
from limpet.extract.site import Getter, Site
from limpet.fetch import Trail
from limpet.fetch.client import Client, Way
from limpet.fetch.filing import FileStore
from limpet.fetch.policy.rate import Budget
from limpet.record.config_targets import FROM_CONFIG, keep_in_step
from limpet.record.ledger import Ledger
from limpet.settings import Settings
from limpet.source import Source
from limpet.source.catalogue import Catalogue
from limpet.target.queue import QueueLimits

if TYPE_CHECKING:
    from limpet.apps.matches.monitor.watching import MatchMonitor
    from limpet.assembly.browsing import Browsing
    from limpet.engine.alert_keeper import AlertKeeper
    from limpet.engine.retention_keeper import RetentionKeeper

_BROWSER_NOTES = "browsers/*.json"


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
    budget: Budget
    bring_alerts: Callable[[], AlertKeeper]
    bring_monitor: Callable[[], MatchMonitor]

    def app(self, name: str) -> App:
        """Return the app, or say which ones there are."""
        if name not in self.apps:
            raise UsageError(f"There is no app {name!r}.", fix=f"Known apps: {', '.join(sorted(self.apps))}.")
        return self.apps[name]

    @property
    def alerts(self) -> AlertKeeper:
        """Who keeps the alerts."""
        return self.bring_alerts()

    @property
    def retention(self) -> RetentionKeeper:
        """Who applies the retention rules once a day."""
        from limpet.assembly.retaining import retention_keeper  # noqa: PLC0415 - a single run never does

        return retention_keeper(self.settings, self.config, self.ledger)

    @property
    def monitor(self) -> MatchMonitor:
        """What watches matches, built when it is first looked at: a run of prices needs none."""
        return self.bring_monitor()


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
        gates = gates_of(settings, catalogue, ledger, clock, stack)
        client = client_of(settings, gates, clock, stack)

        @cache
        def browsing() -> Browsing:
            from limpet.assembly.browsing import Browsing  # noqa: PLC0415 - most runs need no browser

            return Browsing(settings, client, clock, stack)

        if any(settings.data_dir.glob(_BROWSER_NOTES)):  # perhaps of a browser whose owner was killed
            await browsing().pool.open()
        desk = RunDesk(
            ledger,
            _crew(settings, ledger),
            catalogue,
            sites,
            way=_ways(client, browsing, ledger.artefacts),
            clock=clock,
            retry=page_retries(settings),
            limits=_queue_limits(settings),
            apps=apps,
        )
        await desk.switchboard.refresh()

        @cache
        def monitor() -> MatchMonitor:
            from limpet.assembly.match_watch import match_monitor  # noqa: PLC0415 - only for who looks at it

            return match_monitor(settings, desk, gates, browsing(), stack)

        @cache
        def alerts() -> AlertKeeper:
            from limpet.assembly.alerting import alert_keeper  # noqa: PLC0415 - a run may end without a look

            return alert_keeper(settings, ledger, catalogue)

        settle_in()
        yield House(
            settings=settings,
            config=config,
            clock=clock,
            catalogue=catalogue,
            sites=sites,
            apps=apps,
            ledger=ledger,
            client=client,
            desk=desk,
            budget=gates.budget,
            bring_alerts=alerts,
            bring_monitor=monitor,
        )


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


def _crew(settings: Settings, ledger: Ledger) -> Crew:
    return Crew(
        ledger,
        worker=ledger.worker,
        lease_seconds=settings.lease_seconds,
        clock=ledger.clock,
        lanes_at_once=settings.concurrency,
        silence_seconds=settings.silence_seconds,
    )


def _queue_limits(settings: Settings) -> QueueLimits:
    return QueueLimits(
        max_pending_per_adapter=settings.max_pending_per_adapter,
        max_pending_total=settings.max_pending_total,
        max_age_seconds=settings.max_pending_hours * 3600,
    )


def _ways(
    client: Client, browsing: Callable[[], Browsing], files: FileStore
) -> Callable[[Source, Site, Trail], Getter]:
    """A site that needs scripts to run is reached by the browser, every other by plain HTTP."""

    def way(source: Source, site: Site, trail: Trail) -> Getter:
        plain = Way(client, source, trail, lambda: browsing().fetcher, files)
        if site.requires_browser or source.fetcher == "browser":
            return browsing().way(plain)
        return plain

    return way
