"""The archive as files to take away, streamed as they are made."""

from __future__ import annotations

from functools import partial
from pathlib import PurePosixPath
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query
from starlette.responses import FileResponse, Response, StreamingResponse

from limpet.apps.judgments.case_filter import CaseFilter
from limpet.apps.judgments.exports import MEDIA_TYPES, Archive, Format, export
from limpet.apps.judgments.views import case_of_file
from limpet.assembly import House
from limpet.errors import NotThere
from limpet.web.asking import Search
from limpet.web.lookout import TheHouse

router = APIRouter(tags=["judgments"])

Downloaded = Annotated[bool, Query(description="Only cases whose PDF is stored.")]


def _a_file(word: Format) -> dict[int | str, dict[str, Any]]:
    """Return how the API's description tells of a file."""
    return {200: {"content": {MEDIA_TYPES[word]: {}}, "description": "The file, streamed as it is made."}}


@router.get("/export/csv", response_class=Response, responses=_a_file("csv"))
async def as_csv(house: TheHouse, source: Search = None, downloaded: Downloaded = False) -> Response:
    """Return every case as CSV."""
    return _streamed(house, "csv", source, downloaded=downloaded)


@router.get("/export/jsonl", response_class=Response, responses=_a_file("jsonl"))
async def as_json_lines(house: TheHouse, source: Search = None, downloaded: Downloaded = False) -> Response:
    """Return every case as JSON, one a line."""
    return _streamed(house, "jsonl", source, downloaded=downloaded)


@router.get("/api/exports/latest.xlsx", response_class=Response, responses=_a_file("xlsx"))
@router.get("/export/xlsx", response_class=Response, responses=_a_file("xlsx"))
async def as_workbook(house: TheHouse, source: Search = None, downloaded: Downloaded = False) -> Response:
    """Return every case as a workbook, with sheets of what is stored and what is not, and summaries."""
    return _streamed(house, "xlsx", source, downloaded=downloaded)


@router.get("/download/all.zip", response_class=Response, responses=_a_file("zip"))
@router.get("/export/zip", response_class=Response, responses=_a_file("zip"))
async def as_zip(house: TheHouse, source: Search = None) -> Response:
    """Return the stored PDFs as a ZIP, with a manifest that says of each whether it is whole."""
    return _streamed(house, "zip", source, downloaded=True)


@router.get("/files/{path:path}")
async def file(house: TheHouse, path: str) -> Response:
    """Return one stored PDF by its `saved_path`; nothing the archive does not know of can be had."""
    case = await house.ledger.read(partial(case_of_file, path=path))
    if case is None or case.path is None:
        raise NotThere("The archive has no such file.")
    stored = house.settings.data_dir / case.path
    if not stored.is_file():
        raise NotThere("This file is missing on the disk.", fix="`limpet verify` says what else is.")
    name = PurePosixPath(case.path).name
    return FileResponse(stored, media_type="application/pdf", filename=name)


def _streamed(house: House, form: str, source: str | None, *, downloaded: bool) -> Response:
    known = cast(Format, form)
    wanted = CaseFilter(source_id=source, is_downloaded=True if downloaded else None)
    pieces = export(Archive(house.ledger, house.settings.data_dir), known, wanted)
    headers = {"content-disposition": f'attachment; filename="judgments.{form}"'}
    return StreamingResponse(pieces, media_type=MEDIA_TYPES[known], headers=headers)
