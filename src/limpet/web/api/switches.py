"""Switches under /api/v1: sources and adapters, on and off with a reason; and how each adapter stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import Field

from limpet.record.batches import recent_batches
from limpet.record.logbook import AdapterStatus
from limpet.record.switching import adapter_statuses
from limpet.web import deeds
from limpet.web.access.caller import TheCaller
from limpet.web.api.bodies import Done, Reasoned
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import ListShape, Shape
from limpet.web.lookout import TheHouse

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["sources"])

_BATCHES_SHOWN = 30
Switch = Literal["enable", "disable"]


class SwitchAdapter(Reasoned):
    """Why, and whether somebody insists."""

    force: bool = Field(
        default=False, description="Switch it on although it still fails on what it failed on; audited."
    )


class AdapterShape(Shape):
    """An adapter: its switch, and what is usual for it."""

    adapter_id: str
    enabled: bool
    disabled_at: datetime | None
    disabled_reason: str | None
    disabled_by: str | None
    disabled_details: str | None
    baseline_failure_rate: float | None
    baseline_yield_rate: float | None
    baseline_sample_size: int
    last_batch_failure_rate: float | None
    consecutive_failed_batches: int
    watched_since: datetime | None = Field(
        description="Switched on again then, and not yet proven by its canary."
    )


class AdapterDetailShape(AdapterShape):
    """An adapter with its latest batches, newest first."""

    version: str
    sources: list[str]
    batches: Sequence[Mapping[str, Any]]


@router.get("/adapters")
async def adapters(house: TheHouse) -> ListShape[AdapterShape]:
    """List every adapter a source uses, or the ledger has an opinion of."""
    known = {status.adapter_id: status for status in await house.ledger.read(adapter_statuses)}
    names = sorted({*known, *(source.site for source in house.catalogue.list())})
    shown = [AdapterShape.model_validate(known.get(name) or AdapterStatus(name)) for name in names]
    return ListShape(items=shown, next=None)


@router.get("/adapters/{adapter_id}")
async def adapter(house: TheHouse, adapter_id: str) -> AdapterDetailShape:
    """Return one adapter: its switch, what is usual for it, and how its batches went."""
    site = house.sites.get(adapter_id)
    status = AdapterShape.model_validate(await house.ledger.adapter_status(adapter_id))
    look = partial(recent_batches, adapter_id=adapter_id, limit=_BATCHES_SHOWN)
    return AdapterDetailShape(
        **status.model_dump(),
        version=site.version,
        sources=[source.id for source in house.catalogue.list() if source.site == adapter_id],
        batches=await house.ledger.read(look),
    )


@router.post("/sources/{source_id}/{switch}")
async def switch_source(
    house: TheHouse, caller: TheCaller, source_id: str, switch: Switch, body: Reasoned
) -> Done:
    """Switch a source on or off, for every process on this ledger."""
    await deeds.switch_source(house, caller, source_id, on=switch == "enable", reason=body.reason)
    return Done()


@router.post("/adapters/{adapter_id}/{switch}")
async def switch_adapter(
    house: TheHouse, caller: TheCaller, adapter_id: str, switch: Switch, body: SwitchAdapter
) -> Done:
    """Switch an adapter off, or on again: it is tried on its recorded pages first, and its next run is watched.

    While it fails on most of the pages it failed on, switching it on is refused with 409 unless `force`.
    """
    is_on = switch == "enable"
    await deeds.switch_adapter(
        house, caller, adapter_id, on=is_on, reason=body.reason, force=is_on and body.force
    )
    return Done()
