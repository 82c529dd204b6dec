"""Quarantine under /api/v1: what was set aside, and a person's decision about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from limpet.apps.prices import review
from limpet.apps.prices.review import Correction, find_quarantined, list_quarantined
from limpet.extract.parse.stock import Availability
from limpet.web import deeds
from limpet.web.access.caller import TheCaller, act
from limpet.web.api.bodies import Body, Reasoned, Why
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import ListShape, Shape
from limpet.web.asking import After, Limit, RowNumber, Search
from limpet.web.lookout import TheHouse

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["quarantine"])

Status = Annotated[Literal["open", "accepted", "corrected", "rejected", "superseded"], Query()]


class QuarantinedShape(Shape):
    """A record that waits for a person, or what became of it; its job leads to the evidence."""

    id: int
    job_id: int
    run_id: int
    source_id: str
    identity_key: str | None
    reason: str
    details: str | None
    record: Mapping[str, Any] | None
    url: str
    status: str
    created_at: datetime
    site_id: str | None
    site_version: str | None


class Correct(Body):
    """What the page means; what is left out stays as it was read."""

    reason: Why
    price_cents: int | None = Field(default=None, ge=0, le=10**12, examples=[1999])
    availability: Availability | None = None
    title: str | None = Field(default=None, min_length=1, max_length=500)
    currency: str | None = Field(default=None, pattern=r"^[A-Z]{3}$", examples=["USD"])


@router.get("/quarantine")
async def quarantine(
    house: TheHouse, status: Status = "open", source: Search = None, after: After = 0, limit: Limit = 50
) -> ListShape[QuarantinedShape]:
    """List what waits for a person, or what was decided, newest first."""
    look = partial(list_quarantined, status=status, source_id=source, after=after, limit=limit + 1)
    found = await house.ledger.read(look)
    shown = [QuarantinedShape.model_validate(each) for each in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/quarantine/{record_id}")
async def record(house: TheHouse, record_id: RowNumber) -> QuarantinedShape:
    """Return one record as it was read."""
    found = await house.ledger.read(partial(find_quarantined, record_id=record_id))
    return QuarantinedShape.model_validate(found)


@router.post("/quarantine/{record_id}/accept")
async def accept(
    house: TheHouse, caller: TheCaller, record_id: RowNumber, body: Reasoned
) -> QuarantinedShape:
    """Believe it as it was read; a rule may still object."""
    await deeds.accept_quarantined(house, caller, record_id, reason=body.reason)
    return await record(house, record_id)


@router.post("/quarantine/{record_id}/correct")
async def correct(
    house: TheHouse, caller: TheCaller, record_id: RowNumber, body: Correct
) -> QuarantinedShape:
    """Write what the page means instead; it is marked as reviewed."""
    meant = Correction(body.price_cents, body.availability, body.title, body.currency)
    await deeds.accept_quarantined(house, caller, record_id, reason=body.reason, correction=meant)
    return await record(house, record_id)


@router.post("/quarantine/{record_id}/reject")
async def reject(
    house: TheHouse, caller: TheCaller, record_id: RowNumber, body: Reasoned
) -> QuarantinedShape:
    """Leave it out for good; the evidence stays."""
    await act(house, caller, review.reject, record_id=record_id, reason=body.reason)
    return await record(house, record_id)
