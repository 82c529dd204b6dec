"""Corrections under /api/v1: what lies over prices, what one would change, ignored runs, and who is visible."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import AwareDatetime, BaseModel, Field, model_validator

from limpet.apps.prices import overlays
from limpet.apps.prices.overlay_views import effect_of, list_corrections, list_ignored_runs, list_trust
from limpet.web.access.caller import TheCaller, act
from limpet.web.api.bodies import Body, Done, Reasoned, Why
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import ListShape, Shape
from limpet.web.asking import Limit, RowNumber
from limpet.web.lookout import TheHouse

router = APIRouter(prefix="/api/v1/prices", responses=PROBLEMS, tags=["prices"])

_EVER = datetime(1970, 1, 1, tzinfo=UTC)
Moment = Annotated[AwareDatetime, Field(examples=["2026-01-31T12:00:00Z"])]


class Correction(Body):
    """What is laid over which prices, from when until when."""

    action: Literal["IGNORE", "MULTIPLIER"]
    scope: overlays.Scope
    scope_id: str = Field(min_length=1, max_length=500, examples=["shop"])
    factor: str | None = Field(
        default=None, max_length=30, description="For MULTIPLIER: a positive decimal.", examples=["0.01"]
    )
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    reason: Why

    model_config = Body.model_config | {
        "json_schema_extra": {
            "examples": [
                {
                    "action": "MULTIPLIER",
                    "scope": "source",
                    "scope_id": "shop",
                    "factor": "0.01",
                    "reason": "cents were read as dollars",
                }
            ]
        }
    }

    @model_validator(mode="after")
    def _factor_fits(self) -> Correction:
        if (self.action == "MULTIPLIER") != (self.factor is not None):
            raise ValueError("MULTIPLIER needs a factor, and IGNORE takes none")
        return self

    def meant(self) -> overlays.Correction:
        """Return it as the prices know it."""
        return overlays.Correction(
            action=self.action,
            scope=self.scope,
            scope_id=self.scope_id,
            starts_at=(self.starts_at or _EVER).astimezone(UTC),
            ends_at=self.ends_at.astimezone(UTC) if self.ends_at else None,
            reason=self.reason,
            factor_millionths=overlays.factor_from(self.factor) if self.factor is not None else None,
        )


class Trust(Body):
    """Whether consumers may see a source's prices, and whether its UPCs are believed."""

    source: str = Field(max_length=200, examples=["shop"])
    visible: bool
    upc_trusted: bool = False
    reason: Why


class DifferenceShape(Shape):
    """One product whose current price would change; null means that nothing of it is seen."""

    source_id: str
    identity_key: str
    title: str
    currency: str
    before_cents: int | None
    after_cents: int | None


class EffectShape(Shape):
    """What a correction would change among today's prices."""

    changed: int
    hidden: int
    examples: list[DifferenceShape]


class CorrectionShape(BaseModel):
    """A correction, in force or revoked."""

    id: int
    action: str
    factor_millionths: int | None
    scope: str
    scope_id: str
    starts_at: datetime
    ends_at: datetime | None
    reason: str
    created_by: str
    created_at: datetime
    revoked_at: datetime | None
    revoked_by: str | None


class IgnoredRunShape(BaseModel):
    """A run whose prices are hidden, or were."""

    run_id: int
    reason: str
    ignored_by: str
    ignored_at: datetime
    revoked_at: datetime | None
    revoked_by: str | None


class TrustShape(BaseModel):
    """What consumers may see of a source; one that is not listed is hidden."""

    source_id: str
    visibility_status: str
    upc_trusted: bool
    updated_at: datetime


@router.get("/corrections")
async def corrections(house: TheHouse, limit: Limit = 200) -> ListShape[CorrectionShape]:
    """List corrections, newest first, also those taken off again."""
    found = await house.ledger.read(partial(list_corrections, limit=limit))
    return ListShape(items=[CorrectionShape(**each) for each in found], next=None)


@router.post("/corrections/preview")
async def preview(house: TheHouse, caller: TheCaller, body: Correction) -> EffectShape:
    """Return what a correction would change; nothing is."""
    look = partial(effect_of, correction=body.meant(), now=house.clock.now())
    return EffectShape.model_validate(await house.ledger.write(look))


@router.post("/corrections", status_code=201)
async def apply(house: TheHouse, caller: TheCaller, body: Correction) -> CorrectionShape:
    """Lay it over the prices; the prices themselves are not touched."""
    number = await act(house, caller, overlays.correct, correction=body.meant())
    found = await house.ledger.read(list_corrections)
    return CorrectionShape(**next(each for each in found if each["id"] == number))


@router.post("/corrections/{correction_id}/revoke")
async def revoke(house: TheHouse, caller: TheCaller, correction_id: RowNumber, body: Reasoned) -> Done:
    """Take a correction off again; that it was there stays known."""
    await act(house, caller, overlays.revoke, correction_id=correction_id, reason=body.reason)
    return Done()


@router.get("/ignored-runs")
async def ignored_runs(house: TheHouse, limit: Limit = 200) -> ListShape[IgnoredRunShape]:
    """List runs whose prices are hidden, newest first, also those heeded again."""
    found = await house.ledger.read(partial(list_ignored_runs, limit=limit))
    return ListShape(items=[IgnoredRunShape(**each) for each in found], next=None)


@router.post("/corrections/runs/{run_id}/{word}")
async def about_run(
    house: TheHouse, caller: TheCaller, run_id: RowNumber, word: Literal["ignore", "heed"], body: Reasoned
) -> Done:
    """Hide every price of a run, or show them again."""
    deed = overlays.ignore_run if word == "ignore" else overlays.heed_run
    await act(house, caller, deed, run_id=run_id, reason=body.reason)
    return Done()


@router.get("/trust")
async def trusted(house: TheHouse) -> ListShape[TrustShape]:
    """List what consumers may see, by source."""
    found = await house.ledger.read(list_trust)
    return ListShape(items=[TrustShape(**each) for each in found.values()], next=None)


@router.post("/corrections/trust")
async def trust(house: TheHouse, caller: TheCaller, body: Trust) -> Done:
    """Say whether consumers may see a source's prices, and whether its UPCs are believed."""
    what = {"visible": body.visible, "upc_trusted": body.upc_trusted, "reason": body.reason}
    await act(house, caller, overlays.trust, source_id=body.source, **what)
    return Done()
