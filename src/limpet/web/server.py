"""Serves the portal on a door somebody else opened, and leaves quickly when told to."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Iterator

from fastapi import FastAPI
from uvicorn import Config, Server

from limpet.web.rendering import make_ready

_GRACE_SECONDS = 2


class _GuestServer(Server):
    """A uvicorn that lives in another's process: signals are its host's business."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_portal(
    app: FastAPI,
    door: socket.socket,
    stop: asyncio.Event,
    *,
    first_look: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Serve on the bound socket until `stop` is set; open streams end at once, the door is closed.

    Whoever knocks before the first look at a large ledger is taken waits until it is.
    """
    app.state.closing = stop
    server = _GuestServer(_terms(app))
    try:
        door.listen()
        if first_look is not None:
            await asyncio.gather(first_look(), asyncio.to_thread(make_ready))
        async with asyncio.TaskGroup() as group:
            beside = [group.create_task(_leave_when(stop, server))]
            beside += [group.create_task(work()) for work in getattr(app.state, "beside", ())]
            await server.serve(sockets=[door])
            for task in beside:
                task.cancel()
    finally:
        door.close()


def _terms(app: FastAPI) -> Config:
    return Config(
        app,
        lifespan="off",
        log_config=None,  # our own log is set up by then; uvicorn's would print beside it
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nobody may tell us by header who or where they are
        ws="none",
        timeout_keep_alive=15,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        limit_concurrency=512,
    )


async def _leave_when(stop: asyncio.Event, server: Server) -> None:
    await stop.wait()
    server.should_exit = True
