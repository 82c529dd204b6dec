"""The doorkeeper: who may ask, how, and which promises every answer carries to the browser."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from limpet.web.acting import objection_to_a_program, objection_to_acting

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
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "x-dns-prefetch-control": "off",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-cache",
}
_READING = {"GET", "HEAD"}
# Whoever comes here must know a secret, so that neither a browser nor a name can be tricked into it.
_WEBHOOKS = {"/webhook/changedetection"}
# These are made for programs, which send no form of ours.
_FOR_PROGRAMS = {"/start", "/resume", "/admin/recycle"}
# Bound to every address of the machine, the setting says nothing about the name people use.
_EVERYWHERE = {"", "0.0.0.0", "::"}


class Doorkeeper:
    """ASGI middleware: refuses strange hosts, methods and senders; nothing leaves without the promises."""

    def __init__(self, app: ASGIApp, *, host: str, refuse: Callable[..., Response]) -> None:
        self._app = app
        self._host = "" if host in _EVERYWHERE else _plain(host)
        self._bound_to = host
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
            method = "GET" if scope["method"] in _READING else scope["method"]
            await self._app({**scope, "method": method}, receive, answer)
        except Exception as error:
            await self._apologise(error, scope, receive, answer)

    def _objection(self, scope: Scope) -> Response | None:
        request = Request(scope)
        host = Headers(scope=scope).get("host", "")
        if scope["path"] in _WEBHOOKS and scope["method"] == "POST":
            return None
        if not self.is_ours(host):
            sentence = "This portal does not answer to that name."
            fix = "Open it by its address, or set LIMPET_HOST to the name you use."
            return self._refuse(request, 400, sentence, fix=fix)
        if scope["method"] in _READING:
            return None
        if scope["method"] != "POST":
            return self._refuse(
                request, 405, "The portal does not do that.", headers={"allow": "GET, HEAD, POST"}
            )
        objection = objection_to_a_program if scope["path"] in _FOR_PROGRAMS else objection_to_acting
        why = objection(Headers(scope=scope), self._bound_to)
        return self._refuse(request, 403, why) if why is not None else None

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this machine: another site's name that points here must not work."""
        name = _plain(host)
        if name == "localhost" or name.endswith(".localhost"):
            return True
        return bool(name) and (name == self._host or _is_ip(name))

    async def _apologise(self, error: Exception, scope: Scope, receive: Receive, answer: _Answer) -> None:
        _log.error("page_failed", path=scope["path"], error=repr(error), exc_info=error)
        if not answer.has_started:
            sentence = "Something went wrong on our side."
            response = self._refuse(Request(scope), 500, sentence, fix="The log of this process says what.")
            await response(scope, receive, answer)


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


def _plain(host: str) -> str:
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
