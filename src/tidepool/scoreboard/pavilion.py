"""The second site: rendered on the server, everything a reader needs in one JSON inside the page."""

from __future__ import annotations

import json
from typing import Any

from tidepool.scoreboard.fixture import Fixture, Kind
from tidepool.scoreboard.pages import TEMPLATES
from tidepool.scoreboard.pavilion_state import all_balls, listed_match, match_state
from tidepool.scoreboard.stadium import Stadium
from tidepool.scoreboard.standing import standing_at
from tidepool.site import Request, Response, Setup, html, json_answer, plain

LAG_TICKS = 30
ROBOTS = "User-agent: *\nDisallow: /admin\n"


class Pavilion:
    """A scoreboard site of another make: home and away, words of its own, overs as JSON numbers."""

    title = "the same cricket from the server: JSON in the page, sometimes late, sometimes wrong"

    def __init__(self, setup: Setup) -> None:
        self.stadium = Stadium(setup)

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Answer with the list, a match, or the balls of an innings."""
        if request.path == "/robots.txt":
            return plain(ROBOTS)
        if request.path in ("/", "/scores"):
            return self._list(tick)
        parts = request.path.strip("/").split("/")
        fixture = self.stadium.with_number(parts[1]) if parts[0] == "matches" and len(parts) > 1 else None
        if fixture is None:
            return html(TEMPLATES.get_template("missing.html").render(config="{}"), status=404)
        seen = tick - LAG_TICKS if fixture.kind is Kind.LAGGING else tick
        if parts[-1] == "balls":
            return self._balls(fixture, request, seen)
        return self._match(fixture, seen)

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say how the match of that number stands; the path is `/matches/90001` or `/90001`."""
        fixture = self.stadium.with_number(path.strip("/").removeprefix("matches/").split("/")[0])
        return self.stadium.truth(fixture, tick=tick) if fixture else None

    def _list(self, tick: int) -> Response:
        matches = [
            listed_match(standing, starts_at=self.stadium.starts_at(standing.fixture))
            for fixture in self.stadium.fixtures
            if (standing := standing_at(fixture, tick)).is_listed or standing.phase == "not_started"
        ]
        return _page("Scores", {"page": "scores", "matches": matches})

    def _match(self, fixture: Fixture, tick: int) -> Response:
        standing = standing_at(fixture, tick)
        state = match_state(standing, starts_at=self.stadium.starts_at(fixture))
        return _page(state["title"], {"page": "match", "match": state})

    def _balls(self, fixture: Fixture, request: Request, tick: int) -> Response:
        standing = standing_at(fixture, tick)
        wanted = request.parameters.get("innings", "")
        return json_answer({"matchId": fixture.number, "balls": all_balls(standing, innings=wanted)})


def _page(title: str, state: dict[str, Any]) -> Response:
    # A "</script>" inside a name must not end the script.
    text = json.dumps(state, separators=(",", ":")).replace("<", "\\u003c")
    return html(TEMPLATES.get_template("pavilion.html").render(title=title, state=text, page=state))
