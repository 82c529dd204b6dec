"""The first site's data host: live answers, scorecards and the names behind the codes, for its own pages."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from tidepool.scoreboard.crex_card import card_answer
from tidepool.scoreboard.crex_live import live_answer
from tidepool.scoreboard.fixture import Fixture
from tidepool.scoreboard.stadium import Stadium
from tidepool.scoreboard.standing import standing_at
from tidepool.site import Request, Response, Setup, json_answer, plain

NAMES_IN_FIRST_PART = 6


def token_of(seed: int) -> str:
    """Return what the site's pages send as Authorization."""
    return blake2b(f"crex/{seed}".encode(), digest_size=12).hexdigest()


class CrexApi:
    """Answers `/v10/sV3.php`, `/v10/sC4.php` and `/v10/names.php` to whoever brings the pages' token."""

    title = "the data host of the crex-like site: sV3, sC4 and names, for its pages"

    def __init__(self, setup: Setup) -> None:
        self._stadium = Stadium(setup)
        self._token = token_of(setup.seed)
        self._calls: dict[str, Callable[[Fixture, Request, int], Any]] = {
            "/v10/sV3.php": lambda fixture, _, tick: live_answer(standing_at(fixture, tick), tick=tick),
            "/v10/sC4.php": lambda fixture, _, tick: card_answer(standing_at(fixture, tick)),
            "/v10/names.php": lambda fixture, request, _: names(fixture, request.parameters.get("part", "")),
        }

    async def answer(self, request: Request, *, tick: int) -> Response:
        """Answer across origins, as the pages stand elsewhere."""
        return self._respond(request, tick).having(
            ("Access-Control-Allow-Origin", "*"),
            ("Access-Control-Allow-Headers", "authorization"),
            ("Access-Control-Max-Age", "600"),
            ("Cache-Control", "no-store"),
        )

    def truth(self, path: str, *, tick: int) -> dict[str, Any] | None:
        """Say how the match of that key stands; the path is `/KEY`."""
        fixture = self._stadium.with_key(path.strip("/"))
        return self._stadium.truth(fixture, tick=tick) if fixture else None

    def _respond(self, request: Request, tick: int) -> Response:
        call = self._calls.get(request.path)
        if call is None:
            return plain("not found", status=404)
        if request.method == "OPTIONS":
            return Response(204)
        if request.headers.get("authorization") != self._token:
            return json_answer({"error": "unauthorised"}, status=401)
        fixture = self._stadium.with_key(request.parameters.get("key", ""))
        if fixture is None:
            return json_answer({})  # an unknown match is an empty object with status 200
        return json_answer(call(fixture, request, tick))


def names(fixture: Fixture, part: str) -> dict[str, str]:
    """Return the code book as localStorage entries: a first part that comes soon, a second that comes late."""
    players = [player for side in fixture.sides for player in side.players]
    chosen = {"1": players[:NAMES_IN_FIRST_PART], "2": players[NAMES_IN_FIRST_PART:]}.get(part, players)
    book = {f"p_{player.code}_name": player.name for player in chosen}
    if part != "2":
        book |= {f"s_{fixture.series_key}_name": fixture.series, "teamMapFlag": "1"}
        for side in fixture.sides:
            book |= {f"t_{side.code}_name": side.name, f"t_{side.code}_short": side.short}
    return book
