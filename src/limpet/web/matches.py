"""Matches for programs: lists, snapshots, balls, a stream of what changes, and how the monitor is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Header, Path, Query
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from limpet.apps.matches.care_log import give_order
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.orders import RECYCLE
from limpet.apps.matches.monitor.watching import MatchMonitor
from limpet.apps.matches.overs import overs_of
from limpet.apps.matches.stream import deltas
from limpet.apps.matches.window import MatchView, MatchWindow, ordered
from limpet.errors import NotThere
from limpet.record.ledger import Ledger
from limpet.web.access.caller import TheCaller
from limpet.web.asking import LARGEST_ID, Limit
from limpet.web.lookout import TheHouse
from limpet.web.problems import refuse
from limpet.web.rendering import render

router = APIRouter(tags=["matches"])

_SIGN_OF_LIFE_EVERY = 15  # seconds without news; proxies and browsers give up on a silent stream
_MOST_LISTENERS = 200
_OVERS_SHOWN = 12
MatchId = Annotated[str, Path(max_length=200, description="Our id, a source's id, or its bare key.")]


async def _window(house: TheHouse) -> MatchWindow:
    return MatchWindow(house.ledger, house.monitor)


TheWindow = Annotated[MatchWindow, Depends(_window)]


@router.get("/matches", response_model=dict[str, Any])
async def matches(
    request: Request,
    window: TheWindow,
    state: Annotated[MatchState | None, Query()] = None,
    after: Annotated[str, Query(max_length=200)] = "",
    limit: Limit = 500,
) -> Any:
    """List matches, each with its score and the age of its data; a browser is shown a page."""
    found = await window.matches(state=state.value if state else None, after=after, limit=limit)
    if _wants_page(request):
        summary = await window.summary()
        context = {"views": ordered(found), "summary": summary, "is_watching": window.monitor.is_watching}
        return render(request, "matches.html", context)
    following = found[-1].line.match_id if len(found) == limit else None
    return {"items": [view.to_dict() for view in found], "next": following}


@router.get("/matches/{match_id}", response_model=dict[str, Any])
async def match(request: Request, window: TheWindow, match_id: MatchId) -> Any:
    """Return one match: its last good snapshot with provenance, scorecards, and how each source shows it."""
    details = await window.details(match_id)
    if _wants_page(request):
        overs = overs_of(await window.balls(match_id))
        shown = {"match": details, "overs": overs[:_OVERS_SHOWN], "are_cut": len(overs) > _OVERS_SHOWN}
        return render(request, "match.html", shown)
    return details


@router.get("/matches/{match_id}/balls", response_model=dict[str, Any])
async def balls(
    window: TheWindow,
    match_id: MatchId,
    innings: Annotated[int | None, Query(ge=1, le=20)] = None,
    history: Annotated[bool, Query(description="Every version, corrected and withdrawn ones too.")] = False,
) -> dict[str, Any]:
    """Return every ball in the order of play."""
    return {"items": await window.balls(match_id, innings=innings, history=history)}


@router.get("/matches/{match_id}/stream", response_class=StreamingResponse)
async def stream(  # noqa: PLR0917 - what a listener may say, each by its name
    request: Request,
    house: TheHouse,
    window: TheWindow,
    match_id: MatchId,
    last_event_id: Annotated[str | None, Header(max_length=32)] = None,
    after: Annotated[int | None, Query(ge=0, le=LARGEST_ID)] = None,
) -> Response:
    """Tell every change as it happens (server-sent events); Last-Event-ID goes on after that number."""
    ours = (await window.match(match_id)).line.match_id
    listeners: set[object] = request.app.state.listeners
    if len(listeners) >= _MOST_LISTENERS:
        return refuse(request, 503, "Too many are listening.", headers={"retry-after": "30"})
    begin = int(last_event_id) if last_event_id and last_event_id.isdecimal() else after
    told = _events(house.ledger, house.monitor, ours, begin=begin, closing=request.app.state.closing)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_counted(told, listeners), media_type="text/event-stream", headers=headers)


@router.get("/cricket-data/match-info/{match_id}", response_model=dict[str, Any])
async def match_info(window: TheWindow, match_id: MatchId) -> Response:
    """Return the match in the unified schema; headers and `_metadata` say how fresh it is."""
    view = await window.match(match_id)
    if view.snapshot is None or view.fetched_at is None or view.age_seconds is None:
        raise NotThere(
            f"Nothing has been heard of match {match_id[:80]!r} yet.", fix="Ask again in a moment."
        )
    body = {"matchId": view.line.match_id, **view.payload, "_metadata": _metadata(view)}
    headers = {
        "X-Data-Freshness": view.fetched_at.isoformat().replace("+00:00", "Z"),
        "X-Data-Age-Seconds": str(int(view.age_seconds)),
    }
    return JSONResponse(body, headers=headers)


@router.get("/status", response_model=dict[str, Any])
async def status(window: TheWindow) -> dict[str, Any]:
    """Return the monitor's health summary: grade, freshness, queue, pauses, recoveries."""
    return (await window.summary()).to_dict() | {"is_watching": window.monitor.is_watching}


@router.post("/admin/recycle", status_code=202, response_model=dict[str, Any])
async def recycle(house: TheHouse, caller: TheCaller) -> dict[str, Any]:
    """Order a recovery: the browser is replaced, visits under way are made anew. It is audited."""
    order = partial(
        give_order,
        action=RECYCLE,
        match_id=None,
        by=caller.name,
        reason="POST /admin/recycle",
        now=house.clock.now(),
    )
    number = await house.ledger.write(order)
    return {"accepted": True, "order": number}


def _metadata(view: MatchView) -> dict[str, Any]:
    assert view.snapshot is not None and view.fetched_at is not None and view.age_seconds is not None
    return {
        "scraped_at": view.fetched_at.isoformat().replace("+00:00", "Z"),
        "data_age_seconds": int(view.age_seconds),
        "scraper_id": view.snapshot.scraper_id,
        "source": "scraper",
        "sequence_number": view.snapshot.sequence_number,
        "provenance": dict(view.snapshot.provenance),
    }


async def _events(
    ledger: Ledger, monitor: MatchMonitor, match_id: str, *, begin: int | None, closing: asyncio.Event
) -> AsyncIterator[bytes]:
    silence = 0
    async for told in deltas(ledger, monitor, match_id, after=begin):
        if closing.is_set():
            return
        if told is not None:
            number, change = told
            silence = 0
            kind = "snapshot" if change["_diff_type"] == "initial" else "update"
            yield b"id: %d\nevent: %s\ndata: %s\n\n" % (number, kind.encode(), orjson.dumps(change))
        else:
            silence += 1
            if silence >= _SIGN_OF_LIFE_EVERY:
                silence = 0
                yield b": still here\n\n"


async def _counted(told: AsyncIterator[bytes], listeners: set[object]) -> AsyncIterator[bytes]:
    listener = object()
    listeners.add(listener)
    try:
        yield b"retry: 3000\n\n"
        async for each in told:
            yield each
    finally:
        listeners.discard(listener)


def _wants_page(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")
