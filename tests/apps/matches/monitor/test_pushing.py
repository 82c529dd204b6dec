"""A backend is told every ball, though it refuses tokens, breaks, and is away for a while."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

Build = Callable[..., Any]


@dataclass
class Backend:
    """A pretend backend that remembers what it was told."""

    url: str = ""
    tokens: int = 0
    refusals: list[int] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    valid: str = ""

    async def token(self, request: web.Request) -> web.Response:
        assert (await request.json()) == {"username": "limpet", "password": "secret"}
        self.tokens += 1
        self.valid = f"token-{self.tokens}"
        return web.json_response({"token": self.valid})

    async def data(self, request: web.Request) -> web.Response:
        if self.refusals:
            return web.Response(status=self.refusals.pop())
        if request.headers.get("Authorization") != f"Bearer {self.valid}":
            return web.Response(status=401)
        self.bodies.append(json.loads(await request.read()))
        return web.json_response({"ok": True})

    def balls(self) -> list[tuple[int, int, int, int]]:
        told = [ball for body in self.bodies for ball in body.get("ball_events", ())]
        return [(ball["innings"], ball["over"], ball["delivery"], ball["version"]) for ball in told]

    def keys(self) -> set[tuple[int, int, int]]:
        return {ball[:3] for ball in self.balls()}

    def scores(self) -> list[dict[str, Any]]:
        return [body for body in self.bodies if "match_update" in body]


@asynccontextmanager
async def backend() -> AsyncIterator[Backend]:
    made, app = Backend(), web.Application()
    app.router.add_post("/token/generate-token", made.token)
    app.router.add_post("/cricket-data", made.data)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield made
    finally:
        await runner.cleanup()


async def test_every_ball_reaches_a_backend_that_forgets_tokens_and_breaks(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena, backend() as told:
        known = {"backend_url": told.url, "backend_user": "limpet", "backend_password": "secret"}
        async with arena.watching(**known) as house:
            await arena.until(lambda: len(told.balls()) >= 2)
            told.valid = "another"  # the token ran out
            told.refusals += [503, 500]
            await arena.until(lambda: told.tokens >= 2 and len(told.balls()) >= 8)
            # Scores are told after balls: enough balls may be there before the first score is.
            await arena.until(lambda: any(body["score_update"] for body in told.scores()))
            scores = told.scores()
            written = await arena.known(house, "crex:RF0")
            await arena.until(lambda: told.keys() >= written.keys())

        assert sorted(told.balls()) == list(
            dict.fromkeys(sorted(told.balls()))
        )  # none twice, none out of turn
        assert told.balls()[0] == (1, 0, 1, 1)
        # Incident: the backend read `score_update`, and was sent the ball under another name.
        assert {body["payload"]["match_id"] for body in scores} == {"crex:RF0"}


async def test_what_a_backend_missed_while_it_was_away_is_told_when_it_is_back(build_arena: Build) -> None:
    async with build_arena(matches=1, tick_seconds=0.05) as arena, backend() as told:
        async with arena.watching() as house:  # nobody is told yet
            await arena.until(lambda: arena.boards(house) and len(arena.boards(house)[0].balls) > 5)
        known = {"backend_url": told.url, "backend_user": "limpet", "backend_password": "secret"}
        async with arena.watching(**known):
            await arena.until(lambda: len(told.balls()) >= 6)

    assert told.balls()[:3] == [(1, 0, 1, 1), (1, 0, 2, 1), (1, 0, 3, 1)]


async def test_a_backend_that_keeps_failing_rests_behind_its_breaker_and_loses_no_ball(
    build_arena: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limpet.apps.matches.pushing._WAITS_SECONDS", (0.1,))
    quick = {"retry_base_delay_seconds": 0.0, "circuit_breaker_timeout_seconds": 1}
    async with build_arena(matches=1, tick_seconds=0.05) as arena, backend() as told:
        known = {"backend_url": told.url, "backend_user": "limpet", "backend_password": "secret"}
        async with arena.watching(**known, **quick) as house:
            await arena.until(lambda: len(told.balls()) >= 1)
            told.refusals += [503] * 6
            async with asyncio.timeout(60):
                while not any(each.state == "open" for each in await house.monitor.room.breakers.states()):
                    await asyncio.sleep(0.02)
            written = await arena.known(house, "crex:RF0")
            await arena.until(lambda: told.keys() >= written.keys())

    assert len(set(told.balls())) == len(told.balls())
