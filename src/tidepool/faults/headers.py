"""Heads that are too big, too many, or poisoned."""

from __future__ import annotations

from tidepool.faults.behaviour import Exchange, behaviour
from tidepool.site import Response


@behaviour(bytes=1_000_000)
async def giant_header(exchange: Exchange) -> None:
    """Sends one header of `bytes` bytes."""
    page = await exchange.healthy()
    giant = ("X-Giant", "g" * exchange.count("bytes"))
    await exchange.begin(200, (*page.headers, giant, ("Content-Length", str(len(page.body)))))
    await exchange.send(page.body)


@behaviour(count=50_000)
async def many_headers(exchange: Exchange) -> None:
    """Sends `count` small headers before the page."""
    page = await exchange.healthy()
    crowd = tuple((f"X-Crowd-{number}", "here") for number in range(exchange.count("count")))
    await exchange.begin(200, (*page.headers, *crowd, ("Content-Length", str(len(page.body)))))
    await exchange.send(page.body)


@behaviour()
async def endless_headers(exchange: Exchange) -> None:
    """Sends headers for ever."""
    await exchange.begin(200, end=False)
    await exchange.send_forever(b"X-More: and more\r\n" * 512)


@behaviour(count=20_000)
async def early_hints_flood(exchange: Exchange) -> None:
    """Sends `count` interim 103 answers before the page."""
    page = await exchange.healthy()
    hint = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
    await exchange.send_again_and_again(hint, exchange.count("count"))
    await exchange.begin(200, (*page.headers, ("Content-Length", str(len(page.body)))))
    await exchange.send(page.body)


@behaviour()
async def endless_continue(exchange: Exchange) -> None:
    """Sends interim 100 answers for ever."""
    await exchange.send_forever(b"HTTP/1.1 100 Continue\r\n\r\n" * 512)


@behaviour(count=500)
async def set_cookie_flood(exchange: Exchange) -> Response:
    """Sets `count` cookies with one page."""
    page = await exchange.healthy()
    cookies = tuple(
        ("Set-Cookie", f"crumb{number}={'c' * 40}; Path=/") for number in range(exchange.count("count"))
    )
    return Response(page.status, page.body, page.headers + cookies)


@behaviour()
async def nul_in_header(exchange: Exchange) -> None:
    """Puts NUL bytes into a header value."""
    page = await exchange.healthy()
    await exchange.begin(200, (*page.headers, ("X-Nul", "a\0b"), ("Content-Length", str(len(page.body)))))
    await exchange.send(page.body)


@behaviour()
async def header_without_colon(exchange: Exchange) -> None:
    """Sends a header line that has no colon."""
    page = await exchange.healthy()
    await exchange.begin(200, (*page.headers, ("Content-Length", str(len(page.body)))), end=False)
    await exchange.send(b"this line has no colon\r\n\r\n" + page.body)
