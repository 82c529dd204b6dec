"""For machines that watch: /health, /ready and /metrics."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import structlog
from fastapi import APIRouter
from pydantic import BaseModel
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from limpet import __version__
from limpet.apps.matches.figures import MonitorCollector
from limpet.apps.matches.monitor.health import Overall, health_status
from limpet.assembly import House
from limpet.errors import LimpetError, NotThere
from limpet.observe.health import Finding
from limpet.observe.metrics import MEDIA_TYPE, render_metrics
from limpet.web.access.caller import caller_of
from limpet.web.glance import Glance
from limpet.web.lookout import Lookout, TheHouse, TheLookout

_log = structlog.get_logger("limpet.portal")

router = APIRouter(tags=["health"])
_ORDER: tuple[Overall, ...] = ("healthy", "degraded", "down")


class FindingShape(BaseModel):
    """One reason for a grade."""

    grade: str
    subject: str
    sentence: str
    fix: str


class HealthShape(BaseModel):
    """How we are. `down` only ever stands here: whoever can be graded is not down."""

    status: Literal["healthy", "degraded", "down"]
    version: str
    uptime_seconds: float
    database: Literal["ok", "unavailable"]
    grade: str | None
    is_idle: bool
    findings: list[FindingShape]
    open_jobs: int
    disk_free_bytes: int | None
    at: datetime
    # the match monitor, in the words its users know
    timestamp: datetime
    active_scraper_count: int = 0
    total_matches_scraping: int = 0
    scrapers: list[dict[str, Any]] = []
    resources: dict[str, float] = {}
    errors: dict[str, Any] = {}
    performance: dict[str, float] = {}


@router.get("/health", response_model=HealthShape)
@router.get("/api/v1/health", response_model=HealthShape)
async def health(request: Request, house: TheHouse, lookout: TheLookout) -> Any:
    """Say how we are; 503 when the ledger cannot be read, or live matches are watched and none answers.

    Findings name sources: strangers get none.
    """
    _refuse_unless(house.settings.health_check_enabled, "LIMPET_HEALTH_CHECK_ENABLED")
    glance = await _glance(lookout)
    watched = await _monitor_health(house)
    status = _worse(_status(glance), watched.pop("status"))
    findings = glance.health.findings if glance is not None and caller_of(request) is not None else ()
    shape = HealthShape(
        status=status,
        version=__version__,
        uptime_seconds=round(lookout.uptime_seconds, 3),
        database="ok" if glance is not None else "unavailable",
        grade=glance.health.grade.value if glance is not None else None,
        is_idle=glance.health.is_idle if glance is not None else False,
        findings=[_shape(finding) for finding in findings],
        open_jobs=glance.open_jobs if glance is not None else 0,
        disk_free_bytes=glance.disk.free_bytes if glance is not None else None,
        at=house.clock.now(),
        **watched,
    )
    return JSONResponse(shape.model_dump(mode="json"), 503 if status == "down" else 200)


@router.get("/ready", response_model=dict[str, bool])
async def ready(house: TheHouse) -> Any:
    """Say whether questions can be answered: the ledger is open and reads."""
    try:
        await house.ledger.read(_touch)
    except Exception as error:
        _log.warning("not_ready", error=repr(error))
        return JSONResponse({"ready": False}, 503)
    return {"ready": True}


@router.get("/metrics", include_in_schema=False)
async def metrics(house: TheHouse, lookout: TheLookout) -> Response:
    """Return every figure in Prometheus' own words."""
    _refuse_unless(house.settings.enable_prometheus_metrics, "LIMPET_ENABLE_PROMETHEUS_METRICS")
    figures = await lookout.figures()
    body = render_metrics(
        figures,
        now=house.clock.now(),
        uptime_seconds=lookout.uptime_seconds,
        more=[MonitorCollector(house.monitor)],
    )
    return Response(body, headers={"content-type": MEDIA_TYPE})


def _refuse_unless(is_on: bool, setting: str) -> None:
    if not is_on:
        raise NotThere("This is switched off here.", fix=f"{setting}=true switches it on.")


async def _glance(lookout: Lookout) -> Glance | None:
    try:
        return await lookout.glance()
    except Exception as error:  # whatever it is, /health must be the one that can still say so
        _log.error("ledger_unreadable", error=repr(error))
        return None


def _status(glance: Glance | None) -> Overall:
    if glance is None:
        return "down"
    return "healthy" if glance.health.grade in ("healthy", "recovering") else "degraded"


def _worse(one: Overall, other: Overall) -> Overall:
    return max(one, other, key=_ORDER.index)


async def _monitor_health(house: House) -> dict[str, Any]:
    """Return seed 002's HealthStatus, from memory; a house without matches is healthy and idle."""
    room = house.monitor.room
    try:
        breakers = await room.breakers.states()
    except LimpetError:
        breakers = []  # their store is away; the rest of the answer does not wait for it
    return health_status(room, house.monitor.caretaker.load, breakers)


def _shape(finding: Finding) -> FindingShape:
    return FindingShape(
        grade=finding.grade.value, subject=finding.subject, sentence=finding.sentence, fix=finding.fix
    )


def _touch(connection: Connection) -> None:
    connection.exec_driver_sql("SELECT 1 FROM runs LIMIT 1")
