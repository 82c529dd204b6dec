"""What can be done under /api/v1: the same deeds as on the pages, with the same words in the audit log."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from limpet.engine.importing import Importer
from limpet.record import alerts as alert_book
from limpet.record import switching
from limpet.record.editing_targets import TargetFilter, delete_targets, edit_targets, list_targets
from limpet.record.logbook import list_audit
from limpet.record.run_deeds import recent_trouble
from limpet.web import deeds
from limpet.web.access.caller import TheAdmin, TheCaller, act
from limpet.web.api.operating_shapes import (
    AlertShape,
    AuditShape,
    ImportLineShape,
    ImportShape,
    SettingShape,
    TargetShape,
)
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import JobShape, ListShape, RunShape
from limpet.web.asking import LARGEST_ID, After, Limit, RowNumber, Search
from limpet.web.lookout import TheHouse
from limpet.web.pages.records import effective
from limpet.web.pages.targets import CHANGES

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)

Why = Annotated[str, Field(min_length=1, max_length=500, description="Why; kept in the audit log.")]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]


class Body(BaseModel):
    """Unknown fields are a mistake, and said to be one."""

    model_config = ConfigDict(extra="forbid")


class Reasoned(Body):
    """A deed that needs nothing but its reason."""

    reason: Why

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"reason": "their terms changed"}]}
    )


class StartRun(Body):
    """Which app, and perhaps which of its sources."""

    app: str = Field(max_length=100, examples=["prices"])
    source: str | None = Field(default=None, max_length=200, examples=["shop"])


class ImportTargets(Body):
    """Lines as in a CSV file: addresses, or a table with a header."""

    source: str | None = Field(default=None, max_length=200, examples=["shop"])
    table: str = Field(max_length=4_000_000, examples=["https://shop.example.com/product/1"])


class ChangeTargets(Body):
    """What happens to which targets."""

    ids: list[Id] = Field(min_length=1, max_length=10_000, examples=[[1, 2]])
    action: Literal["pause", "resume", "block", "unblock", "delete"]
    reason: Why


class VisitTargets(Body):
    """Which targets are visited now."""

    ids: list[Id] = Field(min_length=1, max_length=10_000, examples=[[1, 2]])
    reason: Why


class Stop(Body):
    """What is stopped, and the words that mean it."""

    scope: str = Field(max_length=100, examples=["everything"])
    confirm: str = Field(max_length=200, examples=["STOP everything"])
    reason: Why


class Release(Body):
    """What is released."""

    scope: str = Field(max_length=100, examples=["everything"])
    reason: Why


class Done(BaseModel):
    """It is done and on record."""

    ok: Literal[True] = True
    count: int = Field(default=1, description="How many were concerned.")


@router.post("/runs", status_code=202, tags=["runs"])
async def start(house: TheHouse, caller: TheCaller, body: StartRun) -> RunShape:
    """Plan a run over an app's targets, or one source's; the service walks it."""
    return RunShape.model_validate(await deeds.start_run(house, caller, app=body.app, source_id=body.source))


@router.post("/runs/{run_id}/retry", status_code=202, tags=["runs"])
async def retry(house: TheHouse, caller: TheCaller, run_id: RowNumber) -> RunShape:
    """Plan a run over whatever ended in trouble in this one."""
    return RunShape.model_validate(await deeds.retry_run(house, caller, run_id))


@router.post("/runs/{run_id}/cancel", tags=["runs"])
async def cancel(house: TheHouse, caller: TheCaller, run_id: RowNumber, body: Reasoned) -> Done:
    """Skip what waits in the run; what is on the wire ends by itself."""
    return Done(count=await deeds.call_off(house, caller, run_id, reason=body.reason))


@router.get("/errors", tags=["runs"])
async def errors(house: TheHouse, after: After = 0, limit: Limit = 100) -> ListShape[JobShape]:
    """List the jobs that failed last, newest first, over all runs."""
    found = await house.ledger.read(partial(recent_trouble, before=after or None, limit=limit + 1))
    shown = [JobShape.model_validate(job) for job in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/targets", tags=["targets"])
async def targets(
    house: TheHouse,
    *,
    after: After = 0,
    limit: Limit = 100,
    source: Search = None,
    status: Annotated[Literal["active", "paused", "broken", "stale"] | None, Query()] = None,
    search: Search = None,
) -> ListShape[TargetShape]:
    """List targets with what became of each last time."""
    wanted = TargetFilter(source_id=source, status=status, text=search)
    found = await house.ledger.read(partial(list_targets, wanted=wanted, after=after, limit=limit + 1))
    shown = [TargetShape.model_validate(each) for each in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.post("/targets", tags=["targets"])
async def bring_in(house: TheHouse, caller: TheCaller, body: ImportTargets) -> ImportShape:
    """Add targets and say what became of every line; a bad one spoils no other."""
    importer = Importer(house.ledger, house.catalogue, house.apps)
    results = await importer.bring_in(body.table, source_id=body.source, by=caller.name)
    return ImportShape(lines=[ImportLineShape.model_validate(each) for each in results])


@router.post("/targets/change", tags=["targets"])
async def change(house: TheHouse, caller: TheCaller, body: ChangeTargets) -> Done:
    """Pause, resume, block, unblock or delete targets, all of them or none."""
    what: dict[str, Any] = {"ids": sorted(set(body.ids)), "reason": body.reason}
    if body.action == "delete":
        return Done(count=await act(house, caller, delete_targets, **what))
    changes = dict(CHANGES[body.action])
    return Done(count=await act(house, caller, edit_targets, changes=changes, **what))


@router.post("/targets/visit", status_code=202, tags=["targets"])
async def visit(house: TheHouse, caller: TheCaller, body: VisitTargets) -> RunShape:
    """Plan a run over these targets, whatever their state."""
    ids = sorted(set(body.ids))
    return RunShape.model_validate(await deeds.visit_now(house, caller, ids, reason=body.reason))


@router.post("/sources/{source_id}/{switch}", tags=["sources"])
async def switch_source(
    house: TheHouse, caller: TheCaller, source_id: str, switch: Literal["enable", "disable"], body: Reasoned
) -> Done:
    """Switch a source on or off, for every process on this ledger."""
    await deeds.switch_source(house, caller, source_id, on=switch == "enable", reason=body.reason)
    return Done()


@router.post("/adapters/{adapter_id}/{switch}", tags=["sources"])
async def switch_adapter(
    house: TheHouse, caller: TheCaller, adapter_id: str, switch: Literal["enable", "disable"], body: Reasoned
) -> Done:
    """Switch an adapter on (its next run begins with a canary) or off."""
    house.sites.get(adapter_id)
    deed = switching.enable_adapter if switch == "enable" else switching.disable_adapter
    await act(house, caller, deed, adapter_id=adapter_id, reason=body.reason)
    await house.desk.switchboard.refresh()
    return Done()


@router.get("/alerts", tags=["alerts"])
async def alerts(house: TheHouse, limit: Limit = 200) -> ListShape[AlertShape]:
    """List what asks for a person, most urgent first."""
    await house.alerts.heed()
    found = await house.ledger.alerts(limit=limit)
    return ListShape(items=[AlertShape.model_validate(each) for each in found], next=None)


@router.post("/alerts/{alert_id}/acknowledge", tags=["alerts"])
async def acknowledge(house: TheHouse, caller: TheCaller, alert_id: RowNumber, body: Reasoned) -> AlertShape:
    """Say that somebody looks after it."""
    deed = partial(alert_book.acknowledge, alert_id=alert_id, note=body.reason)
    return AlertShape.model_validate(await act(house, caller, deed))


@router.post("/alerts/{alert_id}/resolve", tags=["alerts"])
async def resolve(house: TheHouse, caller: TheCaller, alert_id: RowNumber, body: Reasoned) -> AlertShape:
    """Close it; should the trouble be noticed again, that is a new alert."""
    deed = partial(alert_book.resolve, alert_id=alert_id, note=body.reason)
    return AlertShape.model_validate(await act(house, caller, deed))


@router.get("/audit", tags=["house"])
async def audit(
    house: TheHouse, after: After = 0, limit: Limit = 100, actor: Search = None, search: Search = None
) -> ListShape[AuditShape]:
    """List who did what to what and why, newest first."""
    look = partial(list_audit, before=after or None, limit=limit + 1, actor=actor, text=search)
    found = await house.ledger.read(look)
    shown = [AuditShape.model_validate(each) for each in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/settings", tags=["house"])
async def settings(house: TheHouse) -> list[SettingShape]:
    """Return how this process was told to behave; secrets are masked."""
    return [SettingShape(**each) for each in effective(house.settings)]


@router.post("/stop", tags=["house"])
async def stop(house: TheHouse, caller: TheAdmin, body: Stop) -> Done:
    """Pull the emergency stop: nothing more is asked of any site concerned. For admins."""
    await deeds.stop_now(house, caller, body.scope, confirm=body.confirm, reason=body.reason)
    return Done()


@router.post("/stop/release", tags=["house"])
async def release(house: TheHouse, caller: TheAdmin, body: Release) -> Done:
    """Release it. For admins."""
    await deeds.release_stop(house, caller, body.scope, reason=body.reason)
    return Done()
