"""The first site: a discovery page, fixtures, and live pages that are a script."""

from __future__ import annotations

import json
from typing import Any

from tidepool.scoreboard.crex_api import token_of
from tidepool.scoreboard.fixture import Fixture, Kind
from tidepool.scoreboard.pages import TEMPLATES
from tidepool.scoreboard.stadium import Stadium
from tidepool.scoreboard.standing import Standing, standing_at
from tidepool.site import Request, Response, Setup, html, plain

ROBOTS = "User-agent: *\nDisallow: /profile\nDisallow: /account\n"
TOSS_LATE_TICKS, GROUND_LATE_TICKS = 40, 80


class Crex:
    """A scoreboard site in the shape of crex: lists rendered on the server, matches by script."""

    title = "live cricket by script: sV3 and sC4 polled by the page, names late in localStorage"

    def __init__(self, setup: Setup) -> None:
        self.stadium = Stadium(setup)
        self._setup = setup

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Answer with a list, a match page, or nothing."""
        if request.path == "/robots.txt":
            return plain(ROBOTS)
        if request.path in ("/", "/live-matches", "/live-matches/"):
            layout = "home.html" if request.path == "/" else "live_matches.html"
            cards = [_card(standing) for standing in self.stadium.listed(tick)]
            return self._page(layout, request, cards=cards)
        if request.path.startswith("/fixtures/match-list"):
            rows = [self._row(fixture, tick) for fixture in self.stadium.fixtures]
            return self._page("fixtures.html", request, rows=[row for row in rows if row])
        return self._match(request, tick)

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say how the match of that key, or of the address it is in, stands."""
        parts = path.strip("/").split("/")
        key = parts[1] if parts[0] == "scoreboard" and len(parts) > 1 else parts[0]
        fixture = self.stadium.with_key(key)
        return self.stadium.truth(fixture, tick=tick) if fixture else None

    def _match(self, request: Request, tick: int) -> Response:
        parts = request.path.strip("/").split("/")
        fixture = self.stadium.with_key(parts[1]) if parts[0] == "scoreboard" and len(parts) > 2 else None
        if fixture is None or parts[-1] not in ("live", "scorecard", "info"):
            return self._page("missing.html", request, status=404)
        if parts[-1] == "info":
            return self._page("info.html", request, fixture=fixture, **self._info(fixture, tick))
        return self._page("live.html", request, fixture=fixture, key=fixture.key)

    def _info(self, fixture: Fixture, tick: int) -> dict[str, Any]:
        since = tick - fixture.start_tick
        is_late = fixture.kind is Kind.LATE
        has_toss = since >= (TOSS_LATE_TICKS if is_late else 0)
        has_ground = not is_late or since >= GROUND_LATE_TICKS
        winner = fixture.sides[fixture.toss_won_by]
        return {
            "date": self.stadium.starts_at(fixture).strftime("%A, %d %B, %I:%M %p"),  # no year, no zone
            "ground": ", ".join(fixture.ground) if has_ground else "",
            "toss": f"{winner.short} won the toss and chose to {fixture.toss_choice}" if has_toss else "",
        }

    def _row(self, fixture: Fixture, tick: int) -> dict[str, Any] | None:
        standing = standing_at(fixture, tick)
        if standing.phase == "finished":
            return None
        return {
            "fixture": fixture,
            "clock": self.stadium.starts_at(fixture).strftime("%I:%M %p").lstrip("0"),
            "is_live": standing.is_live,
        }

    def _page(self, template: str, request: Request, *, status: int = 200, **facts: Any) -> Response:
        config = {
            "api": request.base.replace("://crex.", "://crexapi.", 1) + "/v10/",
            "token": token_of(self._setup.seed),
            "pollMs": int(self._setup.poll_seconds * 1000),
            "bookMs": int(self._setup.code_book_seconds * 1000),
        }
        page = TEMPLATES.get_template(template).render(config=json.dumps(config), **facts)
        return html(page, status=status)


def _card(standing: Standing) -> dict[str, Any]:
    current = standing.current
    return {
        "fixture": standing.fixture,
        "score": f"{current.runs}-{current.wickets}" if current else "",
        "overs": current.overs_text if current else "",
        "batting": standing.fixture.sides[current.side].short if current else "",
        "result": standing.result,
    }
