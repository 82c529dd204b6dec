"""Dockets under /api/v1: registers, the map of their numbers, gaps, cases with their past, and what can be asked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from limpet.apps.dockets.batch import Batch
from limpet.apps.dockets.bounds import Register
from limpet.apps.dockets.exports import CASES, ENTRIES, Format, Wanted, export
from limpet.apps.dockets.views.case import case_view
from limpet.apps.dockets.views.cases import CaseFilter, list_cases
from limpet.apps.dockets.views.coverage import numbers_between
from limpet.apps.dockets.views.registers import list_registers
from limpet.apps.dockets.wishes import batch_over
from limpet.errors import NotThere
from limpet.record.run_deeds import jobs_of_target
from limpet.record.storable import storable_or_none
from limpet.web import docketing
from limpet.web.access.caller import TheCaller
from limpet.web.api.docket_shapes import (
    AgainBody,
    CaseLineShape,
    CaseShape,
    CoverageShape,
    GapsShape,
    NumberShape,
    ProbeBody,
    RegisterBody,
    RegisterShape,
    RunBody,
    SquareShape,
)
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import JobShape, ListShape, RunShape
from limpet.web.asking import After, Limit, Search
from limpet.web.lookout import TheHouse
from limpet.web.registers import CaseId, First, SourceId, TheCharts, TheRegister, YearAsked

router = APIRouter(prefix="/api/v1/dockets", tags=["dockets"], responses=PROBLEMS)

_MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}
_A_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {media_type.partition(";")[0]: {} for media_type in _MEDIA_TYPES.values()},
        "description": "The file, streamed as it is made.",
    }
}
Status = Annotated[Literal["succeeded", "no_record", "failed"] | None, Query()]


@router.get("")
async def registers(house: TheHouse) -> list[RegisterShape]:
    """List registers by year, with counts and how far the last probe found each to go."""
    return [RegisterShape.model_validate(view) for view in await house.ledger.read(list_registers)]


@router.get("/cases")
async def cases(
    house: TheHouse,
    *,
    source: Search = None,
    prefix: Search = None,
    year: YearAsked = None,
    status: Status = None,
    search: Search = None,
    changed: Annotated[bool, Query(description="Only cases with more than one version.")] = False,
    vanished: Annotated[bool, Query(description="Only cases the court has since denied.")] = False,
    after: After = 0,
    limit: Limit = 100,
) -> ListShape[CaseLineShape]:
    """List cases by register and number; `search` is a case number or part of a style of cause."""
    wanted = CaseFilter(
        source, prefix, year, status, search or None, is_changed=changed, is_vanished=vanished
    )
    found = await house.ledger.read(partial(list_cases, wanted=wanted, after=after, limit=limit + 1))
    shown = [CaseLineShape.model_validate(each) for each in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/export/{table}/{form}", response_class=Response, responses=_A_FILE)
async def as_file(
    house: TheHouse,
    table: Literal["cases", "entries"],
    form: Format,
    *,
    source: Search = None,
    prefix: Search = None,
    year: YearAsked = None,
    history: Annotated[bool, Query(description="Every version of an entry.")] = False,
) -> Response:
    """Return cases or docket entries as a file, streamed as it is made."""
    wanted = Wanted(
        storable_or_none(source or None),
        storable_or_none((prefix or "").upper() or None),
        year,
        history=history,
    )
    chosen = CASES if table == "cases" else ENTRIES
    headers = {"content-disposition": f'attachment; filename="{chosen.name}.{form}"'}
    pieces = export(house.ledger, form, chosen, wanted)
    return StreamingResponse(pieces, media_type=_MEDIA_TYPES[form], headers=headers)


@router.get("/{source_id}/cases/{case_id}")
async def case(house: TheHouse, source_id: SourceId, case_id: CaseId) -> CaseShape:
    """Return one case: its docket now, every version of it and of each entry, documents, and its jobs."""
    found = await house.ledger.read(partial(case_view, source_id=source_id, case_id=case_id))
    if found is None:
        raise NotThere(f"{case_id!r} was never asked for.", fix="Run a range that holds it.")
    shown = CaseShape.model_validate(found)
    if found.target_id is not None:
        jobs = await house.ledger.read(partial(jobs_of_target, target_id=found.target_id))
        shown.jobs = [JobShape.model_validate(job) for job in jobs]
    return shown


@router.get("/{source_id}/{prefix}/{year}")
async def register(charts: TheCharts, view: TheRegister) -> CoverageShape:
    """Return one register with the map of its numbers."""
    squares = await charts.map_of(view)
    told = RegisterShape.model_validate(view).model_dump()
    return CoverageShape(**told, squares=[SquareShape.model_validate(each) for each in squares])


@router.get("/{source_id}/{prefix}/{year}/numbers")
async def numbers(
    house: TheHouse, view: TheRegister, first: First = 1, limit: Limit = 500
) -> list[NumberShape]:
    """Return numbers one by one, each under its word."""
    look = partial(numbers_between, register=view.register, first=first, last=first + limit - 1)
    return [NumberShape.model_validate(each) for each in await house.ledger.read(look)]


@router.get("/{source_id}/{prefix}/{year}/gaps")
async def gaps(charts: TheCharts, view: TheRegister) -> GapsShape:
    """Return the holes of a register: never asked for, failed, absent by the court's word."""
    return GapsShape.model_validate(await charts.gaps_of(view))


@router.post("/run", status_code=202)
async def run(house: TheHouse, caller: TheCaller, body: RunBody) -> RunShape:
    """Plan a run over a range of numbers; what is answered is not asked again unless forced."""
    batch = batch_over(_register(body), start=body.start, max_cases=body.max_cases)
    batch = replace(batch, force=body.force, extras=tuple(body.extras))
    planned = await docketing.run_batch(house, caller, body.source, batch, reason=body.reason)
    return RunShape.model_validate(planned)


@router.post("/retry", status_code=202)
async def retry(house: TheHouse, caller: TheCaller, body: RegisterBody) -> RunShape:
    """Plan a run over the numbers of a register that failed."""
    planned = await docketing.retry_failed(house, caller, _register(body), reason=body.reason)
    return RunShape.model_validate(planned)


@router.post("/probe", status_code=202)
async def probe(house: TheHouse, caller: TheCaller, body: ProbeBody) -> RunShape:
    """Plan the search for a register's last number: at most 200 questions, each a case asked for and recorded."""
    planned = await docketing.probe(house, caller, _register(body), again=body.again, reason=body.reason)
    return RunShape.model_validate(planned)


@router.post("/again", status_code=202)
async def again(house: TheHouse, caller: TheCaller, body: AgainBody) -> RunShape:
    """Plan a run over single cases, whatever is known of them."""
    batch = Batch(cases=tuple(body.cases), extras=tuple(body.extras))
    planned = await docketing.ask_again(house, caller, body.source, batch, reason=body.reason)
    return RunShape.model_validate(planned)


def _register(body: RegisterBody) -> Register:
    return Register(body.source, body.prefix.upper(), body.year)
