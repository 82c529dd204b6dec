"""Letting somebody in: a password or a one-time link becomes a session, and a session becomes a cookie."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import urlsplit

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.assembly import House
from limpet.record.access.accounts import kept_password
from limpet.record.access.passwords import LONGEST, is_right
from limpet.record.access.sessions import close_session, open_session, use_link
from limpet.record.access.throttle import forget_failures, note_failure, refuse_if_too_many
from limpet.record.logbook import audit
from limpet.web.access.cookies import give_session, is_loopback, session_secret
from limpet.web.access.errors import NotAllowed, WrongPassword

# Each comparison takes 64 MiB and a core for a moment: a crowd at the door must not take the house down.
_comparing = asyncio.Semaphore(2)


def address_of(request: Request) -> str:
    """Return where the request comes from; behind a proxy that is the proxy."""
    return request.client.host if request.client else ""


def local_path(text: str) -> str:
    """Return the path when it stays within the portal; whatever could lead elsewhere becomes the overview."""
    is_local = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text if is_local and "\\" not in text and not urlsplit(text).netloc else "/"


async def check_password(house: House, request: Request, *, name: str, password: str) -> int:
    """Return the account's id, or raise WrongPassword or TooManyLogins; every failure is counted."""
    name, address, now = name.strip().lower()[:100], address_of(request), house.clock.now()
    ledger = house.ledger
    async with _comparing:
        await ledger.read(partial(refuse_if_too_many, name=name, address=address, now=now))
        kept = await ledger.read(partial(kept_password, name=name))
        right = await asyncio.to_thread(is_right, password[: LONGEST + 1], kept[1] if kept else None)
        if not right or kept is None:
            await ledger.write(partial(note_failure, name=name, address=address, now=now))
            raise WrongPassword("Name and password do not fit together.", fix="Check both; case counts.")
    await ledger.write(partial(_note_entry, name=name, address=address, now=now))
    return kept[0]


def refuse_plain(house: House, request: Request) -> None:
    """Raise NotAllowed when a password would have travelled in clear through a network."""
    came_over = urlsplit(request.headers.get("origin", "")).scheme
    is_far = not is_loopback(request.headers.get("host", ""))
    if is_far and came_over == "http" and not house.settings.plain_http:
        raise NotAllowed(
            "This page came over plain HTTP: anybody on the way could read your password.",
            fix="Put TLS in front (docs/operations.md), open a tunnel to the machine's own 127.0.0.1, "
            "or set LIMPET_PLAIN_HTTP=true on a network you trust.",
        )


async def let_in(house: House, request: Request, account_id: int, *, then: str) -> Response:
    """Open a new session for the account, end the one the browser had, and go on."""
    settings = house.settings
    lives = timedelta(hours=settings.session_hours)
    opening = partial(
        open_session,
        account_id=account_id,
        lives=lives,
        address=address_of(request),
        now=house.clock.now(),
    )
    secret = await house.ledger.write(opening)
    await end_session(house, request)
    response = RedirectResponse(local_path(then), 303)
    is_plain = settings.plain_http or is_loopback(request.headers.get("host", ""))
    give_session(response, secret, secure=not is_plain, seconds=int(lives.total_seconds()))
    return response


async def end_session(house: House, request: Request) -> None:
    """End the session this browser has, if any."""
    old = session_secret(request.headers, allow_plain=house.settings.plain_http)
    if old:
        await house.ledger.write(partial(close_session, secret=old))


async def spend_link(house: House, secret: str) -> int | None:
    """Return the account a one-time link is for; None when it is spent or over."""
    return await house.ledger.write(partial(use_link, secret=secret, now=house.clock.now()))


def _note_entry(connection: Connection, *, name: str, address: str, now: datetime) -> None:
    forget_failures(connection, name=name, address=address)
    details = {"by": "password", "address": address}
    audit(connection, name, "sign_in", subject=f"account {name}", now=now, details=details)
