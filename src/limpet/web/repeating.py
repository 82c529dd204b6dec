"""Answers that can be asked for twice: an ETag on what is read, an idempotency key on what is done."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from limpet.assembly import House
from limpet.errors import LimpetError
from limpet.record.access.tables import idempotency_keys as kept
from limpet.web.access.caller import caller_of
from limpet.web.access.errors import KeyReused
from limpet.web.problems import answer_to

_KEPT_FOR = timedelta(days=1)
_LONGEST_KEY = 200
_WORTH_KEEPING = ("content-type", "location")
# In the place of a fingerprint: the answer held a secret, and is not to be had again.
_TOLD_ONCE = "told once"


class Repeating:
    """ASGI middleware for the API: the same question costs nothing, the same request is done once."""

    def __init__(self, app: ASGIApp, *, house: House) -> None:
        self._app = app
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["path"].startswith("/api/v1/"):
            await self._app(scope, receive, send)
        elif scope["method"] == "GET":
            await self._app(scope, receive, _Tagged(Headers(scope=scope), send))
        elif scope["method"] == "POST" and Headers(scope=scope).get("idempotency-key"):
            await self._once(Request(scope, receive), send)
        else:
            await self._app(scope, receive, send)

    async def _once(self, request: Request, send: Send) -> None:
        body = await request.body()
        try:
            name, print_of_it = self._name(request), _fingerprint(request, body)
            earlier = await self._house.ledger.write(
                partial(_claim, name=name, fingerprint=print_of_it, now=self._house.clock.now())
            )
        except LimpetError as refusal:
            await answer_to(request, refusal)(request.scope, request.receive, send)
            return
        if earlier is not None:
            await earlier(request.scope, request.receive, send)
            return
        await self._do(request.scope, body, name, send)

    async def _do(self, scope: Scope, body: bytes, name: tuple[str, str], send: Send) -> None:
        answer = _Overheard(send)
        try:
            await self._app(scope, _again(body), answer)
        finally:
            # What failed on our side may be tried again with the same key.
            keep = (
                partial(_keep, name=name, answer=answer)
                if answer.is_worth_keeping
                else partial(_free, name=name)
            )
            await self._house.ledger.write(keep)

    def _name(self, request: Request) -> tuple[str, str]:
        key = request.headers["idempotency-key"]
        if len(key) > _LONGEST_KEY or not key.isprintable():
            raise KeyReused("An idempotency key has 1 to 200 printable characters.", fix="Take a UUID.")
        caller = caller_of(request)
        return (caller.name if caller is not None else "", key)


class _Tagged:
    """Gives a small answer its ETag, and leaves the body out for whoever has it already."""

    def __init__(self, asked: Headers, send: Send) -> None:
        self._known = asked.get("if-none-match", "")
        self._send = send
        self._start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            self._start = message
            return
        if self._start is not None:
            start, self._start = self._start, None
            if not message.get("more_body"):
                message = self._tag(start, message)
            await self._send(start)
        await self._send(message)

    def _tag(self, start: Message, message: Message) -> Message:
        headers = MutableHeaders(scope=start)
        tag = f'W/"{hashlib.sha256(message.get("body", b"")).hexdigest()[:24]}"'
        headers["etag"] = tag
        if tag not in self._known:
            return message
        start["status"] = 304
        del headers["content-length"]
        return {**message, "body": b""}


class _Overheard:
    """Passes an answer on and remembers it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.is_secret = False

    @property
    def is_worth_keeping(self) -> bool:
        return 200 <= self.status < 500 and self.status not in (409, 429)

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            self.headers = {name: headers[name] for name in _WORTH_KEEPING if name in headers}
            self.is_secret = "no-store" in headers.get("cache-control", "")
        else:
            self.body += message.get("body", b"")
        await self._send(message)


def _fingerprint(request: Request, body: bytes) -> str:
    said = f"{request.method} {request.scope['path']}?{request.url.query}\n".encode()
    return hashlib.sha256(said + body).hexdigest()


def _again(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _claim(
    connection: Connection, name: tuple[str, str], *, fingerprint: str, now: datetime
) -> Response | None:
    """Take the key for ourselves and return None, or return what was answered to it."""
    connection.execute(delete(kept).where(kept.c.created_at < now - _KEPT_FOR))
    row = connection.execute(
        select(kept).where(kept.c.caller == name[0], kept.c.key == name[1])
    ).one_or_none()
    if row is None:
        values = {"caller": name[0], "key": name[1], "fingerprint": fingerprint, "created_at": now}
        try:
            with connection.begin_nested():
                connection.execute(insert(kept).values(values))
        except IntegrityError as taken:
            raise KeyReused("The same request is under way.", fix="Wait for its answer.") from taken
        return None
    if row.fingerprint == _TOLD_ONCE:
        raise KeyReused("This was done; its answer held a secret and was not kept.", fix="Take a new key.")
    if row.fingerprint != fingerprint:
        raise KeyReused("This key stands for another request.", fix="Take a new key for a new request.")
    if row.status is None:
        raise KeyReused("The same request is under way.", fix="Wait for its answer.")
    return Response(row.body, row.status, headers=row.headers | {"idempotency-replayed": "true"})


def _keep(connection: Connection, *, name: tuple[str, str], answer: _Overheard) -> None:
    mine = update(kept).where(kept.c.caller == name[0], kept.c.key == name[1])
    if answer.is_secret:
        connection.execute(mine.values(status=answer.status, fingerprint=_TOLD_ONCE))
        return
    connection.execute(mine.values(status=answer.status, headers=answer.headers, body=answer.body))


def _free(connection: Connection, *, name: tuple[str, str]) -> None:
    connection.execute(delete(kept).where(kept.c.caller == name[0], kept.c.key == name[1]))
