"""The portal, put together: pages, API, live news, and the doorkeeper in front of them all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import ModuleType

from fastapi import Depends, FastAPI
from starlette.middleware import Middleware

from limpet import __version__
from limpet.assembly import House
from limpet.web import live, log_stream, matches, static, wellbeing
from limpet.web.access.forgery import refuse_forgery
from limpet.web.access.gatekeeper import Gatekeeper
from limpet.web.api import dockets as dockets_api
from limpet.web.api import guide, judgments, v1
from limpet.web.api.description import describe
from limpet.web.api.judgments.waiting import Bell
from limpet.web.guard import Doorkeeper
from limpet.web.lookout import Lookout
from limpet.web.pages import (
    account,
    accounts,
    adapters,
    alerts,
    corrections,
    docket_case,
    dockets,
    entrance,
    evidence,
    judgment_index,
    operating,
    overview,
    prices,
    quarantine,
    records,
    repair,
    runs,
    sources,
    targets,
)
from limpet.web.pages import judgments as judgment_pages
from limpet.web.pages import matches as match_pages
from limpet.web.problems import refuse, teach_problems
from limpet.web.registers import Charts
from limpet.web.repeating import Repeating
from limpet.web.second_look import SecondLook
from limpet.web.shelf import Shelf

_ROOMS = (
    *(
        entrance,
        overview,
        alerts,
        runs,
        evidence,
        sources,
        adapters,
        repair,
        targets,
        quarantine,
        corrections,
    ),
    *(operating, records, match_pages),
    *(docket_case, dockets, dockets_api),
    *(judgment_index, judgment_pages),
    *(
        prices,
        matches,
        account,
        accounts,
        live,
        log_stream,
        static,
        wellbeing,
        v1,
        judgments,
        guide,
    ),
)


def metrics_door_for(house: House) -> FastAPI:
    """Return an app that answers what machines ask who watch, and nothing else: for a port of their own."""
    return portal_for(house, rooms=(wellbeing,))


def portal_for(house: House, *, rooms: Sequence[ModuleType] = _ROOMS) -> FastAPI:
    """Return the app that shows this house; `serve_portal` opens it to the world."""
    app = FastAPI(
        title="Limpet",
        version=__version__,
        summary="What was scraped, how it went, and how politely.",
        # The usual documentation pages load scripts from other people's servers.
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
        middleware=[
            Middleware(
                Doorkeeper,
                host=house.settings.host,
                public_name=house.settings.public_name,
                refuse=refuse,
            ),
            Middleware(Gatekeeper, house=house),
            Middleware(Repeating, house=house),
            Middleware(SecondLook),
        ],
        dependencies=[Depends(refuse_forgery)],
    )
    app.state.house = house
    app.state.lookout = Lookout(house)
    app.state.beside = (app.state.lookout.count_ahead,)  # done while the first pages are shown
    app.state.shelf = Shelf(house)
    app.state.charts = Charts(house)
    app.state.closing = asyncio.Event()
    app.state.listeners = set()
    app.state.log_listeners = set()
    app.state.bell = Bell(house, lambda: app.state.closing)
    for room in rooms:
        app.include_router(room.router)
    # FastAPI's own way to say more than it knows by itself.
    vars(app)["openapi"] = describe(app)
    teach_problems(app)
    return app
