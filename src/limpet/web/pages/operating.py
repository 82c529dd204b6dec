"""Deeds of the pages: runs started, tried again and called off; sources switched; the emergency stop."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.record.access.halting import halts_in_force
from limpet.source.switch import EVERYTHING
from limpet.web import deeds
from limpet.web.access.caller import TheAdmin
from limpet.web.acting import Acting, back_to
from limpet.web.asking import RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render
from limpet.web.words import in_path

router = APIRouter(include_in_schema=False)


@router.post("/sources/{source_id}/run")
async def run_now(action: Acting, source_id: str) -> Response:
    """Start a run over the source's targets and show it."""
    source = action.house.catalogue.get(source_id)
    run = await deeds.start_run(action.house, action.caller, app=source.app, source_id=source.id)
    return RedirectResponse(f"/runs/{run.id}", 303)


@router.post("/sources/{source_id}/enable")
async def enable(action: Acting, source_id: str) -> Response:
    """Switch the source on again."""
    await deeds.switch_source(action.house, action.caller, source_id, on=True, reason=action.reason)
    return back_to(f"/sources/{in_path(source_id)}", "enabled")


@router.post("/sources/{source_id}/disable")
async def disable(action: Acting, source_id: str) -> Response:
    """Switch the source off."""
    await deeds.switch_source(action.house, action.caller, source_id, on=False, reason=action.reason)
    return back_to(f"/sources/{in_path(source_id)}", "disabled")


@router.post("/runs/{run_id}/retry")
async def retry(action: Acting, run_id: RowNumber) -> Response:
    """Try again whatever ended in trouble, in a run of its own, and show that."""
    run = await deeds.retry_run(action.house, action.caller, run_id)
    return RedirectResponse(f"/runs/{run.id}", 303)


@router.post("/runs/{run_id}/cancel")
async def cancel(action: Acting, run_id: RowNumber) -> Response:
    """Call the rest of the run off."""
    await deeds.call_off(action.house, action.caller, run_id, reason=action.reason)
    return back_to(f"/runs/{run_id}", "cancelled")


@router.get("/stop")
async def stop_page(request: Request, house: TheHouse) -> Response:
    """Show what is stopped, and the lever."""
    scopes = [EVERYTHING, *sorted(house.apps)]
    context = {
        "halts": await house.ledger.read(halts_in_force),
        "scopes": scopes,
        "words": {scope: deeds.stop_words(scope) for scope in scopes},
    }
    return render(request, "stop.html", context)


@router.post("/stop")
async def stop(action: Acting, caller: TheAdmin) -> Response:
    """Pull it."""
    confirm, reason = action.field("confirm"), action.reason
    await deeds.stop_now(action.house, caller, action.field("scope"), confirm=confirm, reason=reason)
    return back_to("/stop", "stopped")


@router.post("/stop/release")
async def release(action: Acting, caller: TheAdmin) -> Response:
    """Let it go on."""
    await deeds.release_stop(action.house, caller, action.field("scope"), reason=action.reason)
    return back_to("/stop", "released")
