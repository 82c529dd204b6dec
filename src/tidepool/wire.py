"""HTTP/1.1 by hand: read a request, write an honest answer.

There is no ASGI here on purpose. Half of what a hostile server does - resets, bodies shorter than they claim,
bytes that are no HTTP at all - happens below what an ASGI server lets an application say, and one port must
serve both halves.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Iterable
from email.utils import formatdate, parsedate_to_datetime
from http import HTTPStatus

from tidepool.site import Request, Response

LONGEST_HEAD = 64 * 1024
LONGEST_REQUEST_BODY = 1024 * 1024
SMALLEST_COMPRESSED = 512


class BadRequest(Exception):
    """The visitor's own bytes are not a request we understand; carries the status to answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """Return the next request on this connection, or None when the visitor has hung up."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError as exc:
        raise BadRequest(431) from exc
    request = parse_head(head)
    body = await _read_body(reader, request)
    return Request(request.method, request.path, request.query, request.headers, body) if body else request


def parse_head(head: bytes) -> Request:
    """Return the request this head describes, as yet without its body."""
    request_line, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    try:
        method, target, _version = request_line.split(" ")
        headers = {
            name.strip().lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)
        }
    except ValueError as exc:
        raise BadRequest(400) from exc
    if target.startswith("http://"):  # a visitor that takes us for a proxy names the whole address
        target = "/" + target.split("/", 3)[3] if target.count("/") > 2 else "/"
    path, _, query = target.partition("?")
    return Request(method, path, query, headers)


async def _read_body(reader: asyncio.StreamReader, request: Request) -> bytes:
    if "transfer-encoding" in request.headers:
        raise BadRequest(411)
    length = request.headers.get("content-length", "0")
    if not length.isdigit():
        raise BadRequest(400)
    if int(length) > LONGEST_REQUEST_BODY:
        raise BadRequest(413)
    return await reader.readexactly(int(length)) if int(length) else b""


def head_bytes(status: int, headers: Iterable[tuple[str, str]], *, version: str = "HTTP/1.1") -> bytes:
    """Return a response head; any status and any header value may be written, sound or not."""
    lines = [
        f"{version} {status} {_reason(status)}",
        *(f"{name}: {value}" for name, value in headers),
        "",
        "",
    ]
    return "\r\n".join(lines).encode("latin-1", "replace")


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Whatever"


def settle(request: Request, response: Response, *, pack: Callable[[bytes], bytes]) -> Response:
    """Turn a full answer into what this visitor needs: 304 if nothing changed, compressed if it may be."""
    if response.status == 200 and _is_unchanged(request, response):
        return Response(304).having(
            *(pair for pair in response.headers if pair[0] in ("ETag", "Last-Modified"))
        )
    if _may_compress(request, response):
        return Response(response.status, pack(response.body), response.headers).having(
            ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")
        )
    return response


def _is_unchanged(request: Request, response: Response) -> bool:
    known = request.headers.get("if-none-match")
    if known is not None:  # RFC 9110 13.2.2: the tag decides alone when it is there
        etag = response.header("ETag")
        return etag is not None and (known == "*" or etag.removeprefix("W/") in _tags(known))
    since, modified = request.headers.get("if-modified-since"), response.header("Last-Modified")
    return bool(since and modified) and _not_later(str(modified), str(since))


def _tags(header: str) -> set[str]:
    return {tag.strip().removeprefix("W/") for tag in header.split(",")}


def _not_later(modified: str, since: str) -> bool:
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (ValueError, TypeError):
        return False


def _may_compress(request: Request, response: Response) -> bool:
    return (
        len(response.body) >= SMALLEST_COMPRESSED
        and response.status == 200
        and response.header("Content-Encoding") is None
        and response.header("Content-Type") != "application/pdf"  # nobody packs what is packed already
        and "gzip" in request.headers.get("accept-encoding", "")
    )


def gzipped(body: bytes) -> bytes:
    """Return the body gzipped, the same bytes for the same body."""
    return gzip.compress(body, compresslevel=1, mtime=0)


def response_bytes(request: Request, response: Response, *, keep_alive: bool) -> tuple[bytes, bytes]:
    """Return head and body of an honest answer, ready to be written."""
    has_body = response.status not in (204, 304)
    headers = [("Server", "tidepool"), ("Date", formatdate(usegmt=True)), *response.headers]
    if has_body:
        headers.append(("Content-Length", str(len(response.body))))
    headers.append(("Connection", "keep-alive" if keep_alive else "close"))
    body = response.body if has_body and request.method != "HEAD" else b""
    return head_bytes(response.status, headers), body
