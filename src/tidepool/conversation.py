"""One connection, from its first byte to its last."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tidepool.access_log import AccessLog, Visit
from tidepool.faults import Exchange, Rule, Switchboard
from tidepool.site import Request, Response, plain
from tidepool.wire import BadRequest, read_request, response_bytes, settle
from tidepool.world import World

Control = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class House:
    """What every conversation shares."""

    world: World
    faults: Switchboard
    log: AccessLog
    control: Control
    pack: Callable[[bytes], bytes]


class Conversation:
    """Answers the requests of one connection, one after the other."""

    def __init__(
        self, house: House, number: int, *, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._house = house
        self._number = number
        self._reader = reader
        self._writer = writer
        self.owes_an_answer = False

    async def run(self) -> None:
        """Talk until either side hangs up."""
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._one_exchange():
                continue

    async def _one_exchange(self) -> bool:
        self.owes_an_answer = False
        try:
            request = await read_request(self._reader)
        except BadRequest as exc:
            await self._send(Request("GET", "/"), plain("bad request", status=exc.status), keep_alive=False)
            return False
        if request is None:
            return False
        self.owes_an_answer = True
        return await self._answer(request)

    async def _answer(self, request: Request) -> bool:
        site = self._house.world.site_of(request.host)
        if site is None and request.host.startswith("control."):
            return await self._send(request, await self._house.control(request))
        visit = self._house.log.arrive(site or "index", request, connection=self._number)
        try:
            rule = self._house.faults.pick(site, request) if site else None
            return await self._answer_as(rule, request, visit)
        finally:
            self._house.log.leave(visit)

    async def _answer_as(self, rule: Rule | None, request: Request, visit: Visit) -> bool:
        if rule is None:
            response: Response | None = await self._house.world.answer(request)
        else:
            visit.fault = rule.behaviour.name
            self.owes_an_answer = False  # a fault may never end: it is not waited for when the server stops
            response = await rule.behaviour.act(self._exchange(rule, request, visit))
        if response is None:
            return False
        return await self._send(request, settle(request, response, pack=self._house.pack), visit=visit)

    def _exchange(self, rule: Rule, request: Request, visit: Visit) -> Exchange:
        return Exchange(
            request,
            visit,
            reader=self._reader,
            writer=self._writer,
            honestly=lambda: self._house.world.answer(request),
            options=rule.options,
        )

    async def _send(
        self, request: Request, response: Response, *, keep_alive: bool = True, visit: Visit | None = None
    ) -> bool:
        keep_alive = keep_alive and request.headers.get("connection", "").lower() != "close"
        head, body = response_bytes(request, response, keep_alive=keep_alive)
        if visit:
            visit.status, visit.bytes_sent = response.status, len(head) + len(body)
        self._writer.writelines((head, body))
        await self._writer.drain()
        return keep_alive
