"""What a misbehaviour is: a name, a sentence, its options, and what it does with one exchange."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tidepool.access_log import Visit
from tidepool.site import Request, Response
from tidepool.wire import head_bytes

Option = float | int | str
Act = Callable[["Exchange"], Awaitable[Response | None]]

TABLE: dict[str, Behaviour] = {}


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One named way to misbehave: returns an answer to send, or None if it dealt with the wire itself."""

    name: str
    sentence: str
    act: Act
    options: Mapping[str, Option]
    at: str | None = None  # the one site that can misbehave so; None: every site can
    paths: str | None = None  # a glob over the paths it applies to when nobody named one

    def touches(self, path: str) -> bool:
        """Whether it applies to this path when nobody named one: robots.txt has behaviours of its own."""
        if self.paths is not None:
            return fnmatchcase(path, self.paths)
        return (path == "/robots.txt") == self.name.startswith("robots_")


def behaviour(*, at: str | None = None, paths: str | None = None, **options: Option) -> Callable[[Act], Act]:
    """Enter a function into the table: its name names the behaviour, its docstring explains it."""

    def enter(act: Act) -> Act:
        register(act.__name__, (act.__doc__ or "").strip(), act, at=at, paths=paths, **options)
        return act

    return enter


def register(
    name: str, sentence: str, act: Act, *, at: str | None = None, paths: str | None = None, **options: Option
) -> None:
    """Enter a behaviour into the table."""
    TABLE[name] = Behaviour(name, sentence, act, options, at=at, paths=paths)


class Exchange:
    """One request and the bare wire its answer goes out on."""

    def __init__(
        self,
        request: Request,
        visit: Visit,
        *,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        honestly: Callable[[], Awaitable[Response]],
        options: Mapping[str, Option],
    ) -> None:
        self.request = request
        self.healthy = honestly
        self._visit = visit
        self._reader = reader
        self._writer = writer
        self._options = options

    def number(self, name: str) -> float:
        return float(self._options[name])

    def count(self, name: str) -> int:
        return int(self._options[name])

    def text(self, name: str) -> str:
        return str(self._options[name])

    async def begin(self, status: int, headers: Iterable[tuple[str, str]] = (), *, end: bool = True) -> None:
        """Write a response head exactly as given; without `end` its closing blank line stays out."""
        self._visit.status = status
        head = head_bytes(status, headers)
        await self.send(head if end else head[:-2])

    async def begin_page(self, *headers: tuple[str, str]) -> None:
        """Write the head of an HTML page with status 200 and these further headers."""
        await self.begin(200, (("Content-Type", "text/html; charset=UTF-8"), *headers))

    async def send(self, data: bytes) -> None:
        """Write raw bytes and wait until the visitor has room; raises ConnectionError once he is gone."""
        if self._writer.is_closing():
            raise ConnectionResetError
        self._writer.write(data)
        self._visit.bytes_sent += len(data)
        await self._writer.drain()

    async def send_again_and_again(self, piece: bytes, times: int) -> None:
        """Write the same piece that many times, in gulps big enough not to make the server the bottleneck."""
        per_gulp = max(1, 65536 // len(piece))
        gulp = piece * per_gulp
        for _ in range(times // per_gulp):
            await self.send(gulp)
            await asyncio.sleep(0)  # a visitor who reads fast must not keep the others waiting
        await self.send(piece * (times % per_gulp))

    async def send_forever(self, piece: bytes) -> None:
        """Write the same piece until the visitor leaves."""
        while True:
            await self.send(piece)
            await asyncio.sleep(0)

    async def drip(self, data: bytes, *, seconds: float) -> None:
        """Write byte by byte with a rest after each."""
        for position in range(len(data)):
            await self.send(data[position : position + 1])
            await asyncio.sleep(seconds)

    async def until_visitor_leaves(self) -> None:
        """Say nothing more, hold the line, and return when the other side hangs up."""
        while await self._reader.read(65536):
            continue

    def reset(self) -> None:
        """Drop the connection with a TCP reset instead of an orderly goodbye."""
        linger_not_at_all = struct.pack("ii", 1, 0)
        self._writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, linger_not_at_all
        )
        self._writer.transport.abort()
