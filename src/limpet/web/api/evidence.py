"""Jobs and their evidence under /api/v1, and what is news among the prices."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from limpet.apps.prices.changes import Kind, changes
from limpet.record.inspecting import requests_of
from limpet.web.api.routes import PROBLEMS, Audience
from limpet.web.api.shapes import AttemptShape, JobShape, ListShape, Shape
from limpet.web.asking import RowNumber
from limpet.web.lookout import TheHouse
from limpet.web.pages.docket_case import document
from limpet.web.pages.evidence import job_of, kept_of, source_text

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)

Days = Annotated[int, Query(ge=1, le=365, description="How far to look back.")]


class RequestShape(Shape):
    """One request that was sent for a job."""

    url: str
    kind: str
    started_at: datetime
    elapsed_ms: float
    waited_ms: float
    outcome: str
    status: int | None
    error_code: str | None
    bytes_received: int
    robots_verdict: str | None
    retry_after_seconds: float | None


class SnapshotShape(Shape):
    """The page a job was judged by."""

    sha256: str
    raw_bytes: int
    media_type: str
    first_seen_at: datetime
    purged_at: datetime | None
    removal: str = Field(description="How its body went: `removed by the retention rule on 2026-01-31`.")


class EvidenceShape(BaseModel):
    """A job with everything that was tried, sent and kept for it."""

    job: JobShape
    requests: list[RequestShape]
    snapshot: SnapshotShape | None = Field(description="Its text: `/api/v1/jobs/{job_id}/evidence/source`.")


class ChangeShape(Shape):
    """One observation that differs from the one before it."""

    source_id: str
    identity_key: str
    title: str
    observed_at: datetime
    currency: str
    price_cents: int
    before_cents: int
    percent: float
    job_id: int
    is_current: bool


@router.get("/jobs/{job_id}/evidence", tags=["runs"])
async def evidence(house: TheHouse, job_id: RowNumber) -> EvidenceShape:
    """Return one job: its tries, what was sent for it, and what is kept of the page."""
    job = await job_of(house, job_id)
    shape = JobShape.model_validate(job)
    shape.tries = [AttemptShape.model_validate(each) for each in await house.ledger.attempts(job.id)]
    sent = await house.ledger.read(partial(requests_of, job=job))
    kept = await kept_of(house, job)
    return EvidenceShape(
        job=shape,
        requests=[RequestShape.model_validate(each) for each in sent],
        snapshot=SnapshotShape.model_validate(kept) if kept is not None else None,
    )


@router.get(
    "/jobs/{job_id}/evidence/source",
    tags=["runs"],
    response_class=Response,
    responses={200: {"content": {"text/plain": {}, "application/octet-stream": {}}}},
)
async def source(house: TheHouse, job_id: RowNumber) -> Response:
    """Return the whole stored page as plain text; a file that is no text as bytes."""
    return await source_text(house, job_id)


@router.get(
    "/dockets/documents/{document_id}",
    tags=["dockets"],
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}}},
)
async def docket_document(house: TheHouse, document_id: RowNumber) -> Response:
    """Return a kept PDF of a docket."""
    return await document(house, document_id)


@router.get("/prices/changes", tags=["prices"])
async def news(
    house: TheHouse, kind: Kind = "price_drop", days: Days = 7, visibility: Audience = "consumer"
) -> ListShape[ChangeShape]:
    """List prices that fell, or products that are back in stock; newest first."""
    now = house.clock.now()
    look = partial(changes, kind=kind, visibility=visibility, since=now - timedelta(days=days), now=now)
    found = await house.ledger.read(look)
    return ListShape(items=[ChangeShape.model_validate(each) for each in found], next=None)
