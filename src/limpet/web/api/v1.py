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
    rereading,
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
    rereading,  # before the switches, whose address would fit a canary too
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
