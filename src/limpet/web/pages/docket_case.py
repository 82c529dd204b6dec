"""One case with its past, its documents, and what can be asked of the court from here."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.extras import EXTRAS
from limpet.apps.dockets.views.case import case_view, find_document
from limpet.apps.dockets.wishes import batch_over, register_named
from limpet.errors import NotThere, UsageError
from limpet.extract.parse.case_number import LARGEST_NUMBER
from limpet.record.entry import Run
from limpet.record.inspecting import attempts_by_job
from limpet.record.run_deeds import jobs_of_target
from limpet.web import docketing
from limpet.web.acting import Acting, Action
from limpet.web.asking import RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.registers import CaseId
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

_JOBS_SHOWN = 20


@router.get("/dockets/documents/{document_id}")
async def document(house: TheHouse, document_id: RowNumber) -> Response:
    """Return a kept PDF; nothing the ledger does not know of can be had."""
    found = await house.ledger.read(partial(find_document, document_id=document_id))
    if found is None:
        raise NotThere("No such document is kept.")
    stored = house.settings.data_dir / found.path
    if not stored.is_file():
        raise NotThere("This file is missing on the disk.", fix="`limpet verify` says what else is.")
    return FileResponse(stored, media_type="application/pdf", filename=stored.name)


@router.get("/dockets/{source_id}/cases/{case_id}")
async def case(
    request: Request,
    house: TheHouse,
    source_id: Annotated[str, Path(max_length=200)],
    case_id: CaseId,
) -> Response:
    """Show one case: its docket now, its past, and how it was asked for."""
    found = await house.ledger.read(partial(case_view, source_id=source_id, case_id=case_id))
    if found is None:
        raise NotThere(f"{case_id!r} was never asked for.", fix="Run a range that holds it.")
    jobs = []
    if found.target_id is not None:
        look = partial(jobs_of_target, target_id=found.target_id, limit=_JOBS_SHOWN)
        jobs = await house.ledger.read(look)
    context = {
        "case": found,
        "line": found.line,
        "jobs": jobs,
        "attempts": await house.ledger.read(partial(attempts_by_job, job_ids=[job.id for job in jobs])),
        "documents": {each.document_number: each for each in found.documents},
        "extras": EXTRAS,
        "can_run": any(source.id == source_id for source in house.catalogue.list(app=docketing.APP)),
    }
    return render(request, "docket_case.html", context)


@router.post("/dockets/run")
async def run(action: Acting) -> Response:
    """Plan a run over a range of numbers."""
    register = register_named(action.field("source"), action.field("prefix"), action.field("year"))
    most = _number(action, "max_cases") if action.field("max_cases") else None
    start = _number(action, "start") if action.field("start") else 1
    batch = batch_over(register, start=start, max_cases=most)
    batch = _with_wishes(action, batch)
    planned = docketing.run_batch(
        action.house, action.caller, register.source_id, batch, reason=action.reason
    )
    return _to(await planned)


@router.post("/dockets/retry")
async def retry(action: Acting) -> Response:
    """Plan a run over what failed."""
    register = register_named(action.field("source"), action.field("prefix"), action.field("year"))
    return _to(await docketing.retry_failed(action.house, action.caller, register, reason=action.reason))


@router.post("/dockets/probe")
async def probe(action: Acting) -> Response:
    """Plan the search for a register's last number."""
    register = register_named(action.field("source"), action.field("prefix"), action.field("year"))
    planned = docketing.probe(
        action.house, action.caller, register, again=bool(action.field("anew")), reason=action.reason
    )
    return _to(await planned)


@router.post("/dockets/again")
async def again(action: Acting) -> Response:
    """Plan a run over one case, whatever is known of it."""
    batch = _with_wishes(action, Batch(cases=(action.field("case"),)))
    source = action.field("source")
    return _to(await docketing.ask_again(action.house, action.caller, source, batch, reason=action.reason))


def _with_wishes(action: Action, batch: Batch) -> Batch:
    extras = tuple(extra for extra in EXTRAS if action.field(extra))
    return replace(batch, extras=extras, force=bool(action.field("force")))


def _number(action: Action, name: str) -> int:
    text = action.field(name)
    if not (text.isascii() and text.isdecimal() and int(text[:9]) <= LARGEST_NUMBER + 1):
        raise UsageError(
            f"{text[:30]!r} is no number of a register.", fix=f"Write one up to {LARGEST_NUMBER}."
        )
    return int(text)


def _to(run: Run) -> Response:
    return RedirectResponse(f"/runs/{run.id}", 303)
