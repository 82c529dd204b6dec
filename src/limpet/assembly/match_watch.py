"""The match monitor, built when somebody looks at matches."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.domains import DomainTable, descriptors_from, descriptors_of
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.roll_call import RollCall, refuse_unknown_sources
from limpet.apps.matches.monitor.session import SessionTerms
from limpet.apps.matches.monitor.terms import MonitorTerms
from limpet.apps.matches.monitor.watching import MatchMonitor
from limpet.apps.matches.pushing import Pusher, backend_source
from limpet.apps.matches.queue import QueueBounds
from limpet.apps.matches.rhythm import RhythmTerms
from limpet.apps.matches.shelf.shelf import MemoryShelf, Shelf
from limpet.assembly.browsing import Browsing
from limpet.clock import Clock
from limpet.configuration.watched_file import WatchedFile
from limpet.engine.runs import RunDesk
from limpet.extract.registry import SiteRegistry
from limpet.fetch import Trail
from limpet.fetch.ask import Ask
from limpet.fetch.client import Client
from limpet.fetch.gates import Gates
from limpet.fetch.http import HttpTransport
from limpet.fetch.page import Page
from limpet.fetch.policy.resolver import GuardedResolver
from limpet.settings import Settings
from limpet.source.catalogue import Catalogue
from limpet.source.source import MEBIBYTE


def match_monitor(
    settings: Settings, desk: RunDesk, gates: Gates, browsing: Browsing, stack: AsyncExitStack
) -> MatchMonitor:
    """Return the monitor; it watches once it is told to serve."""
    clock = desk.clock
    room = ControlRoom(
        desk.ledger,
        clock,
        desk.way,
        _roll_call(settings, desk.catalogue, desk.sites, clock),
        gates.breakers,
        _shelf(settings, stack),
        monitor_terms(settings),
        browsing.pool,
    )
    pusher = _pusher(settings, room, gates, clock, stack)
    monitor = MatchMonitor(room, settings.data_dir, pusher.look if pusher else None)
    browsing.story.append(monitor.hear_browser)
    return monitor


def _roll_call(settings: Settings, catalogue: Catalogue, sites: SiteRegistry, clock: Clock) -> RollCall:
    """The domains of the sources file, which may change while we work; without one, a domain per source."""
    path = settings.match_sources
    if path is None:
        return RollCall(DomainTable(descriptors_of(catalogue.list()), clock=clock), catalogue, sites)
    file = WatchedFile(
        path, partial(_domains, catalogue=catalogue, place=path), setting="LIMPET_MATCH_SOURCES"
    )
    return RollCall(DomainTable(file.read(), clock=clock), catalogue, sites, file)


def _domains(tables: dict[str, Any], *, catalogue: Catalogue, place: Path) -> list[DomainAdapterDescriptor]:
    found = descriptors_from(tables, place=str(place))
    refuse_unknown_sources(found, catalogue, place=str(place))
    return found


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
        keep_request_hours=settings.monitor_request_hours,
        keep_note_days=settings.monitor_note_days,
    )
