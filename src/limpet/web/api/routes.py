"""What can be asked under /api/v1. Lists go on with `after`; errors are problem+json."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query

from limpet.apps.prices.views import latest_offers, price_history
from limpet.apps.prices.visible import Visibility
from limpet.errors import NotThere
from limpet.record.inspecting import attempts_by_job
from limpet.record.reading import list_runs
from limpet.target import JobState
from limpet.target.outcome import RunState
from limpet.web.api.shapes import (
    AttemptShape,
    JobShape,
    ListShape,
    OfferShape,
    PriceHistoryShape,
    ProblemShape,
    RunDetailShape,
    RunShape,
)
from limpet.web.asking import After, Limit, RowNumber, Search
from limpet.web.lookout import TheHouse

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemShape, "content": {"application/problem+json": {}}}
    for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}
router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
Audience = Annotated[
    Visibility, Query(description="Whose eyes: consumer (what is visible) or operator (all).")
]


@router.get("/runs", tags=["runs"])
async def runs(
    house: TheHouse,
    after: After = 0,
    limit: Limit = 50,
    source: Search = None,
    state: Annotated[RunState | None, Query()] = None,
) -> ListShape[RunShape]:
    """List runs, newest first; counts are derived from the jobs."""
    look = partial(list_runs, limit=limit + 1, before=after or None, source_id=source, state=state)
    found = await house.ledger.read(look)
    shown = [RunShape.model_validate(run) for run in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/runs/{run_id}", tags=["runs"])
async def run(house: TheHouse, run_id: RowNumber) -> RunDetailShape:
    """Return one run and why its targets ended as they did."""
    shape = RunShape.model_validate(await house.ledger.run(run_id))
    return RunDetailShape(**shape.model_dump(), reasons=await house.ledger.reasons(run_id))


@router.get("/runs/{run_id}/jobs", tags=["runs"])
async def jobs(
    house: TheHouse,
    run_id: RowNumber,
    after: After = 0,
    limit: Limit = 100,
    state: Annotated[JobState | None, Query()] = None,
) -> ListShape[JobShape]:
    """List the run's jobs in planned order, each with its tries."""
    await house.ledger.run(run_id)
    found = await house.ledger.jobs(run_id, state=state, after=after, limit=limit + 1)
    tries = await house.ledger.read(partial(attempts_by_job, job_ids=[job.id for job in found[:limit]]))
    shown = []
    for job in found[:limit]:
        shape = JobShape.model_validate(job)
        shape.tries = [AttemptShape.model_validate(each) for each in tries.get(job.id, [])]
        shown.append(shape)
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/prices", tags=["prices"])
async def prices(
    house: TheHouse,
    *,
    after: After = 0,
    limit: Limit = 100,
    source: Search = None,
    search: Search = None,
    visibility: Audience = "consumer",
) -> ListShape[OfferShape]:
    """List products with their newest price: what consumers may see unless asked for what operators do."""
    look = partial(latest_offers, visibility=visibility, now=house.clock.now(), source_id=source)
    found = await house.ledger.read(partial(look, search=search, after=after, limit=limit + 1))
    shown = [OfferShape.model_validate(offer) for offer in found[:limit]]
    return ListShape(items=shown, next=shown[-1].product_id if len(found) > limit else None)


@router.get("/prices/{source_id}/{identity:path}", tags=["prices"])
async def history(
    house: TheHouse, source_id: str, identity: str, limit: Limit = 500, visibility: Audience = "consumer"
) -> PriceHistoryShape:
    """Return a product's newest observations, oldest first; consumers are shown only what is visible."""
    look = partial(price_history, source_id=source_id, identity_key=identity, limit=limit)
    found = await house.ledger.read(partial(look, visibility=visibility, now=house.clock.now()))
    if found is None:
        raise NotThere("No price of this product is to be seen.", fix="Ask with visibility=operator for all.")
    return PriceHistoryShape.model_validate(found)
