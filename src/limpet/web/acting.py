"""Acting from the portal: a form of ours, sent by the page it stands on, in somebody's name and with a reason.

Nobody is asked who they are yet, so a portal that others can reach may only be read: whoever sits at this machine acts.
"""

from __future__ import annotations

import getpass
import hmac
import ipaddress
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeVar
from urllib.parse import urlsplit

from fastapi import Depends
from sqlalchemy import Connection
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.assembly import House
from limpet.errors import UsageError

T = TypeVar("T")
MOST_BYTES = 2 * 1024 * 1024  # a table of some ten thousand addresses
FORM = "application/x-www-form-urlencoded"
# What a page may say after an action; a closed list, so that no link can put words into our mouth.
DONE = {
    "acknowledged": "It is yours now.",
    "resolved": "It is resolved.",
    "enabled": "It is switched on again.",
    "disabled": "It is switched off.",
    "accepted": "The record was accepted and written as a price.",
    "corrected": "The corrected record was written as a price.",
    "rejected": "The record was rejected; its evidence stays.",
    "correction": "The correction is in force.",
    "revoked": "It was taken off again.",
    "trusted": "What consumers may see of this source was changed.",
    "changed": "The targets were changed.",
    "deleted": "The targets were deleted.",
}


@dataclass(frozen=True, slots=True)
class Action:
    """A form that was sent, and who sent it."""

    house: House
    fields: Mapping[str, str]
    ids: tuple[int, ...] = ()

    @property
    def by(self) -> str:
        """In whose name it happens."""
        return f"{getpass.getuser()} (portal)"

    @property
    def now(self) -> datetime:
        return self.house.clock.now()

    def field(self, name: str) -> str:
        """Return what was written there, without the space around it."""
        return self.fields.get(name, "").strip()

    @property
    def reason(self) -> str:
        """Return why; every action has to say it."""
        said = self.field("reason")
        if not said:
            raise UsageError("Say why: every change is kept with its reason.", fix="Go back and fill it in.")
        return said

    def write(self, act: Callable[[Connection], T]) -> Awaitable[T]:
        """Do it in one transaction."""
        return self.house.ledger.write(act)


def objection_to_acting(headers: Headers, host: str) -> str | None:
    """Return why this request may not change anything, or None: the doorkeeper asks before anybody else."""
    if not is_loopback(host):
        return "This portal can be reached by others, so it can only be read; act with the command line."
    origin = headers.get("origin", "")
    if urlsplit(origin).netloc != headers.get("host", "") or not origin.startswith(("http://", "https://")):
        return "Only a form of this portal can change something."
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return "Only a form of this portal can change something."
    if headers.get("content-type", "").partition(";")[0].strip() != FORM:
        return "Only a form of this portal can change something."
    length = headers.get("content-length", "")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        return f"A form may hold {MOST_BYTES // 1024:,} KiB and must say how long it is."
    return None


def objection_to_a_program(headers: Headers, host: str) -> str | None:
    """Return why this call may not start anything, or None: a program on this machine may, a foreign page may not."""
    if not is_loopback(host):
        return "This portal can be reached by others, so it can only be read; act with the command line."
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host", ""):
        return "Another site asked for this in your name."
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return "Another site asked for this in your name."
    return None


def is_loopback(host: str) -> bool:
    """Whether the portal listens to this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _action(request: Request) -> Action:
    form = await request.form()
    sent = str(form.get("token", ""))
    if not hmac.compare_digest(sent.encode(), str(request.app.state.form_token).encode()):
        raise UsageError(
            "This form is from before the last start.", fix="Open the page again and send it anew."
        )
    fields = {name: str(value) for name, value in form.items() if isinstance(value, str)}
    ids = [str(value) for value in form.getlist("id") if str(value).isdecimal() and len(str(value)) < 19]
    return Action(request.app.state.house, fields, tuple(int(each) for each in ids))


def back_to(path: str, done: str) -> Response:
    """Return to a page of ours, which then says what was done."""
    assert done in DONE
    return RedirectResponse(f"{path}{'&' if '?' in path else '?'}done={done}", 303)


Acting = Annotated[Action, Depends(_action)]
