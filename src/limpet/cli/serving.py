"""The whole service in the foreground: portal, scheduler and crew, stopped together."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from limpet.assembly import House
from limpet.cli.admission import check_admission, newcomers_link
from limpet.cli.log_watcher import LogWatcher
from limpet.engine.service import Service
from limpet.engine.signals import graceful_stop
from limpet.errors import PortInUse
from limpet.web.portal import metrics_door_for, portal_for
from limpet.web.server import serve_portal

HOW_TO_ENTER = "Nobody has a password yet. This link lets you in, once, within the hour:"


async def serve_house(
    house: House, *, say: Callable[[str, str | None], None], seconds: float | None = None, works: bool = True
) -> None:
    """Serve until a signal comes, or for so many seconds; `say` is told where the portal is, and how to get in.

    Without `works` it is the portal alone: others schedule and walk.
    """
    await check_admission(house)
    door = _open_door(house.settings.host, house.settings.port)
    watched_at = house.settings.prometheus_port
    side_door = _open_door(house.settings.host, watched_at) if watched_at else None
    stop = house.desk.crew.stop
    keepers = (house.alerts, (house.monitor,), house.retention)
    service = Service(house.desk, house.apps, LogWatcher(), house.clock, *keepers)
    with graceful_stop(stop, drain_seconds=house.settings.drain_seconds):
        async with asyncio.TaskGroup() as group:
            app = portal_for(house)
            first_look = app.state.lookout.look_around
            portal = group.create_task(serve_portal(app, door, stop, first_look=first_look))
            if side_door is not None:
                group.create_task(serve_portal(metrics_door_for(house), side_door, stop))
            if works:
                group.create_task(service.serve(stop))
            port = door.getsockname()[1]
            say(f"http://{house.settings.host}:{port}/", await newcomers_link(house, port))
            if seconds is not None:
                group.create_task(_stop_after(stop, seconds))
            await portal


def say_where(address: str, link: str | None) -> None:
    """Tell people where to look, and newcomers how to get in."""
    print(f"The portal is at {address} - Ctrl-C stops.", flush=True)
    if link is not None:
        print(f"{HOW_TO_ENTER}\n  {link}", flush=True)


async def _stop_after(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        stop.set()


def _open_door(host: str, port: int) -> socket.socket:
    """Take the port before anything starts, so that a taken one is a sentence and not a stack trace."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
    except OSError as exc:
        door.close()
        raise PortInUse(
            f"Cannot listen on {host}:{port}: {(exc.strerror or str(exc)).lower()}.",
            fix="Choose another with --port; 0 takes a free one.",
        ) from exc
    return door
