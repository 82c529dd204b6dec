"""A job and its evidence: the stored page, never served as a page of ours."""

from __future__ import annotations

import asyncio
from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.assembly import House
from limpet.errors import NotThere, SnapshotDamaged
from limpet.record.inspecting import Evidence, find_evidence, find_job, requests_of
from limpet.record.reading import Job
from limpet.record.retention.horizons import notes_gone
from limpet.web.asking import RowNumber
from limpet.web.exhibit import Exhibit, as_text, exhibit_of, is_binary
from limpet.web.lookout import TheHouse
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

# Even opened on its own, the text of somebody else's page may do nothing at all.
_INERT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"


@router.get("/jobs/{job_id}/evidence")
async def evidence(request: Request, house: TheHouse, job_id: RowNumber) -> Response:
    """Show the job, what was tried and sent for it, and the page it was judged by."""
    job = await job_of(house, job_id)
    kept, exhibit, damage = await exhibit_for(house, job_id)
    context = {
        "job": job,
        "attempts": await house.ledger.attempts(job.id),
        "requests": await house.ledger.read(partial(requests_of, job=job)),
        "gone": await house.ledger.read(partial(notes_gone, job=job)),
        "kept": kept,
        "exhibit": exhibit,
        "damage": damage,
    }
    return render(request, "evidence.html", context)


@router.get("/jobs/{job_id}/evidence/source")
async def source_text(house: TheHouse, job_id: RowNumber) -> Response:
    """Return the whole stored page as plain text; a file that is no text is only ever downloaded."""
    kept = await kept_of(house, await job_of(house, job_id))
    if kept is not None and kept.purged_at is not None:
        raise NotThere(f"The page of this job was {kept.removal}.", fix="Its hash stays on record.")
    if kept is None:
        raise NotThere("No page is kept for this job.", fix="Its attempts say why.")
    body = await house.ledger.read_snapshot(kept.sha256)
    headers = {
        "content-security-policy": _INERT,
        "content-disposition": f'inline; filename="job-{job_id}.txt"',
    }
    if is_binary(body, kept.media_type):
        headers["content-disposition"] = f'attachment; filename="job-{job_id}.bin"'
        return Response(body, media_type="application/octet-stream", headers=headers)
    text = as_text(body, media_type=kept.media_type, charset=kept.charset)
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


async def exhibit_for(house: House, job_id: int) -> tuple[Evidence | None, Exhibit | None, str]:
    """Return what is kept of the page a job was judged by, what can be shown of it, or why it cannot."""
    kept = await kept_of(house, await job_of(house, job_id))
    return kept, *(await _exhibit(house, kept))


async def job_of(house: House, job_id: int) -> Job:
    """Return the job, or raise NotThere."""
    job = await house.ledger.read(partial(find_job, job_id=job_id))
    if job is None:
        raise NotThere(f"There is no job {job_id}.", fix="Open a run: it lists its jobs.")
    return job


async def kept_of(house: House, job: Job) -> Evidence | None:
    """Return what is kept of the page the job was judged by, if anything."""
    if job.snapshot is None:
        return None
    return await house.ledger.read(partial(find_evidence, sha256=job.snapshot))


async def _exhibit(house: House, kept: Evidence | None) -> tuple[Exhibit | None, str]:
    """Return what can be shown, or why what was kept cannot."""
    if kept is None or kept.purged_at is not None:
        return None, ""
    try:
        body = await house.ledger.read_snapshot(kept.sha256)
    except SnapshotDamaged as damage:
        return None, str(damage)
    show = partial(exhibit_of, body, media_type=kept.media_type, charset=kept.charset)
    return await asyncio.to_thread(show), ""
