"""The overview: the grade and why, every source, the latest runs."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.web.lookout import TheLookout
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)


@router.get("/")
async def overview(request: Request, lookout: TheLookout) -> Response:
    """Show the whole house at a glance."""
    return render(request, "overview.html", {"glance": await lookout.glance()})
