"""Scrapes started by a person or a program: the answer comes at once, the work is done by the service."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from limpet.apps.judgments.params import ScrapeParams
from limpet.apps.judgments.scraping import preview
from limpet.assembly import House
from limpet.errors import SourceBusy
from limpet.web.access.caller import Caller, TheCaller
from limpet.web.api.judgments.shapes import ResumeBody, StartBody
from limpet.web.form import FormOrJson, body_of
from limpet.web.judging import start_scrape
from limpet.web.lookout import TheHouse
from limpet.web.scrape_planning import source_named

router = APIRouter(tags=["judgments"])


@router.post("/start", status_code=202, openapi_extra=FormOrJson(StartBody).described)
async def start(request: Request, house: TheHouse, caller: TheCaller) -> Response:
    """Start a scrape: `mode`, `target_source`, `limit` and more, as JSON or as a form. Answers with its run."""
    return await _begin(house, caller, await body_of(request, StartBody))


@router.post("/resume", status_code=202, openapi_extra=FormOrJson(ResumeBody).described)
async def resume(request: Request, house: TheHouse, caller: TheCaller) -> Response:
    """Go on with what earlier runs left, by `resume_strategy` (`auto` if none is named). Answers with its run."""
    asked = await body_of(request, ResumeBody)
    return await _begin(house, caller, StartBody(mode="resume", **asked.model_dump()))


async def _begin(house: House, caller: Caller, asked: StartBody) -> Response:
    wishes = asked.model_dump() | {"target_source": source_named(house, asked.target_source)}
    params = ScrapeParams(**wishes)
    if params.dry_run:
        summary = await preview(replace(params, dry_run=True), desk=house.desk)
        return JSONResponse({"ok": True, "dry_run": True, "summary": asdict(summary)})
    try:
        run = await start_scrape(house, caller, params)
    except SourceBusy as busy:
        return JSONResponse(_busy(busy), 409)
    told: dict[str, Any] = {
        "ok": True,
        "run_id": run.id,
        "mode": params.mode,
        "target_source": params.target_source,
        "status": run.state.value,
        "watch": f"/api/db/runs/{run.id}/summary",
    }
    return JSONResponse(told, 202, headers={"location": f"/runs/{run.id}"})


def _busy(busy: SourceBusy) -> dict[str, Any]:
    return {"ok": False, "error": busy.code, "detail": str(busy), "fix": busy.fix, "run_id": busy.run_id}
