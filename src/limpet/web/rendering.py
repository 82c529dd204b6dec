"""Templates become pages here; everything is escaped unless it was made by us."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from limpet import __version__
from limpet.assembly import House, all_apps
from limpet.web import words
from limpet.web.access.caller import caller_of
from limpet.web.acting import DONE
from limpet.web.static import address_of

_NAVIGATION = (
    ("/", "Overview"),
    ("/runs", "Runs"),
    ("/alerts", "Alerts"),
    ("/errors", "Errors"),
    ("/sources", "Sources"),
    ("/adapters", "Adapters"),
    ("/targets", "Targets"),
    ("/quarantine", "Quarantine"),
    ("/prices", "Prices"),
    ("/dockets", "Dockets"),
    ("/judgments", "Judgments"),
    ("/matches", "Matches"),
    ("/politeness", "Politeness"),
)
# The letter that leads there, after `g`.
_KEYS = {
    "o": "/",
    "r": "/runs",
    "a": "/alerts",
    "e": "/errors",
    "s": "/sources",
    "t": "/targets",
    "q": "/quarantine",
    "p": "/prices",
    "d": "/dockets",
    "j": "/judgments",
    "m": "/matches",
}


@cache
def templates() -> Environment:
    """Return the one environment; a name that is not there is an error, never an empty string."""
    environment = Environment(
        loader=PackageLoader("limpet.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "segments": words.segments,
        "summary": words.summary,
        "span": words.span,
        "ago": words.ago,
        "moment": words.moment_text,
        "size": words.size,
        "money": words.money,
        "web_link": words.web_link,
        "in_path": words.in_path,
        "shorn": words.shorn,
        "with_code": words.with_code,
        "count": "{:,}".format,
        "from_stamp": words.from_stamp,
        "from_iso": words.from_iso,
    }
    environment.globals |= {
        "version": __version__,
        "navigation": _NAVIGATION,
        "keys": [(key, address, dict(_NAVIGATION)[address]) for key, address in _KEYS.items()],
        # Where each app shows what it has, as far as it has a page.
        "app_pages": {name.lower(): address for address, name in _NAVIGATION if name.lower() in all_apps()},
        "static": address_of,
        "state_order": words.STATE_ORDER,
        "meanings": words.MEANINGS,
    }
    return environment


def make_ready() -> None:
    """Compile what the overview is made of, so that its first visitor need not wait for it."""
    for name in ("_parts.html", "_base.html", "overview.html"):
        templates().get_template(name)


def render(
    request: Request,
    template: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the page."""
    house: House = request.app.state.house
    me = caller_of(request)
    text = (
        templates()
        .get_template(template)
        .render(
            path=request.scope["path"],
            now=house.clock.now(),
            done=DONE.get(request.query_params.get("done", "")),
            me=me,
            can_act=me is not None and me.may_operate,
            **context,
        )
    )
    return HTMLResponse(text, status, headers=dict(headers or {}))
