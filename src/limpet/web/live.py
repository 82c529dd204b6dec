"""News as it happens: a stream that says only that something changed; the page then asks what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from limpet.errors import LimpetError
from limpet.web.closing import is_set_within
from limpet.web.lookout import Lookout, TheLookout
from limpet.web.problems import refuse

router = APIRouter(include_in_schema=False)

_LOOK_EVERY_SECONDS = 1.0
_SIGN_OF_LIFE_EVERY = 15  # looks; proxies and browsers give up on a silent stream
_MOST_LISTENERS = 200


@router.get("/live")
async def live(request: Request, lookout: TheLookout) -> Response:
    """Tell the listener about every change until it leaves, or we do."""
    listeners: set[object] = request.app.state.listeners
    if len(listeners) >= _MOST_LISTENERS:
        return refuse(request, 503, "Too many pages are listening.", headers={"retry-after": "30"})
    news = _news(lookout, request.app.state.closing, listeners)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(news, media_type="text/event-stream", headers=headers)


async def _news(lookout: Lookout, closing: asyncio.Event, listeners: set[object]) -> AsyncIterator[str]:
    listener = object()
    listeners.add(listener)
    try:
        yield "retry: 3000\nevent: hello\ndata: listening\n\n"
        async for change in _changes(lookout, closing):
            yield change
    finally:
        listeners.discard(listener)


async def _changes(lookout: Lookout, closing: asyncio.Event) -> AsyncIterator[str]:
    last, silence, number = await lookout.pulse(), 0, 0
    while not await is_set_within(closing, _LOOK_EVERY_SECONDS):
        silence += 1
        try:
            pulse = await lookout.pulse()
        except LimpetError:
            continue  # a busy ledger has news later
        if pulse != last:
            last, silence, number = pulse, 0, number + 1
            yield f"event: change\ndata: {number}\n\n"
        elif silence >= _SIGN_OF_LIFE_EVERY:
            silence = 0
            yield ": still here\n\n"
