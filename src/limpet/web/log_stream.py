"""The log as it is written, to be watched in a browser or with curl."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from limpet.logs import LATEST
from limpet.web.closing import is_set_within
from limpet.web.lookout import TheHouse
from limpet.web.problems import refuse

router = APIRouter(tags=["log"])

_LOOK_EVERY_SECONDS = 0.5
_SIGN_OF_LIFE_EVERY = 10  # looks
_MOST_LISTENERS = 50
_LAST_BYTES = 256 * 1024
_MOST_BYTES_AT_ONCE = 1024 * 1024


@router.get(
    "/logs/stream",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream(
    request: Request,
    house: TheHouse,
    lines: Annotated[int, Query(ge=0, le=1_000, description="How many of the last lines first.")] = 50,
) -> Response:
    """Stream the log as server-sent events, one JSON line each, beginning with the last ones."""
    listeners: set[object] = request.app.state.log_listeners
    if len(listeners) >= _MOST_LISTENERS:
        return refuse(request, 503, "Too many are watching the log.", headers={"retry-after": "30"})
    told = _told(house.settings.logs_dir / LATEST, lines, request.app.state.closing, listeners)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(told, media_type="text/event-stream", headers=headers)


async def _told(path: Path, lines: int, closing: asyncio.Event, listeners: set[object]) -> AsyncIterator[str]:
    listener = object()
    listeners.add(listener)
    try:
        yield "retry: 3000\n\n"
        log = FollowedFile(path)
        for line in (await asyncio.to_thread(log.last))[-lines:] if lines else []:
            yield _event(line)
        silence = 0
        while not await is_set_within(closing, _LOOK_EVERY_SECONDS):
            fresh = await asyncio.to_thread(log.fresh)
            silence = 0 if fresh else silence + 1
            for line in fresh:
                yield _event(line)
            if silence >= _SIGN_OF_LIFE_EVERY:
                silence = 0
                yield ": still here\n\n"
    finally:
        listeners.discard(listener)


class FollowedFile:
    """A file that grows, and may be moved away while it is read; only whole lines are told."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place = 0
        self._identity: tuple[int, int] | None = None
        self._rest = b""

    def last(self) -> list[str]:
        """Return the lines near the end, and remember where that is."""
        return self._read(from_end=_LAST_BYTES)

    def fresh(self) -> list[str]:
        """Return the lines written since."""
        return self._read()

    def _read(self, *, from_end: int | None = None) -> list[str]:
        try:
            with self._path.open("rb") as file:
                return self._lines(file, from_end)
        except OSError:
            return []

    def _lines(self, file: io.BufferedReader, from_end: int | None) -> list[str]:
        size, identity = file.seek(0, io.SEEK_END), _identity(self._path)
        if identity != self._identity or size < self._place:
            self._identity, self._place, self._rest = identity, 0, b""
        if from_end is not None:
            self._place = max(0, size - from_end)
        file.seek(self._place)
        data = file.read(_MOST_BYTES_AT_ONCE)
        is_cut = from_end is not None and self._place > 0
        self._place += len(data)
        *whole, self._rest = (self._rest + data).split(b"\n")
        return [line.decode("utf-8", "replace") for line in whole[1 if is_cut else 0 :] if line]


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _event(line: str) -> str:
    return f"event: log\ndata: {line.replace(chr(13), ' ')}\n\n"
