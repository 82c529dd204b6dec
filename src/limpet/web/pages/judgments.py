"""Judgments: the archive as a table, one case with everything known about it, and its PDF."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, cast, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.apps.judgments.browsing import Figures, listed_cases, together
from limpet.apps.judgments.case_filter import Change, State
from limpet.apps.judgments.case_story import CaseStory, story_of
from limpet.apps.judgments.params import BOUNDS, Mode, ResumeStrategy, ScrapeParams
from limpet.apps.judgments.scraping import APP_NAME
from limpet.assembly import House
from limpet.errors import NotThere, UsageError
from limpet.record.inspecting import attempts_by_job
from limpet.record.run_deeds import jobs_of_target
from limpet.web.acting import Acting, Action
from limpet.web.asking import After, RowNumber
from limpet.web.case_asking import TheCases, as_query
from limpet.web.judging import file_trouble, pdf_of, start_scrape
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render
from limpet.web.scrape_planning import source_named
from limpet.web.shelf import TheShelf

router = APIRouter(include_in_schema=False)

_CASES_A_PAGE = 60


@router.get("/judgments")
async def judgments(
    request: Request, house: TheHouse, shelf: TheShelf, wanted: TheCases, after: After = 0
) -> Response:
    """List cases, the newest judgment first."""
    look = partial(listed_cases, wanted=wanted, after=after, limit=_CASES_A_PAGE + 1)
    found = await house.ledger.read(look)
    known = await shelf.figures()
    shown = [each for source, each in known.items() if wanted.source_id in (None, source)]
    figures = together(shown)
    context = {
        "cases": found[:_CASES_A_PAGE],
        "has_more": len(found) > _CASES_A_PAGE,
        "after": after,
        "wanted": wanted,
        "query": as_query(wanted),
        "figures": figures,
        "chips": _chips(figures),
        "archive_is_empty": not known,
        "states": get_args(State),
        "changes": get_args(Change),
        "strategies": get_args(ResumeStrategy),
        "sources": house.catalogue.list(app=APP_NAME),
    }
    return render(request, "judgments.html", context)


@router.post("/judgments/run")
async def run_now(action: Acting) -> Response:
    """Start a scrape and show its run."""
    params = _params(action)
    run = await start_scrape(action.house, action.caller, params)
    return RedirectResponse(f"/runs/{run.id}", 303)


@router.get("/judgments/{case_id}")
async def judgment(request: Request, house: TheHouse, case_id: RowNumber) -> Response:
    """Show one case: what is said of it now and was before, its file, and what was done to get it."""
    story = await _story(house, case_id)
    jobs = (
        await house.ledger.read(partial(jobs_of_target, target_id=story.target_id)) if story.target_id else []
    )
    trouble = ""
    if story.case.is_downloaded:
        trouble = await asyncio.to_thread(file_trouble, house.settings.data_dir, story.case)
    context: dict[str, Any] = {
        "story": story,
        "case": story.case,
        "trouble": trouble,
        "jobs": jobs,
        "attempts": await house.ledger.read(partial(attempts_by_job, job_ids=[job.id for job in jobs])),
    }
    return render(request, "judgment.html", context)


@router.get("/judgments/{case_id}/pdf")
async def pdf(house: TheHouse, case_id: RowNumber) -> Response:
    """Return the judgment itself."""
    return await pdf_of(house, (await _story(house, case_id)).case)


async def _story(house: House, case_id: int) -> CaseStory:
    story = await house.ledger.read(partial(story_of, case_id=case_id))
    if story is None:
        raise NotThere(f"There is no case {case_id}.", fix="The list of judgments shows all there are.")
    return story


def _chips(figures: Figures) -> list[tuple[str, str, int | None]]:
    """Return the states people choose by: value, words, how many; what is dear to count is not counted."""
    return [
        ("", "all", figures.total),
        ("stored", "stored", figures.stored),
        ("waiting", "to be fetched", figures.waiting),
        ("failed", "failed", None),
        ("criminal", "criminal, left out", figures.criminal),
        ("removed", "gone from the index", figures.removed),
    ]


def _params(action: Action) -> ScrapeParams:
    mode, strategy, limit = (action.field(name) for name in ("mode", "resume_strategy", "limit"))
    if mode not in get_args(Mode):
        raise UsageError("There is no such button.", fix="Open the page again.")
    if strategy and strategy not in get_args(ResumeStrategy):
        raise UsageError("There is no such strategy.", fix="Choose one of the list.")
    if limit and not (limit.isascii() and limit.isdecimal() and 0 < int(limit[:9]) <= BOUNDS["limit"].most):
        raise UsageError("That is no number of documents.", fix="Write it like 50, or leave it out.")
    chosen = cast("ResumeStrategy", strategy) if strategy and mode == "resume" else None
    return ScrapeParams(
        mode=cast("Mode", mode),
        target_source=source_named(action.house, action.field("source") or None),
        resume_strategy=chosen,
        limit=int(limit) if limit else None,
    )
