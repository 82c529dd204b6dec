"""What changed on the pages of a site that drifted, and the bundle for whoever mends it."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.web.lookout import TheHouse
from limpet.web.rendering import render
from limpet.web.repairing import findings_of, zip_of

router = APIRouter(include_in_schema=False)

# It holds pages of strangers: only ever a file to be saved.
_INERT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"


@router.get("/adapters/{adapter_id}/repair")
async def repair(request: Request, house: TheHouse, adapter_id: str) -> Response:
    """Show the findings in full."""
    findings = await findings_of(house, adapter_id)
    return render(request, "repair.html", {"breakage": findings})


@router.get("/adapters/{adapter_id}/repair.zip")
async def bundle(house: TheHouse, adapter_id: str) -> Response:
    """Return the bundle as a file to be saved, never as a page of ours."""
    body = await zip_of(house, adapter_id)
    headers = {
        "content-security-policy": _INERT,
        "content-disposition": f'attachment; filename="repair-{house.sites.get(adapter_id).id}.zip"',
    }
    return Response(body, media_type="application/zip", headers=headers)
