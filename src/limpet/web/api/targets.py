"""Targets under /api/v1: listed, added by table or file, changed, visited now; and one with its history."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, UploadFile
from pydantic import BaseModel, Field

from limpet.errors import NotThere
from limpet.record.editing_targets import TargetFilter, delete_targets, edit_targets, list_targets
from limpet.record.run_deeds import jobs_of_target
from limpet.web import deeds
from limpet.web.access.caller import TheCaller, act
from limpet.web.api.bodies import Body, Done, Id, Why
from limpet.web.api.operating_shapes import ImportLineShape, ImportShape, TargetShape
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import JobShape, ListShape, RunShape
from limpet.web.asking import After, Limit, RowNumber, Search
from limpet.web.lookout import TheHouse
from limpet.web.pages.targets import CHANGES
from limpet.web.uploading import text_of

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["targets"])

Ids = Annotated[list[Id], Field(min_length=1, max_length=10_000, examples=[[1, 2]])]


class ImportTargets(Body):
    """Lines as in a CSV file: addresses, or a table with a header."""

    source: str | None = Field(default=None, max_length=200, examples=["shop"])
    table: str = Field(max_length=4_000_000, examples=["https://shop.example.com/product/1"])


class ChangeTargets(Body):
    """What happens to which targets."""

    ids: Ids
    action: Literal["pause", "resume", "block", "unblock", "delete"]
    reason: Why


class VisitTargets(Body):
    """Which targets are visited now."""

    ids: Ids
    reason: Why


class TargetDetailShape(BaseModel):
    """One target, and what became of it run by run, newest first."""

    target: TargetShape
    jobs: list[JobShape]


@router.get("/targets")
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


@router.get("/targets/{target_id}")
async def target(house: TheHouse, target_id: RowNumber) -> TargetDetailShape:
    """Return one target with its latest jobs."""
    found = await house.ledger.read(partial(list_targets, wanted=TargetFilter(ids=[target_id]), limit=1))
    if not found:
        raise NotThere(f"There is no target {target_id}.", fix="The list of targets shows all there are.")
    jobs = await house.ledger.read(partial(jobs_of_target, target_id=target_id))
    return TargetDetailShape(
        target=TargetShape.model_validate(found[0]), jobs=[JobShape.model_validate(job) for job in jobs]
    )


@router.post("/targets")
async def bring_in(house: TheHouse, caller: TheCaller, body: ImportTargets) -> ImportShape:
    """Add targets and say what became of every line; a bad one spoils no other."""
    return _imported(await deeds.import_targets(house, caller, body.table, source_id=body.source))


@router.post("/targets/upload")
async def upload(
    house: TheHouse,
    caller: TheCaller,
    file: UploadFile,
    source: Annotated[str | None, Form(max_length=200, description="For lines that name none.")] = None,
) -> ImportShape:
    """Add the targets of a CSV file (UTF-8) and say what became of every line."""
    return _imported(await deeds.import_targets(house, caller, await text_of(file), source_id=source or None))


@router.post("/targets/change")
async def change(house: TheHouse, caller: TheCaller, body: ChangeTargets) -> Done:
    """Pause, resume, block, unblock or delete targets, all of them or none."""
    what: dict[str, Any] = {"ids": sorted(set(body.ids)), "reason": body.reason}
    if body.action == "delete":
        return Done(count=await act(house, caller, delete_targets, **what))
    changes = dict(CHANGES[body.action])
    return Done(count=await act(house, caller, edit_targets, changes=changes, **what))


@router.post("/targets/visit", status_code=202)
async def visit(house: TheHouse, caller: TheCaller, body: VisitTargets) -> RunShape:
    """Plan a run over these targets, whatever their state."""
    ids = sorted(set(body.ids))
    return RunShape.model_validate(await deeds.visit_now(house, caller, ids, reason=body.reason))


def _imported(results: list[Any]) -> ImportShape:
    return ImportShape(lines=[ImportLineShape.model_validate(each) for each in results])
