"""Alerts: what asks for a person, with its evidence, and the person's answer."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.record.alert_deliveries import deliveries_of
from limpet.record.alerts import acknowledge, events_of, find_alert, list_alerts, resolve
from limpet.web.acting import Acting, back_to
from limpet.web.asking import After, RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render
from limpet.web.repairing import breakage_of

router = APIRouter(include_in_schema=False)

_HISTORY_A_PAGE = 40


@router.get("/alerts")
async def alerts(request: Request, house: TheHouse, before: After = 0) -> Response:
    """List what is open, most urgent first, and what was resolved."""
    await house.alerts.heed()
    look = partial(list_alerts, is_alive=False, limit=_HISTORY_A_PAGE + 1, before=before or None)
    history = await house.ledger.read(look)
    context = {
        "alive": await house.ledger.alerts(),
        "history": history[:_HISTORY_A_PAGE],
        "has_more": len(history) > _HISTORY_A_PAGE,
        "before": before,
        "destinations": [each.label for each in house.alerts.audience.destinations],
    }
    return render(request, "alerts.html", context)


@router.get("/alerts/{alert_id}")
async def alert(request: Request, house: TheHouse, alert_id: RowNumber) -> Response:
    """Show one alert: what happened, what to do, the evidence, and who was told."""
    found = await house.ledger.read(partial(find_alert, alert_id=alert_id))
    adapter_id = str(found.evidence.get("adapter_id") or "")
    context = {
        "alert": found,
        "breakage": await breakage_of(house, await house.ledger.adapter_status(adapter_id))
        if adapter_id
        else None,
        "events": await house.ledger.read(partial(events_of, alert_id=alert_id)),
        "deliveries": await house.ledger.read(partial(deliveries_of, alert_id=alert_id)),
    }
    return render(request, "alert.html", context)


@router.post("/alerts/{alert_id}/acknowledge")
async def take(action: Acting, alert_id: RowNumber) -> Response:
    """Say that somebody looks after it."""
    note = action.field("reason")
    await action.write(partial(acknowledge, alert_id=alert_id, by=action.by, note=note, now=action.now))
    return back_to(f"/alerts/{alert_id}", "acknowledged")


@router.post("/alerts/{alert_id}/resolve")
async def close(action: Acting, alert_id: RowNumber) -> Response:
    """Close it."""
    await action.write(partial(resolve, alert_id=alert_id, by=action.by, note=action.reason, now=action.now))
    return back_to(f"/alerts/{alert_id}", "resolved")
