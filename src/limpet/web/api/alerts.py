"""Alerts under /api/v1: what asks for a person, with its evidence; the person's answer; and who is told when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from limpet.record import alerts as alert_book
from limpet.record.alert_deliveries import deliveries_of
from limpet.web.access.caller import TheCaller, act
from limpet.web.api.bodies import Reasoned
from limpet.web.api.operating_shapes import AlertShape
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import ListShape, Shape
from limpet.web.asking import After, Limit, RowNumber
from limpet.web.lookout import TheHouse

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["alerts"])


class EventShape(Shape):
    """Something that happened and was heeded."""

    id: int
    event_type: str
    created_at: datetime
    run_id: int | None
    target_id: int | None
    source_id: str | None
    payload: Mapping[str, Any]


class AlertDetailShape(AlertShape):
    """An alert with what it is made of, and who was told."""

    evidence: Mapping[str, Any]
    events: list[EventShape]
    deliveries: Sequence[Mapping[str, Any]]


class AudienceShape(BaseModel):
    """Who is told of alerts, and when not."""

    destinations: list[str] = Field(
        description="Their kind and a short hash: an address may hold secrets.",
        examples=[["mailto-3f2a9c01"]],
    )
    quiet_hours: str | None = Field(
        description="While these last, only what cannot wait is told.", examples=["22:00-07:00 UTC"]
    )
    is_quiet_now: bool


@router.get("/alerts")
async def alerts(
    house: TheHouse,
    status: Annotated[Literal["alive", "resolved"], Query(description="What is open, or history.")] = "alive",
    after: After = 0,
    limit: Limit = 200,
) -> ListShape[AlertShape]:
    """List what asks for a person, most urgent first; or what was resolved, newest first."""
    await house.alerts.heed()
    is_alive = status == "alive"
    most = limit if is_alive else limit + 1
    look = partial(
        alert_book.list_alerts, is_alive=is_alive, limit=most, before=None if is_alive else after or None
    )
    found = await house.ledger.read(look)
    shown = [AlertShape.model_validate(each) for each in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/alerts/audience")
async def audience(house: TheHouse) -> AudienceShape:
    """Return who is told of alerts, and the hours in which only the gravest are told."""
    told = house.alerts.audience
    return AudienceShape(
        destinations=[each.label for each in told.destinations],
        quiet_hours=house.settings.alert_quiet_hours or None,
        is_quiet_now=told.quiet_hours is not None
        and told.quiet_hours.end_after(house.clock.now()) is not None,
    )


@router.get("/alerts/{alert_id}")
async def alert(house: TheHouse, alert_id: RowNumber) -> AlertDetailShape:
    """Return one alert: what happened, what to do, the evidence, and who was told."""
    found = await house.ledger.read(partial(alert_book.find_alert, alert_id=alert_id))
    events = await house.ledger.read(partial(alert_book.events_of, alert_id=alert_id))
    return AlertDetailShape(
        **AlertShape.model_validate(found).model_dump(),
        evidence=found.evidence,
        events=[EventShape.model_validate(each) for each in events],
        deliveries=await house.ledger.read(partial(deliveries_of, alert_id=alert_id)),
    )


@router.post("/alerts/{alert_id}/acknowledge")
async def acknowledge(house: TheHouse, caller: TheCaller, alert_id: RowNumber, body: Reasoned) -> AlertShape:
    """Say that somebody looks after it."""
    deed = partial(alert_book.acknowledge, alert_id=alert_id, note=body.reason)
    return AlertShape.model_validate(await act(house, caller, deed))


@router.post("/alerts/{alert_id}/resolve")
async def resolve(house: TheHouse, caller: TheCaller, alert_id: RowNumber, body: Reasoned) -> AlertShape:
    """Close it; should the trouble be noticed again, that is a new alert."""
    deed = partial(alert_book.resolve, alert_id=alert_id, note=body.reason)
    return AlertShape.model_validate(await act(house, caller, deed))
