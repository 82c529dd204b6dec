"""The doorkeeper: who may ask, how, and which promises every answer carries to the browser."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = structlog.get_logger("limpet.portal")

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-src 'none'",
        "frame-ancestors 'none'",
    )
)
PROMISES = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    # Other sites learn nothing; our own forms say where they come from.
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "x-dns-prefetch-control": "off",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-cache",
}
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
LARGEST_BODY = 8 * 1024 * 1024
# Bound to every address of the machine, the setting says nothing about the name people use.
_EVERYWHERE = {"", "0.0.0.0", "::"}


class Doorkeeper:
    """ASGI middleware: refuses strange hosts and endless bodies; nothing leaves without the promises."""

    def __init__(
        self, app: ASGIApp, *, host: str, public_name: str = "", refuse: Callable[..., Response]
    ) -> None:
        self._app = app
        self._names = {plain_name(name) for name in (host, public_name) if name not in _EVERYWHERE}
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        answer = _Answer(send)
        refusal = self._objection(scope)
        if refusal is not None:
            await refusal(scope, receive, answer)
            return
        try:
            # A HEAD is a GET whose body the server leaves out.
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            await self._app({**scope, "method": method}, _Measured(receive), answer)
        except _BodyTooLarge:
            await self._too_large(scope)(scope, receive, answer)
        except Exception as error:
            await self._apologise(error, scope, receive, answer)

    def _objection(self, scope: Scope) -> Response | None:
        request = Request(scope)
        host = Headers(scope=scope).get("host", "")
        # Whoever calls a webhook must know its secret, so that no name can be tricked into it.
        if not scope["path"].startswith("/webhook/") and not self.is_ours(host):
            sentence = "This portal does not answer to that name."
            fix = "Open it by its address, or set LIMPET_PUBLIC_NAME to the name you use."
            return self._refuse(request, 400, sentence, fix=fix)
        if scope["method"] not in _METHODS:
            sentence = f"{scope['method'][:20]} is nothing this portal does."
            return self._refuse(request, 405, sentence, headers={"allow": ", ".join(_METHODS)})
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdecimal() or int(said[:12]) > LARGEST_BODY:
            return self._too_large(scope)
        return None

    def _too_large(self, scope: Scope) -> Response:
        sentence = f"The body is larger than {LARGEST_BODY // 1024**2} MiB."
        return self._refuse(Request(scope), 413, sentence, fix="Send it in parts.")

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this machine: another site's name that points here must not work."""
        name = plain_name(host)
        if name == "localhost" or name.endswith(".localhost"):
            return True
        return bool(name) and (name in self._names or _is_ip(name))

    async def _apologise(self, error: Exception, scope: Scope, receive: Receive, answer: _Answer) -> None:
        _log.error("page_failed", path=scope["path"], error=repr(error), exc_info=error)
        if not answer.has_started:
            sentence = "Something went wrong on our side."
            response = self._refuse(Request(scope), 500, sentence, fix="The log of this process says what.")
            await response(scope, receive, answer)


class _BodyTooLarge(Exception):
    """More came than was said, or than anybody may send."""


class _Measured:
    """The way in: counts what comes, because a length can be left out."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._seen = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > LARGEST_BODY:
            raise _BodyTooLarge
        return message


class _Answer:
    """The way out: adds the promises to whatever leaves, unless a page made a stricter one."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_started = True
            headers = MutableHeaders(scope=message)
            for name, value in PROMISES.items():
                headers.setdefault(name, value)
        await self._send(message)


def plain_name(host: str) -> str:
    """Return the name without port and brackets, in lower case; empty when it is no name."""
    text = host.strip().lower()
    if text.startswith("["):
        inside, bracket, _ = text[1:].partition("]")
        return inside if bracket else ""
    name, colon, port = text.rpartition(":")
    return name.rstrip(".") if colon and port.isdigit() and ":" not in name else text.rstrip(".")


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
