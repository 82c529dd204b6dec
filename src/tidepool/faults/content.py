"""Pages whose bytes are not what they are said to be."""

from __future__ import annotations

import gzip

from tidepool.faults.behaviour import Exchange, behaviour
from tidepool.site import Response, html

HTML = "text/html; charset=UTF-8"


async def _changed(exchange: Exchange, body: bytes, content_type: str | None) -> Response:
    page = (await exchange.healthy()).without("ETag", "Last-Modified", "Content-Type")
    changed = Response(200, body, page.headers)
    return changed if content_type is None else changed.having(("Content-Type", content_type))


@behaviour()
async def empty_body(_exchange: Exchange) -> Response:
    """Succeeds with an empty page."""
    return html("")


@behaviour()
async def blank_body(_exchange: Exchange) -> Response:
    """Succeeds with a page of spaces and line ends only."""
    return html(" \n" * 2000)


@behaviour()
async def empty_document(_exchange: Exchange) -> Response:
    """Succeeds with a well-formed page that holds nothing."""
    return html("<!doctype html><html><head><title></title></head><body></body></html>")


@behaviour()
async def nul_bytes(exchange: Exchange) -> Response:
    """Strews NUL bytes over the page."""
    body = (await exchange.healthy()).body
    return await _changed(exchange, b"\0".join(body[at : at + 97] for at in range(0, len(body), 97)), HTML)


@behaviour(depth=100_000)
async def deep_nesting(exchange: Exchange) -> Response:
    """Buries the page under `depth` nested elements."""
    body, depth = (await exchange.healthy()).body, exchange.count("depth")
    before, opening, inside = body.partition(b"<main")
    return await _changed(exchange, before + b"<div>" * depth + opening + inside + b"</div>" * depth, HTML)


@behaviour(depth=100_000)
async def deep_json_ld(exchange: Exchange) -> Response:
    """Adds a JSON-LD block of `depth` nested lists before the good ones."""
    body, depth = (await exchange.healthy()).body, exchange.count("depth")
    block = b'<script type="application/ld+json">' + b"[" * depth + b"]" * depth + b"</script>"
    return await _changed(exchange, body.replace(b"<head>", b"<head>" + block, 1), HTML)


@behaviour(charset="utf-16")
async def wrong_charset(exchange: Exchange) -> Response:
    """Sends UTF-8 but says it is `charset`."""
    body = (await exchange.healthy()).body
    return await _changed(exchange, body, f"text/html; charset={exchange.text('charset')}")


@behaviour()
async def unknown_charset(exchange: Exchange) -> Response:
    """Names a charset that does not exist."""
    body = (await exchange.healthy()).body
    return await _changed(exchange, body, "text/html; charset=klingon-8")


@behaviour()
async def invalid_utf8(exchange: Exchange) -> Response:
    """Breaks the UTF-8 of the page in several places."""
    body = (await exchange.healthy()).body
    return await _changed(exchange, body.replace(b" Round ", b" \xff\xfeRound\xc3 "), HTML)


@behaviour(content_type="image/png")
async def lying_content_type(exchange: Exchange) -> Response:
    """Sends the page but calls it `content_type`."""
    return await _changed(exchange, (await exchange.healthy()).body, exchange.text("content_type"))


@behaviour()
async def no_content_type(exchange: Exchange) -> Response:
    """Sends the page without saying what it is."""
    return await _changed(exchange, (await exchange.healthy()).body, None)


@behaviour()
async def pdf_as_html(exchange: Exchange) -> Response:
    """Sends a binary document but calls it HTML."""
    return await _changed(exchange, b"%PDF-1.7\n" + bytes(range(256)) * 64 + b"\n%%EOF", HTML)


@behaviour()
async def json_as_html(exchange: Exchange) -> Response:
    """Sends a JSON error with status 200 but calls it HTML."""
    return await _changed(exchange, b'{"success":false,"error":"internal","data":null}', HTML)


@behaviour()
async def says_gzip_is_plain(exchange: Exchange) -> Response:
    """Says gzip but sends the page as it is."""
    page = await _changed(exchange, (await exchange.healthy()).body, HTML)
    return page.having(("Content-Encoding", "gzip"))


@behaviour()
async def gzip_of_gzip(exchange: Exchange) -> Response:
    """Packs the page twice and says so, which is allowed but rare."""
    packed = gzip.compress(gzip.compress((await exchange.healthy()).body))
    return (await _changed(exchange, packed, HTML)).having(("Content-Encoding", "gzip, gzip"))


@behaviour()
async def gzip_twice_said_once(exchange: Exchange) -> Response:
    """Packs the page twice but says so only once."""
    packed = gzip.compress(gzip.compress((await exchange.healthy()).body))
    return (await _changed(exchange, packed, HTML)).having(("Content-Encoding", "gzip"))


@behaviour()
async def unknown_encoding(exchange: Exchange) -> Response:
    """Names a content encoding that does not exist."""
    page = await _changed(exchange, (await exchange.healthy()).body, HTML)
    return page.having(("Content-Encoding", "seaweed"))


@behaviour()
async def corrupt_gzip(exchange: Exchange) -> Response:
    """Sends gzip with damage in the middle."""
    packed = bytearray(gzip.compress((await exchange.healthy()).body))
    middle = len(packed) // 2
    packed[middle : middle + 64] = b"\xaa" * len(packed[middle : middle + 64])
    return (await _changed(exchange, bytes(packed), HTML)).having(("Content-Encoding", "gzip"))
