"""Dockets: registers by year, the map of their numbers, their gaps, and the list of cases."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.apps.dockets.views.cases import CaseFilter, list_cases
from limpet.apps.dockets.views.coverage import ROW, SQUARE, Word, numbers_between
from limpet.apps.dockets.views.registers import RegisterView, list_registers
from limpet.assembly import House
from limpet.extract.parse.case_number import LARGEST_NUMBER, CaseNumberProblem, parse_case_number
from limpet.web.asking import After, Search
from limpet.web.docketing import APP
from limpet.web.lookout import TheHouse
from limpet.web.registers import First, TheCharts, TheRegister, YearAsked
from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)

_CASES_A_PAGE = 60
_NUMBERS_A_PAGE = 500
_GAPS_A_PAGE = 200
Status = Annotated[Literal["succeeded", "no_record", "failed", ""] | None, Query()]
Kind = Annotated[Literal["unasked", "failed", "absent"], Query()]


@router.get("/dockets")
async def dockets(request: Request, house: TheHouse, search: Search = None) -> Response:
    """List registers by year; a case number leads to its case."""
    if search:
        return await _look_up(house, search)
    now = house.clock.now()
    views = await house.ledger.read(list_registers)
    context = {
        "registers": views,
        "probes": {view.register: view.probe_state(now) for view in views},
        "sources": house.catalogue.list(app=APP),
    }
    return render(request, "dockets.html", context)


@router.get("/dockets/cases")
async def cases(
    request: Request,
    house: TheHouse,
    *,
    source: Search = None,
    prefix: Search = None,
    year: YearAsked = None,
    status: Status = None,
    search: Search = None,
    changed: bool = False,
    after: After = 0,
) -> Response:
    """List cases, searched and filtered."""
    wanted = CaseFilter(
        source_id=source or None,
        prefix=(prefix or "").upper() or None,
        year=year,
        status=status or None,
        search=search or None,
        is_changed=changed,
    )
    look = partial(list_cases, wanted=wanted, after=after, limit=_CASES_A_PAGE + 1)
    found = await house.ledger.read(look)
    asked = {"source": source or "", "prefix": prefix or "", "year": year or "", "status": status or ""}
    context = {
        "cases": found[:_CASES_A_PAGE],
        "has_more": len(found) > _CASES_A_PAGE,
        "sources": house.catalogue.list(app=APP),
        "asked": asked | {"search": search or "", **({"changed": "true"} if changed else {})},
        "after": after,
    }
    return render(request, "docket_cases.html", context)


@router.get("/dockets/{source_id}/{prefix}/{year}")
async def register(request: Request, house: TheHouse, charts: TheCharts, view: TheRegister) -> Response:
    """Show one register: how far it goes, and the map of its numbers."""
    squares = await charts.map_of(view)
    rows = [squares[at : at + ROW // SQUARE] for at in range(0, len(squares), ROW // SQUARE)]
    context = _about(house, view) | {
        "rows": rows,
        "words": list(Word),
        "square": SQUARE,
        "map_last": view.map_end,
    }
    return render(request, "docket_register.html", context)


@router.get("/dockets/{source_id}/{prefix}/{year}/numbers")
async def numbers(request: Request, house: TheHouse, view: TheRegister, first: First = 1) -> Response:
    """Show numbers one by one."""
    end = min(first + _NUMBERS_A_PAGE - 1, LARGEST_NUMBER)
    look = partial(numbers_between, register=view.register, first=first, last=end)
    context = _about(house, view) | {
        "numbers": await house.ledger.read(look),
        "first": first,
        "end": end,
        "step": _NUMBERS_A_PAGE,
        "words": list(Word),
        "largest": LARGEST_NUMBER,
    }
    return render(request, "docket_numbers.html", context)


@router.get("/dockets/{source_id}/{prefix}/{year}/gaps")
async def gaps(
    request: Request,
    house: TheHouse,
    charts: TheCharts,
    view: TheRegister,
    *,
    kind: Kind = "unasked",
    first: First = 0,
) -> Response:
    """List the holes: never asked for, failed, absent by the court's word."""
    found = await charts.gaps_of(view)
    holes = {"unasked": found.unasked, "failed": found.failed, "absent": found.absent}
    listed = [hole for hole in holes[kind] if hole.first >= first]
    context = _about(house, view) | {
        "gaps": found,
        "kind": kind,
        "counts": {word: sum(hole.count for hole in each) for word, each in holes.items()},
        "holes": listed[:_GAPS_A_PAGE],
        "more_from": listed[_GAPS_A_PAGE].first if len(listed) > _GAPS_A_PAGE else None,
    }
    return render(request, "docket_gaps.html", context)


def _about(house: House, view: RegisterView) -> dict[str, Any]:
    return {
        "view": view,
        "probe": view.probe_state(house.clock.now()),
        "base": f"/dockets/{view.source_id}/{view.prefix}/{view.year}",
        "can_run": any(source.id == view.source_id for source in house.catalogue.list(app=APP)),
    }


async def _look_up(house: House, text: str) -> Response:
    """Lead to the case a number names when one source knows it, else to the list of what fits."""
    case = parse_case_number(text)
    if not isinstance(case, CaseNumberProblem):
        found = await house.ledger.read(partial(list_cases, wanted=CaseFilter(search=str(case)), limit=2))
        if len(found) == 1:
            place = f"/dockets/{quote(found[0].source_id, safe='')}/cases/{quote(found[0].case_id, safe='')}"
            return RedirectResponse(place, 303)
    return RedirectResponse(f"/dockets/cases?{urlencode({'search': text})}", 303)
