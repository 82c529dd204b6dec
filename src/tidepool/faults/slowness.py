"""Servers that take their time."""

from __future__ import annotations

import asyncio

from tidepool.faults.behaviour import Exchange, behaviour
from tidepool.site import Response
from tidepool.wire import head_bytes


@behaviour(seconds=1.0)
async def latency(exchange: Exchange) -> Response:
    """Answers properly, but only after `seconds`."""
    await asyncio.sleep(exchange.number("seconds"))
    return await exchange.healthy()


@behaviour()
async def never_answers(exchange: Exchange) -> None:
    """Accepts the request and says nothing until the visitor leaves."""
    await exchange.until_visitor_leaves()


@behaviour(seconds=0.1)
async def slow_drip(exchange: Exchange) -> None:
    """Sends the page one byte at a time with a rest of `seconds` after each."""
    page = await exchange.healthy()
    await exchange.begin(page.status, (*page.headers, ("Content-Length", str(len(page.body)))))
    await exchange.drip(page.body, seconds=exchange.number("seconds"))


@behaviour(seconds=0.1)
async def slow_headers(exchange: Exchange) -> None:
    """Sends even the head one byte at a time with a rest of `seconds` after each."""
    page = await exchange.healthy()
    head = head_bytes(page.status, (*page.headers, ("Content-Length", str(len(page.body)))))
    await exchange.drip(head + page.body, seconds=exchange.number("seconds"))


@behaviour()
async def stalls_mid_body(exchange: Exchange) -> None:
    """Sends the first half of the page, then nothing until the visitor leaves."""
    page = await exchange.healthy()
    await exchange.begin(page.status, (*page.headers, ("Content-Length", str(len(page.body)))))
    await exchange.send(page.body[: len(page.body) // 2])
    await exchange.until_visitor_leaves()


@behaviour(seconds=0.1)
async def slow_chunks(exchange: Exchange) -> None:
    """Sends a tiny chunk every `seconds` for ever, so that no single read times out."""
    await exchange.begin_page(("Transfer-Encoding", "chunked"))
    while True:
        await exchange.send(b"2\r\n. \r\n")
        await asyncio.sleep(exchange.number("seconds"))
