"""A change must come from a page of ours: the browser says from where, and the page says what only it can know."""

from __future__ import annotations

import hmac
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request

from limpet.web.access.caller import caller_of
from limpet.web.access.errors import NotAllowed
from limpet.web.access.public import is_public

READING = frozenset({"GET", "HEAD"})
FIELD = "csrf"
_HEADER = "x-csrf-token"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_FIX = "Open the page anew and try again."


def came_from_elsewhere(headers: Headers) -> bool:
    """Whether the browser itself says that another site's page made this request."""
    fetched_from = headers.get("sec-fetch-site")
    if fetched_from is not None:
        return fetched_from not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()


async def refuse_forgery(request: Request) -> None:
    """Raise NotAllowed unless a change asked for by cookie carries the token of its session."""
    caller = caller_of(request)
    if request.method in READING or caller is None or caller.via != "session":
        return
    if is_public(request.scope["path"]):
        return  # what needs no session cannot abuse one
    said = request.headers.get(_HEADER) or await _field(request)
    if not hmac.compare_digest(said.encode(), caller.forgery_token.encode()):
        raise NotAllowed("This request does not come from a page of this portal.", fix=_FIX)


async def _field(request: Request) -> str:
    if not request.headers.get("content-type", "").startswith(_FORMS):
        return ""
    if request.headers["content-type"].startswith(_FORMS[0]):
        with suppress(RuntimeError):  # a handler with form fields has had it read already
            await request.body()  # kept, so that one without may read the stream once more
    said = (await request.form()).get(FIELD)
    return said if isinstance(said, str) else ""
