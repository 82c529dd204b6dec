"""Connections that break, and bytes that are no HTTP."""

from __future__ import annotations

import gzip

from tidepool.faults.behaviour import Exchange, behaviour
from tidepool.wire import head_bytes

PAGE = b"<html><body><h1>Hello</h1></body></html>"


@behaviour()
async def reset_before_answer(exchange: Exchange) -> None:
    """Resets the connection as soon as it has read the request."""
    exchange.reset()


@behaviour()
async def reset_mid_headers(exchange: Exchange) -> None:
    """Resets the connection in the middle of the head."""
    await exchange.begin(200, (("Content-Type", "text/html"),), end=False)
    exchange.reset()


@behaviour()
async def reset_mid_body(exchange: Exchange) -> None:
    """Resets the connection after half of the page."""
    page = await exchange.healthy()
    await exchange.begin(page.status, (*page.headers, ("Content-Length", str(len(page.body)))))
    await exchange.send(page.body[: len(page.body) // 2])
    exchange.reset()


@behaviour()
async def closes_without_answer(_exchange: Exchange) -> None:
    """Reads the request and hangs up politely, without a byte."""


@behaviour()
async def truncated_body(exchange: Exchange) -> None:
    """Promises more bytes in Content-Length than it sends before it hangs up."""
    page = await exchange.healthy()
    await exchange.begin(page.status, (*page.headers, ("Content-Length", str(2 * len(page.body)))))
    await exchange.send(page.body)


@behaviour()
async def truncated_gzip(exchange: Exchange) -> None:
    """Sends half of a gzip stream under an honest Content-Length."""
    packed = gzip.compress((await exchange.healthy()).body)
    half = packed[: len(packed) // 2]
    await exchange.begin_page(("Content-Encoding", "gzip"), ("Content-Length", str(len(half))))
    await exchange.send(half)


@behaviour()
async def garbage_bytes(exchange: Exchange) -> None:
    """Answers with bytes that are not HTTP at all."""
    await exchange.send(bytes(range(256)) * 16)


@behaviour()
async def speaks_tls(exchange: Exchange) -> None:
    """Answers a plain request with a TLS alert."""
    await exchange.send(b"\x15\x03\x01\x00\x02\x02\x46")


@behaviour()
async def speaks_ssh(exchange: Exchange) -> None:
    """Greets like a server of quite another trade."""
    await exchange.send(b"SSH-2.0-Limestone_9.9\r\n")


@behaviour()
async def body_without_head(exchange: Exchange) -> None:
    """Sends the bare page as in the days before there were headers."""
    await exchange.send(PAGE)


@behaviour()
async def wrong_http_version(exchange: Exchange) -> None:
    """Claims to speak a version of HTTP that does not exist."""
    await exchange.send(head_bytes(200, (("Content-Length", str(len(PAGE))),), version="HTTP/7.3") + PAGE)


@behaviour()
async def bad_chunk_size(exchange: Exchange) -> None:
    """Gives a chunk size that is not a number."""
    await exchange.begin_page(("Transfer-Encoding", "chunked"))
    await exchange.send(b"zebra\r\n" + PAGE + b"\r\n0\r\n\r\n")


@behaviour()
async def short_chunk(exchange: Exchange) -> None:
    """Sends a chunk longer than its size says."""
    await exchange.begin_page(("Transfer-Encoding", "chunked"))
    await exchange.send(b"5\r\n" + PAGE + b"\r\n0\r\n\r\n")


@behaviour()
async def unfinished_chunks(exchange: Exchange) -> None:
    """Hangs up before the last chunk."""
    await exchange.begin_page(("Transfer-Encoding", "chunked"))
    await exchange.send(f"{len(PAGE):x}\r\n".encode() + PAGE + b"\r\n")


@behaviour()
async def conflicting_lengths(exchange: Exchange) -> None:
    """Sends two Content-Length headers that disagree."""
    await exchange.begin_page(("Content-Length", str(len(PAGE))), ("Content-Length", str(len(PAGE) + 7)))
    await exchange.send(PAGE)


@behaviour()
async def negative_length(exchange: Exchange) -> None:
    """Declares a Content-Length below zero."""
    await exchange.begin_page(("Content-Length", "-1"))
    await exchange.send(PAGE)


@behaviour()
async def length_and_chunked(exchange: Exchange) -> None:
    """Declares a length and chunks at once, the mark of a smuggled request."""
    await exchange.begin_page(("Content-Length", "4"), ("Transfer-Encoding", "chunked"))
    await exchange.send(f"{len(PAGE):x}\r\n".encode() + PAGE + b"\r\n0\r\n\r\n")
