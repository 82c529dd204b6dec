"""News by SSE, and a server that leaves although somebody listens."""

from __future__ import annotations

import asyncio
import http.client
import signal
import socket
from typing import Any

import aiohttp
from fastapi import FastAPI
from starlette.responses import StreamingResponse

from limpet.record.entry import NewRun
from limpet.web.server import serve_portal


def read_event(response: http.client.HTTPResponse) -> dict[str, str]:
    event: dict[str, str] = {}
    while line := response.readline().decode().rstrip("\n"):
        name, _, value = line.partition(": ")
        event[name] = value
    return event


def test_listener_hears_about_a_new_run(portal: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", portal.port, timeout=20)
    connection.request("GET", "/live", headers={"Authorization": f"Bearer {portal.token}"})
    response = connection.getresponse()
    hello = read_event(response)

    portal.do(lambda house: house.desk.plan(NewRun("prices", "shop"), limit=1))
    news = read_event(response)
    connection.close()

    assert response.headers["content-type"].startswith("text/event-stream")
    assert hello["event"] == "hello"
    assert news["event"] == "change"


def open_door() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))  # listening, so that a client may come early


def address_of(door: socket.socket) -> str:
    return f"http://127.0.0.1:{door.getsockname()[1]}/"


async def endless(request: Any) -> StreamingResponse:
    async def words() -> Any:
        while True:
            yield b"more\n"
            await asyncio.sleep(0.01)

    return StreamingResponse(words())


async def test_server_leaves_although_a_stream_never_ends() -> None:
    app, stop, door = FastAPI(), asyncio.Event(), open_door()
    app.add_route("/", endless)
    serving = asyncio.create_task(serve_portal(app, door, stop))

    async with (
        asyncio.timeout(20),
        aiohttp.ClientSession() as session,
        session.get(address_of(door)) as response,
    ):
        await response.content.readline()
        stop.set()
        await serving

    assert door.fileno() == -1


async def test_server_touches_no_signal_handler() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    stop, door = asyncio.Event(), open_door()
    serving = asyncio.create_task(serve_portal(FastAPI(), door, stop))

    async with asyncio.timeout(20), aiohttp.ClientSession() as session:
        async with session.get(address_of(door)) as response:
            during = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
        stop.set()
        await serving

    assert response.status == 404
    assert during == before


async def test_cancelled_server_closes_its_door() -> None:
    stop, door = asyncio.Event(), open_door()
    serving = asyncio.create_task(serve_portal(FastAPI(), door, stop))
    await asyncio.sleep(0)

    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)

    assert serving.cancelled()
    assert door.fileno() == -1
