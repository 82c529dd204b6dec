"""What the archive holds and how its runs went. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from limpet.apps.judgments.case_diff import case_diff_of
from limpet.apps.judgments.case_filter import CaseFilter
from limpet.apps.judgments.coverage import coverage_of_run
from limpet.apps.judgments.scraping import APP_NAME, summary_of
from limpet.apps.judgments.views import archived_cases, count_cases, downloads_of, statuses_of
from limpet.assembly import House
from limpet.errors import NotThere
from limpet.record.entry import Run
from limpet.record.reading import get_run, list_runs
from limpet.web.api.judgments.shapes import CasesShape, ReportRow, run_as_json, summary_as_json
from limpet.web.asking import After, RowNumber, Search
from limpet.web.lookout import TheHouse

router = APIRouter(tags=["judgments"])

Rows = Annotated[int, Query(ge=1, le=5_000, description="How many at most.")]
Status = Annotated[
    Literal["pending", "in_progress", "downloaded", "failed", "skipped"] | None,
    Query(description="Only downloads that stand so; `downloaded` if nothing is said."),
]


@router.get("/report")
async def report(
    house: TheHouse, source: Search = None, after: After = 0, limit: Rows = 500
) -> dict[str, Any]:
    """Return the latest run in short, and the judgments that are stored."""
    newest = await house.ledger.read(partial(_newest, source_id=source))
    run = await house.ledger.read(partial(_told, run_id=newest)) if newest else None
    cases = await _cases(house, CaseFilter(source_id=source, is_downloaded=True), after=after, limit=limit)
    return {"ok": True, "run": run, **cases.model_dump(exclude={"ok"})}


@router.get("/api/runs/latest")
@router.get("/api/db/runs/latest")
async def latest_run(house: TheHouse, source: Search = None) -> dict[str, Any]:
    """Return the newest run of the archive with its summary, coverage and verdict."""
    return {"ok": True, "run": await house.ledger.read(partial(_told, run_id=await _latest(house, source)))}


@router.get("/api/db/runs")
async def all_runs(
    house: TheHouse, source: Search = None, limit: Annotated[int, Query(ge=1, le=200)] = 50, after: After = 0
) -> dict[str, Any]:
    """List runs of the archive, newest first."""
    look = partial(list_runs, app=APP_NAME, source_id=source, before=after or None, limit=limit + 1)
    found = await house.ledger.read(look)
    shown = [run_as_json(run) for run in found[:limit]]
    return {"ok": True, "runs": shown, "next": shown[-1]["id"] if len(found) > limit else None}


@router.get("/api/db/runs/latest/download-summary")
async def latest_downloads(house: TheHouse, source: Search = None) -> dict[str, Any]:
    """Count the newest run's downloads by how they stand, and their errors by code."""
    return await _of_run(house, await _latest(house, source), _downloads_in_short)


@router.get("/api/db/runs/{run_id}/summary")
async def summary(house: TheHouse, run_id: RowNumber) -> dict[str, Any]:
    """Return one run with its summary, coverage and verdict."""
    return {"ok": True, "run": await _of_run(house, run_id, _told)}


@router.get("/api/db/runs/{run_id}/health")
async def run_health(house: TheHouse, run_id: RowNumber) -> dict[str, Any]:
    """Return one run's coverage, its verdict - ok, partial, failed or suspicious - and why."""
    return await _of_run(house, run_id, _health)


@router.get("/api/db/runs/{run_id}/download-summary")
async def download_summary(house: TheHouse, run_id: RowNumber) -> dict[str, Any]:
    """Count one run's downloads by how they stand, and their errors by code."""
    return await _of_run(house, run_id, _downloads_in_short)


@router.get("/api/db/runs/{run_id}/downloaded-cases")
async def cases_of_run(house: TheHouse, run_id: RowNumber, after: After = 0, limit: Rows = 500) -> CasesShape:
    """List what one run stored."""
    await house.ledger.read(partial(_judgment_run, run_id=run_id))
    return await _cases(house, CaseFilter(run_id=run_id, is_downloaded=True), after=after, limit=limit)


@router.get("/api/downloaded-cases")
async def downloaded_cases(
    house: TheHouse, source: Search = None, search: Search = None, after: After = 0, limit: Rows = 500
) -> CasesShape:
    """List the judgments that are stored."""
    wanted = CaseFilter(source_id=source, search=search, is_downloaded=True)
    return await _cases(house, wanted, after=after, limit=limit)


@router.get("/api/db/downloaded-cases")
async def downloads(
    *,
    house: TheHouse,
    source: Search = None,
    run_id: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
    status: Status = None,
    after: After = 0,
    limit: Rows = 500,
) -> dict[str, Any]:
    """List stored judgments; with a `status`, the newest download of each case that stands so, and its error."""
    if status in (None, "downloaded"):
        wanted = CaseFilter(source_id=source, run_id=run_id, is_downloaded=True)
        return (await _cases(house, wanted, after=after, limit=limit)).model_dump()
    look = partial(downloads_of, status=status, source_id=source, run_id=run_id, after=after, limit=limit + 1)
    found = await house.ledger.read(look)
    shown = found[:limit]
    next_id = shown[-1]["download_id"] if len(found) > limit else None
    return {"ok": True, "cases": shown, "next": next_id}


@router.get("/api/db/csv_versions/{version_id}/case-diff")
async def case_diff(house: TheHouse, version_id: RowNumber, limit: Rows = 1_000) -> dict[str, Any]:
    """Return what one version of the index brought: new, changed, removed and reappeared cases."""
    found = await house.ledger.read(partial(case_diff_of, version_id=version_id, limit=limit))
    if found is None:
        raise NotThere(f"There is no version {version_id} of any index.")
    return {"ok": True, **found}


async def _latest(house: House, source_id: str | None) -> int:
    newest = await house.ledger.read(partial(_newest, source_id=source_id))
    if newest is None:
        raise NotThere("No run of the archive was ever made.", fix="POST /start, or: limpet run judgments")
    return newest


async def _of_run(house: House, run_id: int, look: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    return await house.ledger.read(partial(look, run_id=run_id))


async def _cases(house: House, wanted: CaseFilter, *, after: int, limit: int) -> CasesShape:
    total = await house.ledger.read(partial(count_cases, wanted=wanted))
    look = partial(archived_cases, wanted=wanted, after=after, limit=limit + 1)
    found = await house.ledger.read(look) if total else []
    shown = found[:limit]
    rows = [ReportRow.model_validate(case.as_report()) for case in shown]
    return CasesShape(total=total, cases=rows, next=shown[-1].id if len(found) > limit else None)


def _newest(connection: Connection, *, source_id: str | None) -> int | None:
    found = list_runs(connection, app=APP_NAME, source_id=source_id, limit=1)
    return found[0].id if found else None


def _judgment_run(connection: Connection, *, run_id: int) -> Run:
    run = get_run(connection, run_id)
    if run.app != APP_NAME:
        raise NotThere(f"Run {run_id} is one of {run.app!r}, not of the archive.")
    return run


def _told(connection: Connection, *, run_id: int) -> dict[str, Any]:
    run = _judgment_run(connection, run_id=run_id)
    summed = summary_as_json(summary_of(connection, run_id), coverage_of_run(connection, run))
    return summed | run_as_json(run)


def _health(connection: Connection, *, run_id: int) -> dict[str, Any]:
    coverage = coverage_of_run(connection, _judgment_run(connection, run_id=run_id))
    return {"ok": True, "run_id": run_id, "run_health": coverage.verdict, **asdict(coverage)}


def _downloads_in_short(connection: Connection, *, run_id: int) -> dict[str, Any]:
    _judgment_run(connection, run_id=run_id)
    errors = summary_of(connection, run_id).error_counts
    return {
        "ok": True,
        "run_id": run_id,
        "status_counts": statuses_of(connection, run_id),
        "error_counts": errors,
    }
