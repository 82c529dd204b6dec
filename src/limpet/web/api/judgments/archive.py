"""The archive under /api/v1/judgments: whatever its pages show and do."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from limpet.apps.judgments.browsing import ListedCase, listed_cases
from limpet.apps.judgments.case_story import CaseStory, story_of
from limpet.apps.judgments.index.listing import list_versions, one_version
from limpet.apps.judgments.params import ScrapeParams
from limpet.assembly import House
from limpet.errors import NotThere
from limpet.record.inspecting import attempts_by_job
from limpet.record.run_deeds import jobs_of_target
from limpet.web.access.caller import TheCaller
from limpet.web.api.bodies import PerhapsWhy, Why
from limpet.web.api.judgments.archive_shapes import (
    CaseChangeShape,
    CaseFileShape,
    CaseShape,
    CaseStoryShape,
    DiffShape,
    GapsShape,
    ListedCaseShape,
    ReleaseShape,
    VersionShape,
    gaps_shape,
)
from limpet.web.api.judgments.shapes import Wishes
from limpet.web.api.routes import PROBLEMS
from limpet.web.api.shapes import AttemptShape, JobShape, ListShape, RunShape
from limpet.web.asking import LARGEST_ID, After, Limit, RowNumber, Search
from limpet.web.case_asking import TheCases
from limpet.web.judging import compare_versions, pdf_of, release_version, start_scrape
from limpet.web.lookout import TheHouse
from limpet.web.scrape_planning import source_named
from limpet.web.shelf import TheShelf

router = APIRouter(prefix="/api/v1/judgments", responses=PROBLEMS, tags=["judgments"])

Number = Annotated[int, Query(ge=1, le=LARGEST_ID, description="A version's number.")]
_PDF: dict[int | str, dict[str, Any]] = {200: {"content": {"application/pdf": {}}, "description": "The PDF."}}


class Scrape(Wishes):
    """What to fetch; the answer is its run, which the service walks."""

    mode: Literal["full", "new", "resume"] = "new"
    reason: PerhapsWhy = ""
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"mode": "new", "limit": 50}]})


class Release(BaseModel):
    """Why a held version is let through."""

    reason: Why
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"reason": "the court has confirmed it"}]}
    )


@router.get("")
async def cases(
    house: TheHouse, wanted: TheCases, after: After = 0, limit: Limit = 100
) -> ListShape[ListedCaseShape]:
    """List cases, the newest judgment first, each with how it stands."""
    found = await house.ledger.read(partial(listed_cases, wanted=wanted, after=after, limit=limit + 1))
    shown = [_listed(each) for each in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/versions")
async def versions(
    house: TheHouse, source: Search = None, after: After = 0, limit: Limit = 50
) -> ListShape[VersionShape]:
    """List the versions of the index, newest first, with what each changed."""
    look = partial(list_versions, source=source or None, before=after or None, limit=limit + 1)
    found = await house.ledger.read(look)
    shown = [VersionShape.model_validate(each) for each in found[:limit]]
    return ListShape(items=shown, next=shown[-1].id if len(found) > limit else None)


@router.get("/versions/{version_id}")
async def version(house: TheHouse, version_id: RowNumber) -> VersionShape:
    """Return one version; `/api/db/csv_versions/{id}/case-diff` tells what it brought, case by case."""
    found = await house.ledger.read(partial(one_version, version_id=version_id))
    if found is None:
        raise NotThere(f"There is no version {version_id} of any index.")
    return VersionShape.model_validate(found)


@router.post("/versions/{version_id}/release")
async def release(
    house: TheHouse, caller: TheCaller, shelf: TheShelf, version_id: RowNumber, body: Release
) -> ReleaseShape:
    """Let a held version through: the cases become what it says."""
    done = await release_version(house, caller, version_id, reason=body.reason)
    shelf.forget()
    return ReleaseShape(
        version_id=done.version_id,
        new=len(done.new_case_ids),
        changed=len(done.changed_case_ids),
        removed=len(done.removed_case_ids),
        reappeared=len(done.reappeared_case_ids),
    )


@router.get("/diff")
async def diff(house: TheHouse, earlier: Number, later: Number) -> DiffShape:
    """Compare two versions of one source's index, field by field, from the files as they were published."""
    found = await compare_versions(house, earlier=earlier, later=later)
    return DiffShape.model_validate(found.as_json())


@router.get("/gaps")
async def gaps(shelf: TheShelf) -> list[GapsShape]:
    """Return what each source probably lacks; looked at anew every two minutes."""
    return [gaps_shape(each) for each in await shelf.gaps()]


@router.post("/run", status_code=202)
async def start(house: TheHouse, caller: TheCaller, body: Scrape) -> RunShape:
    """Start a scrape in mode `new`, `full` or `resume`; 409 while another of its source is under way."""
    wishes = body.model_dump(exclude={"reason"})
    wishes["target_source"] = source_named(house, body.target_source)
    run = await start_scrape(house, caller, ScrapeParams(**wishes), reason=body.reason)
    return RunShape.model_validate(run)


@router.get("/{case_id}")
async def case(house: TheHouse, case_id: RowNumber) -> CaseStoryShape:
    """Return one case with its history, its files, and what was done to fetch it."""
    story = await _story(house, case_id)
    return CaseStoryShape(
        case=CaseShape.model_validate(story.case),
        first_version_id=story.first_version_id,
        last_version_id=story.last_version_id,
        target_id=story.target_id,
        changes=[CaseChangeShape.model_validate(each) for each in story.changes],
        files=[CaseFileShape.model_validate(each) for each in story.files],
        jobs=await _jobs(house, story),
    )


@router.get("/{case_id}/pdf", response_class=Response, responses=_PDF)
async def pdf(house: TheHouse, case_id: RowNumber) -> Response:
    """Return the judgment itself; 404 when it is not stored, or the disk has lost it."""
    return await pdf_of(house, (await _story(house, case_id)).case)


def _listed(each: ListedCase) -> ListedCaseShape:
    return ListedCaseShape(**CaseShape.model_validate(each.case).model_dump(), state=each.state)


async def _story(house: House, case_id: int) -> CaseStory:
    story = await house.ledger.read(partial(story_of, case_id=case_id))
    if story is None:
        raise NotThere(f"There is no case {case_id}.")
    return story


async def _jobs(house: House, story: CaseStory) -> list[JobShape]:
    if story.target_id is None:
        return []
    jobs = await house.ledger.read(partial(jobs_of_target, target_id=story.target_id))
    tries = await house.ledger.read(partial(attempts_by_job, job_ids=[job.id for job in jobs]))
    shown = [JobShape.model_validate(job) for job in jobs]
    for shape in shown:
        shape.tries = [AttemptShape.model_validate(each) for each in tries.get(shape.id, [])]
    return shown
