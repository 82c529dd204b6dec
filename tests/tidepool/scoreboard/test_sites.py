"""Both scoreboards over real sockets: the traps are there, and the truth says when each ball happened."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from selectolax.lexbor import LexborHTMLParser

from tidepool import Tidepool
from tidepool.scoreboard.crex_api import token_of

Ask = Callable[..., Awaitable[Any]]


@pytest.fixture
async def pool() -> AsyncIterator[Tidepool]:
    async with Tidepool(seed=7, matches=24) as pool:
        yield pool


@pytest.fixture
def ask(pool: Tidepool, visitor: aiohttp.ClientSession) -> Ask:
    """Ask the data host as the pages do."""

    async def ask(call: str, key: str, **headers: str) -> Any:
        sent = headers or {"Authorization": token_of(7)}
        async with visitor.get(pool.url("crexapi", f"/v10/{call}.php?key={key}"), headers=sent) as answer:
            return await answer.json() if answer.status == 200 else answer.status

    return ask


def key_of(pool: Tidepool, kind: str) -> str:
    return next(str(match["key"]) for match in pool.world.matches() if match["kind"] == kind)


async def test_the_list_of_live_matches_links_each_to_its_page(
    pool: Tidepool, page_at: Callable[..., Awaitable[LexborHTMLParser]]
) -> None:
    pool.advance(50)

    page = await page_at("crex", "/live-matches")

    links = {str(node.attributes["href"]) for node in page.css('li.live-card a[href*="/scoreboard/"]')}
    expected = {f"{match['path']}/live" for match in pool.world.matches() if match["is_listed"]}
    assert links == expected
    assert len(links) == 22, "all but the two that begin later"


async def test_the_fixtures_show_a_clock_time_without_date_or_zone(
    page_at: Callable[..., Awaitable[LexborHTMLParser]],
) -> None:
    page = await page_at("crex", "/fixtures/match-list")

    shown = [node.text() for node in page.css("li.match-card-container div.start-text")]
    assert shown
    assert all(text.endswith((" AM", " PM")) and len(text) <= 8 for text in shown)


async def test_a_score_lacks_its_closing_bracket_and_overs_stand_in_no_order(
    pool: Tidepool, ask: Ask
) -> None:
    pool.advance(150)

    live = await ask("sV3", key_of(pool, "plain"))

    assert live["j"].count("(") == 1
    assert ")" not in live["j"]
    playing = [match["key"] for match in pool.world.matches() if match["phase"] == "in_play"]
    answers = [await ask("sV3", key) for key in playing]
    orders = [[int(answer[name].split(":")[0]) for name in "lmn" if answer.get(name)] for answer in answers]
    assert any(order != sorted(order) for order in orders)


async def test_a_session_is_a_text_or_a_bare_number(pool: Tidepool, ask: Ask) -> None:
    pool.advance(50)

    answers = [await ask("sV3", match["key"]) for match in pool.world.matches()[:2]]

    assert {type(answer["D"]) for answer in answers} == {str, int}


async def test_late_fields_are_absent_or_empty_at_first(pool: Tidepool, ask: Ask) -> None:
    key = key_of(pool, "late")
    pool.advance(40)

    early = await ask("sV3", key)
    pool.advance(60)
    later = await ask("sV3", key)

    assert "rb" not in early
    assert "p" not in early
    assert early["l"] == early["q"] == ""
    assert later["rb"]
    assert later["p"]


async def test_a_match_of_the_older_kind_has_no_list_of_balls(pool: Tidepool, ask: Ask) -> None:
    pool.advance(100)

    assert "rb" not in await ask("sV3", key_of(pool, "bare"))


async def test_the_data_host_refuses_whoever_lacks_the_pages_token(pool: Tidepool, ask: Ask) -> None:
    assert await ask("sV3", key_of(pool, "plain"), Authorization="guess") == 401


async def test_an_unknown_match_is_an_empty_object(ask: Ask) -> None:
    assert await ask("sV3", "ZZZ") == {}


async def test_names_come_in_two_parts(pool: Tidepool, visitor: aiohttp.ClientSession) -> None:
    key = key_of(pool, "plain")
    parts = []
    for part in ("1", "2"):
        address = pool.url("crexapi", f"/v10/names.php?key={key}&part={part}")
        async with visitor.get(address, headers={"Authorization": token_of(7)}) as answer:
            parts.append(await answer.json())

    players = [sum(name.startswith("p_") for name in part) for part in parts]
    assert players == [6, 16]


async def test_the_second_site_disagrees_by_more_than_a_twentieth_about_one_kind(
    pool: Tidepool, page_at: Callable[..., Awaitable[LexborHTMLParser]]
) -> None:
    pool.advance(300)

    async def runs(kind: str) -> tuple[int, int]:
        match = next(each for each in pool.world.matches() if each["kind"] == kind)
        page = await page_at("pavilion", f"/matches/{match['number']}/any")
        state = json.loads(page.css_first("#pavilion-state").text())
        truth = pool.world.match(match["key"])
        assert truth is not None
        return state["match"]["innings"][0]["runs"], truth["innings"][0]["runs"]

    said, true = await runs("plain")
    assert said == true
    said, true = await runs("disagreeing")
    assert said > true * 1.05
    said, true = await runs("lagging")
    assert said < true


async def test_the_truth_tells_when_each_ball_happened(
    pool: Tidepool, visitor: aiohttp.ClientSession
) -> None:
    pool.advance(30)
    pool.advance(30)

    async with visitor.get(pool.url("control", f"/matches?key={key_of(pool, 'plain')}")) as answer:
        truth = await answer.json()

    moments = [ball["happened_monotonic"] for ball in truth["balls"]]
    assert moments == sorted(moments)
    assert len(set(moments)) == 2, "time moved twice, and every ball happened in one of the two moments"


async def test_with_a_pace_time_flows_and_every_ball_has_its_own_moment() -> None:
    async with Tidepool(seed=7, matches=1, tick_seconds=0.5) as pool:
        pool.advance(40)

        truth = pool.world.match("RF0")

        assert truth is not None
        assert pool.world.moment_of(10_000) is None
        began = pool.world.moment_of(0)
        assert began is not None
        assert all(ball["happened_monotonic"] >= began for ball in truth["balls"])


async def test_an_unknown_match_is_refused_with_the_way_to_find_them(
    pool: Tidepool, visitor: aiohttp.ClientSession
) -> None:
    async with visitor.get(pool.url("control", "/matches?key=nope")) as answer:
        assert answer.status == 400
        assert "GET /matches" in (await answer.json())["error"]
