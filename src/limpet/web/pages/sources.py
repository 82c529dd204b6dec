"""Sources: on what terms each is visited, how it stands, and how politely it was treated."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from limpet.errors import ConfigError
from limpet.observe.freshness import lanes_of
from limpet.observe.health import source_findings
from limpet.observe.standing import Standing
from limpet.record.politeness import DomainPoliteness
from limpet.record.reading import list_runs
from limpet.source import Source
from limpet.target.schedule import parse_schedule
from limpet.web.lane_gates import lane_gates
from limpet.web.lookout import MONITORED, TheHouse, TheLookout
from limpet.web.rendering import render
from limpet.web.repairing import breakage_of

router = APIRouter(include_in_schema=False)

_RUNS_SHOWN = 10
_DAYS = 1
Days = Annotated[int, Query(ge=1, le=3_650)]


@router.get("/sources")
async def sources(request: Request, house: TheHouse, lookout: TheLookout) -> Response:
    """List every source with its gate, clocks and pace."""
    glance = await lookout.glance()
    due = {each.source.id: next_due(each.source, glance.taken_at) for each in glance.standings}
    context = {"glance": glance, "due": due, "config": house.settings.config}
    monitored = {each.source.id for each in glance.standings if each.source.app == MONITORED}
    return render(request, "sources.html", context | {"monitored": monitored})


@router.get("/sources/{source_id}")
async def source(request: Request, house: TheHouse, lookout: TheLookout, source_id: str) -> Response:
    """Show one source."""
    known = house.catalogue.get(source_id)
    glance = await lookout.glance()
    now = glance.taken_at
    standing = glance.standing_of(known.id) or Standing(known)
    chosen = partial(list_runs, app=known.app, source_id=known.id, limit=_RUNS_SHOWN)
    context = {
        "source": known,
        "site": house.sites.get(known.site),
        "breakage": await breakage_of(house, await house.ledger.adapter_status(known.site)),
        "standing": standing,
        "grade": glance.grade_of(standing),
        "findings": source_findings(standing, now=now),
        "needs_browser": lookout.needs_browser(known),
        "browser_fix": lookout.browser_fix(),
        "due": next_due(known, now),
        "is_monitored": known.app == MONITORED,
        "budget": glance.budget_of(standing),
        "is_counted": glance.budgets is not None,
        "lanes": await lane_gates(house, known),
        "runs": await house.ledger.read(chosen),
        "domains": await _manners(house, lanes_of(known), since=now - timedelta(days=_DAYS)),
        "days": _DAYS,
    }
    return render(request, "source.html", context)


@router.get("/politeness")
async def politeness(request: Request, lookout: TheLookout, days: Days = _DAYS) -> Response:
    """Account for every request, per registrable domain."""
    domains = await lookout.manners(days)
    context = {
        "domains": [each for each in domains if each.domain],
        # What our own gates turned away before any domain was charged never reached anybody.
        "never_sent": sum(each.requests for each in domains if not each.domain),
        "days": days,
    }
    return render(request, "politeness.html", context)


async def _manners(house: TheHouse, lanes: tuple[str, ...], *, since: datetime) -> list[DomainPoliteness]:
    return [each for lane in lanes for each in await house.ledger.politeness(since=since, domain=lane)]


def next_due(source: Source, now: datetime) -> datetime | None:
    """Return when the source's schedule fires next; None when it has none."""
    if not source.schedule:
        return None
    try:
        schedule = parse_schedule(source.schedule)
    except ConfigError:
        return None
    return schedule.next_fire(schedule.last_fire(now))
