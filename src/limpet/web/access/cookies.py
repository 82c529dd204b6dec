"""The session's cookie: out of reach of scripts, never sent along by other sites' forms, and only over TLS."""

from __future__ import annotations

import ipaddress
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.responses import Response

from limpet.web.guard import plain_name

_NAME = "limpet_session"
# The prefix makes browsers refuse it from any other host or over plain HTTP.
_SECURE_NAME = "__Host-limpet_session"


def is_loopback(host: str) -> bool:
    """Whether a Host header names this very machine; what is said there is heard by nobody else."""
    name = plain_name(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def session_secret(headers: Headers, *, allow_plain: bool) -> str:
    """Return the secret the browser sent, or nothing; one that travelled in clear counts only where that is fine."""
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    may_be_plain = allow_plain or is_loopback(headers.get("host", ""))
    found = jar.get(_SECURE_NAME) or (jar.get(_NAME) if may_be_plain else None)
    return found.value if found is not None else ""


def give_session(response: Response, secret: str, *, secure: bool, seconds: int) -> None:
    """Hand the session to the browser."""
    response.set_cookie(
        _SECURE_NAME if secure else _NAME,
        secret,
        max_age=seconds,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def take_session(response: Response) -> None:
    """Make the browser forget it, under either name."""
    response.delete_cookie(_NAME, path="/", httponly=True, samesite="lax")
    response.delete_cookie(_SECURE_NAME, path="/", secure=True, httponly=True, samesite="lax")
