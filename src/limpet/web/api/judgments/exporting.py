"""The archive as files to take away, streamed as they are made."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from limpet.apps.judgments.case_filter import CaseFilter
from limpet.apps.judgments.exports import MEDIA_TYPES, Archive, Format, export
from limpet.apps.judgments.views import case_of_file
from limpet.assembly import House
from limpet.errors import NotThere
from limpet.web.case_asking import TheCases
from limpet.web.judging import pdf_of
from limpet.web.lookout import TheHouse

router = APIRouter(tags=["judgments"])

Downloaded = Annotated[bool, Query(description="Only cases whose PDF is stored.")]


def _a_file(word: Format) -> dict[int | str, dict[str, Any]]:
    """Return how the API's description tells of a file."""
    return {200: {"content": {MEDIA_TYPES[word]: {}}, "description": "The file, streamed as it is made."}}


@router.get("/export/csv", response_class=Response, responses=_a_file("csv"))
async def as_csv(house: TheHouse, wanted: TheCases, downloaded: Downloaded = False) -> Response:
    """Return every case that fits as CSV."""
    return _streamed(house, "csv", wanted, downloaded=downloaded)


@router.get("/export/jsonl", response_class=Response, responses=_a_file("jsonl"))
async def as_json_lines(house: TheHouse, wanted: TheCases, downloaded: Downloaded = False) -> Response:
    """Return every case that fits as JSON, one a line."""
    return _streamed(house, "jsonl", wanted, downloaded=downloaded)


@router.get("/export/parquet", response_class=Response, responses=_a_file("parquet"))
async def as_parquet(house: TheHouse, wanted: TheCases, downloaded: Downloaded = False) -> Response:
    """Return every case that fits as Parquet."""
    return _streamed(house, "parquet", wanted, downloaded=downloaded)


@router.get("/api/exports/latest.xlsx", response_class=Response, responses=_a_file("xlsx"))
@router.get("/export/xlsx", response_class=Response, responses=_a_file("xlsx"))
async def as_workbook(house: TheHouse, wanted: TheCases, downloaded: Downloaded = False) -> Response:
    """Return every case that fits as a workbook, with sheets of what is stored and what is not, and summaries."""
    return _streamed(house, "xlsx", wanted, downloaded=downloaded)


@router.get("/download/all.zip", response_class=Response, responses=_a_file("zip"))
@router.get("/export/zip", response_class=Response, responses=_a_file("zip"))
async def as_zip(house: TheHouse, wanted: TheCases) -> Response:
    """Return the stored PDFs that fit as a ZIP, with a manifest that says of each whether it is whole."""
    return _streamed(house, "zip", wanted, downloaded=True)


@router.get("/files/{path:path}")
async def file(house: TheHouse, path: str) -> Response:
    """Return one stored PDF by its `saved_path`; nothing the archive does not know of can be had."""
    case = await house.ledger.read(partial(case_of_file, path=path))
    if case is None:
        raise NotThere("The archive has no such file.")
    return await pdf_of(house, case)


def _streamed(house: House, form: Format, wanted: CaseFilter, *, downloaded: bool) -> Response:
    wanted = replace(wanted, is_downloaded=True) if downloaded else wanted
    pieces = export(Archive(house.ledger, house.settings.data_dir), form, wanted)
    headers = {"content-disposition": f'attachment; filename="judgments.{form}"'}
    return StreamingResponse(pieces, media_type=MEDIA_TYPES[form], headers=headers)
