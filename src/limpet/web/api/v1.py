"""The API, put together: whatever the pages can do, a program can do here."""

from __future__ import annotations

from fastapi import APIRouter

from limpet.web.api import (
    accounts,
    alerts,
    corrections,
    evidence,
    house,
    matches,
    quarantine,
    repair,
    routes,
    running,
    sources,
    switches,
    targets,
)

router = APIRouter()
for room in (
    running,
    sources,
    targets,
    switches,
    repair,
    alerts,
    quarantine,
    corrections,
    evidence,
    matches,
    house,
    accounts,
    routes,
):
    router.include_router(room.router)
