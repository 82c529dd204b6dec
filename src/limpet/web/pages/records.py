"""What was done and what went wrong: the audit log, errors, settings, and the history of one target."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.errors import NotThere
from limpet.record.editing_targets import TargetFilter, list_targets
from limpet.record.inspecting import attempts_by_job
from limpet.record.logbook import list_audit
from limpet.record.run_deeds import jobs_of_target, recent_trouble
from limpet.settings import PREFIX, Settings
from limpet.web.asking import After, RowNumber, Search
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

_ROWS_A_PAGE = 60
MASKED = "••••••"


@router.get("/audit")
async def audit(
    request: Request, house: TheHouse, before: After = 0, actor: Search = None, search: Search = None
) -> Response:
    """List what people and rules decided, newest first."""
    look = partial(
        list_audit, actor=actor or None, text=search or None, before=before or None, limit=_ROWS_A_PAGE + 1
    )
    found = await house.ledger.read(look)
    context = {
        "entries": found[:_ROWS_A_PAGE],
        "has_more": len(found) > _ROWS_A_PAGE,
        "before": before,
        "actor": actor or "",
        "search": search or "",
    }
    return render(request, "audit.html", context)


@router.get("/errors")
async def errors(request: Request, house: TheHouse, before: After = 0) -> Response:
    """List the jobs that failed last, each with its reason and evidence."""
    found = await house.ledger.read(partial(recent_trouble, before=before or None, limit=_ROWS_A_PAGE + 1))
    context = {
        "jobs": found[:_ROWS_A_PAGE],
        "has_more": len(found) > _ROWS_A_PAGE,
        "before": before,
    }
    return render(request, "errors.html", context)


@router.get("/settings")
async def settings(request: Request, house: TheHouse) -> Response:
    """Show how this process was told to behave; secrets are masked."""
    return render(request, "settings.html", {"settings": effective(house.settings)})


@router.get("/targets/{target_id}")
async def target(request: Request, house: TheHouse, target_id: RowNumber) -> Response:
    """Show one target and what became of it, run by run."""
    found = await house.ledger.read(partial(list_targets, wanted=TargetFilter(ids=[target_id]), limit=1))
    if not found:
        raise NotThere(f"There is no target {target_id}.", fix="The list of targets shows all there are.")
    jobs = await house.ledger.read(partial(jobs_of_target, target_id=target_id))
    context = {
        "target": found[0],
        "jobs": jobs,
        "attempts": await house.ledger.read(partial(attempts_by_job, job_ids=[job.id for job in jobs])),
        "audit": await house.ledger.read(partial(list_audit, subject=f"target {target_id}", limit=20)),
    }
    return render(request, "target.html", context)


def effective(chosen: Settings) -> list[dict[str, Any]]:
    """Return every setting with its value, masked where it is a secret, and whether it was changed."""
    rows = []
    for name, field in Settings.model_fields.items():
        value = getattr(chosen, name)
        is_secret = field.repr is False
        shown = (MASKED if value else "") if is_secret else str(value if value is not None else "")
        rows.append({"name": PREFIX + name.upper(), "value": shown, "is_changed": value != field.default})
    return rows
