"""Runs under /api/v1: started, tried again, called off; and the jobs that failed last."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from pydantic import Field

from limpet.record.run_deeds import recent_trouble
from limpet.web import deeds
from limpet.web.access.caller import TheCaller
from limpet.web.api.bodies import Body, Done, Reasoned
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import JobShape, ListShape, RunShape
from limpet.web.asking import After, Limit, RowNumber
from limpet.web.lookout import TheHouse

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["runs"])


class StartRun(Body):
    """Which app, and perhaps which of its sources."""

    app: str = Field(max_length=100, examples=["prices"])
    source: str | None = Field(default=None, max_length=200, examples=["shop"])


@router.post("/runs", status_code=202)
async def start(house: TheHouse, caller: TheCaller, body: StartRun) -> RunShape:
    """Plan a run over an app's targets, or one source's; the service walks it."""
    return RunShape.model_validate(await deeds.start_run(house, caller, app=body.app, source_id=body.source))


@router.post("/runs/{run_id}/retry", status_code=202)
async def retry(house: TheHouse, caller: TheCaller, run_id: RowNumber) -> RunShape:
    """Plan a run over whatever ended in trouble in this one."""
    return RunShape.model_validate(await deeds.retry_run(house, caller, run_id))


@router.post("/runs/{run_id}/cancel")
async def cancel(house: TheHouse, caller: TheCaller, run_id: RowNumber, body: Reasoned) -> Done:
    """Skip what waits in the run; what is on the wire ends by itself."""
    return Done(count=await deeds.call_off(house, caller, run_id, reason=body.reason))


@router.get("/errors")
async def errors(house: TheHouse, after: After = 0, limit: Limit = 100) -> ListShape[JobShape]:
    """List the jobs that failed last, newest first, over all runs."""
    found = await house.ledger.read(partial(recent_trouble, before=after or None, limit=limit + 1))
    shown = [JobShape.model_validate(job) for job in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)
