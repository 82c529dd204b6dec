"""Runs, and what became of every target in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from limpet.record.batches import batches_of_run
from limpet.record.inspecting import attempts_by_job
from limpet.record.logbook import notable_events
from limpet.target import JobState
from limpet.target.outcome import RunState
from limpet.web.asking import After, RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

_RUNS_A_PAGE = 40
_JOBS_A_PAGE = 50


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
    }
    return render(request, "run.html", context)


def _reasons(counted: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Return (state, reason, count), most frequent first."""
    split = [(*key.partition(": ")[::2], count) for key, count in counted.items()]
    return sorted(split, key=lambda row: -row[2])
