"""Adapters: how each stands, its last batches, and its switch."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.engine.page_canary import PAGES, last_flight
from limpet.record.batches import recent_batches
from limpet.record.logbook import AdapterStatus, list_audit
from limpet.record.switching import adapter_statuses
from limpet.source import SwitchReason
from limpet.web import deeds
from limpet.web.acting import Acting, back_to
from limpet.web.drift_chart import draw_drift
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render
from limpet.web.repairing import breakage_of
from limpet.web.words import in_path

router = APIRouter(include_in_schema=False)

_BATCHES_SHOWN = 30


@router.get("/adapters")
async def adapters(request: Request, house: TheHouse) -> Response:
    """List every adapter there is code for, or the ledger has an opinion of."""
    known = {status.adapter_id: status for status in await house.ledger.read(adapter_statuses)}
    used = {source.site for source in house.catalogue.list()}
    names = sorted({*known, *used})
    context = {
        "statuses": [known.get(name) or AdapterStatus(name) for name in names],
        "versions": {name: house.sites.get(name).version for name in names if name in house.sites.list()},
        "sources": {name: [s.id for s in house.catalogue.list() if s.site == name] for name in names},
        "unused": sorted(set(house.sites.list()) - set(names)),
    }
    return render(request, "adapters.html", context)


@router.get("/adapters/{adapter_id}")
async def adapter(request: Request, house: TheHouse, adapter_id: str) -> Response:
    """Show one adapter: its switch, what is usual for it, how its batches went, and who switched it."""
    status = await house.ledger.adapter_status(adapter_id)
    if adapter_id not in house.sites.list():
        house.sites.get(adapter_id)  # says which name was probably meant
    batches = await house.ledger.read(partial(recent_batches, adapter_id=adapter_id, limit=_BATCHES_SHOWN))
    context = {
        "status": status,
        "breakage": await breakage_of(house, status),
        "site": house.sites.get(adapter_id),
        "sources": [source for source in house.catalogue.list() if source.site == adapter_id],
        "batches": batches,
        "chart": draw_drift(batches, status.baseline_failure_rate),
        "flight": await house.ledger.read(partial(last_flight, adapter_id=adapter_id)),
        "has_drifted": status.disabled_reason == SwitchReason.DRIFT_DETECTED.value,
        "is_tried": house.app(house.sites.get(adapter_id).app).rereading is not None,
        "audit": await house.ledger.read(partial(list_audit, subject=f"adapter {adapter_id}", limit=20)),
    }
    return render(request, "adapter.html", context)


@router.post("/adapters/{adapter_id}/enable")
async def enable(action: Acting, adapter_id: str) -> Response:
    """Switch it on again once it reads what it failed on; its next run is watched."""
    insists = action.field("force") == "yes"
    await deeds.switch_adapter(
        action.house, action.caller, adapter_id, on=True, reason=action.reason, force=insists
    )
    return back_to(f"/adapters/{in_path(adapter_id)}", "enabled")


@router.post("/adapters/{adapter_id}/canary")
async def canary(action: Acting, adapter_id: str) -> Response:
    """Try it on its newest recorded pages."""
    await deeds.fly_canary(action.house, action.caller, adapter_id, pages=PAGES)
    return back_to(f"/adapters/{in_path(adapter_id)}", "canary")


@router.post("/adapters/{adapter_id}/disable")
async def disable(action: Acting, adapter_id: str) -> Response:
    """Switch it off."""
    await deeds.switch_adapter(action.house, action.caller, adapter_id, on=False, reason=action.reason)
    return back_to(f"/adapters/{in_path(adapter_id)}", "disabled")
