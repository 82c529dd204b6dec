"""The house under /api/v1: the audit log, settings in force, how politely we behaved, the emergency stop."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from limpet.errors import NotThere
from limpet.record.access.halting import halts_in_force
from limpet.record.logbook import list_audit
from limpet.record.storable import storable
from limpet.web import deeds
from limpet.web.access.caller import TheAdmin
from limpet.web.api.bodies import Body, Done, Why
from limpet.web.api.operating_shapes import AuditShape, SettingShape
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import ListShape, Shape
from limpet.web.asking import After, Limit, Search
from limpet.web.lookout import TheHouse, TheLookout
from limpet.web.pages.records import effective

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["house"])

Days = Annotated[int, Query(ge=1, le=3_650, description="How far to look back.")]


class Stop(Body):
    """What is stopped, and the words that mean it."""

    scope: str = Field(max_length=100, examples=["everything"])
    confirm: str = Field(max_length=200, examples=["STOP everything"])
    reason: Why


class Release(Body):
    """What is released."""

    scope: str = Field(max_length=100, examples=["everything"])
    reason: Why


class HaltShape(Shape):
    """An emergency stop in force."""

    id: str = Field(description="What is stopped: everything, or an app.", examples=["everything"])
    details: str = Field(description="Why it was pulled.", examples=["a site complained"])
    at: datetime
    by: str


class PolitenessShape(Shape):
    """How one registrable domain was treated."""

    domain: str
    requests: int
    first_at: datetime | None
    last_at: datetime | None
    smallest_gap_seconds: float | None
    highest_concurrency: int
    outcomes: dict[str, int]
    retry_after_asked: int
    retry_after_honoured: int
    retry_after_violated: int
    complete_since: datetime | None = Field(
        description="The retention rule may have removed older requests; null: all of the period are here."
    )


@router.get("/audit")
async def audit(
    house: TheHouse, after: After = 0, limit: Limit = 100, actor: Search = None, search: Search = None
) -> ListShape[AuditShape]:
    """List who did what to what and why, newest first."""
    look = partial(list_audit, before=after or None, limit=limit + 1, actor=actor, text=search)
    found = await house.ledger.read(look)
    shown = [AuditShape.model_validate(each) for each in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/settings")
async def settings(house: TheHouse) -> list[SettingShape]:
    """Return how this process was told to behave; secrets are masked."""
    return [SettingShape(**each) for each in effective(house.settings)]


@router.get("/politeness")
async def politeness(lookout: TheLookout, days: Days = 1) -> ListShape[PolitenessShape]:
    """Account for every request, per registrable domain."""
    domains = await lookout.manners(days)
    return ListShape(
        items=[PolitenessShape.model_validate(each) for each in domains if each.domain], next=None
    )


@router.get("/politeness/{domain}")
async def politeness_of(house: TheHouse, domain: str, days: Days = 1) -> ListShape[PolitenessShape]:
    """Account for every request to one registrable domain."""
    since = house.clock.now() - timedelta(days=days)
    found = await house.ledger.politeness(since=since, domain=storable(domain))
    if not found:
        raise NotThere(
            "Nothing was asked of this domain in these days.", fix="Look further back with days=30."
        )
    return ListShape(items=[PolitenessShape.model_validate(each) for each in found], next=None)


@router.get("/stop")
async def stops(house: TheHouse) -> ListShape[HaltShape]:
    """List the emergency stops in force."""
    found = await house.ledger.read(halts_in_force)
    return ListShape(items=[HaltShape.model_validate(each) for each in found], next=None)


@router.post("/stop")
async def stop(house: TheHouse, caller: TheAdmin, body: Stop) -> Done:
    """Pull the emergency stop: nothing more is asked of any site concerned. For admins."""
    await deeds.stop_now(house, caller, body.scope, confirm=body.confirm, reason=body.reason)
    return Done()


@router.post("/stop/release")
async def release(house: TheHouse, caller: TheAdmin, body: Release) -> Done:
    """Release it. For admins."""
    await deeds.release_stop(house, caller, body.scope, reason=body.reason)
    return Done()
