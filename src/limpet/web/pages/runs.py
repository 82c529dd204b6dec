"""Runs, and what became of every target in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from limpet.apps.prices.before_after import outcomes_of, pairs_of, read_again_by
from limpet.assembly import House
from limpet.record.batches import batches_of_run
from limpet.record.inspecting import attempts_by_job
from limpet.record.logbook import notable_events
from limpet.target import JobState
from limpet.target.outcome import Mode, RunState
from limpet.web.asking import After, RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

_RUNS_A_PAGE = 40
_JOBS_A_PAGE = 50
_PAIRS_SHOWN = 25


@router.get("/runs")
async def runs(
    request: Request, house: TheHouse, before: After = 0, state: Annotated[RunState | None, Query()] = None
) -> Response:
    """List runs, newest first."""
    found = await house.ledger.runs(limit=_RUNS_A_PAGE + 1, before=before or None, state=state)
    context = {
        "runs": found[:_RUNS_A_PAGE],
        "has_more": len(found) > _RUNS_A_PAGE,
        "before": before,
        "state": state,
        "states": list(RunState),
        "apps": sorted(house.apps),
    }
    return render(request, "runs.html", context)


@router.get("/runs/{run_id}")
async def run(
    request: Request,
    house: TheHouse,
    run_id: RowNumber,
    state: Annotated[JobState | None, Query()] = None,
    after: After = 0,
) -> Response:
    """Show one run: that it adds up, why targets ended as they did, and every job."""
    ledger = house.ledger
    found = await ledger.run(run_id)
    jobs = await ledger.jobs(run_id, state=state, after=after, limit=_JOBS_A_PAGE + 1)
    shown = jobs[:_JOBS_A_PAGE]
    context = {
        "run": found,
        "total": sum(found.counts.values()),
        "batches": await ledger.read(partial(batches_of_run, run_id=run_id)),
        "events": await ledger.read(partial(notable_events, run_id=run_id)),
        "reasons": _reasons(await ledger.reasons(run_id)),
        "jobs": shown,
        "attempts": await ledger.read(partial(attempts_by_job, job_ids=[job.id for job in shown])),
        "has_more": len(jobs) > _JOBS_A_PAGE,
        "state": state,
        "after": after,
        "read_again_by": await ledger.read(partial(read_again_by, run_id=run_id)),
    }
    if found.mode is Mode.REREAD:
        context |= await _before_and_after(house, run_id)
    return render(request, "run.html", context)


async def _before_and_after(house: House, run_id: int) -> dict[str, Any]:
    return {
        "outcomes": await house.ledger.read(partial(outcomes_of, run_id=run_id)),
        "pairs": await house.ledger.read(partial(pairs_of, run_id=run_id, limit=_PAIRS_SHOWN)),
    }


def _reasons(counted: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Return (state, reason, count), most frequent first."""
    split = [(*key.partition(": ")[::2], count) for key, count in counted.items()]
    return sorted(split, key=lambda row: -row[2])
