"""Both domains against the truth, at every moment of every kind of match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from limpet.apps.matches.record import (
    STATED,
    BallEvent,
    DiscoveredMatch,
    MatchSnapshot,
    MatchStatus,
    Phase,
)
from limpet.errors import PageBlocked
from limpet.extract import Missing
from limpet.extract.failure import CannotRead

KINDS = (
    "plain", "rain", "corrected", "stumps", "super_over", "late", "disagreeing", "lagging", "abandoned",
    "bare", "short",
)  # fmt: skip
EVERY_TICKS = 13
PHASES = {
    "toss": Phase.IN_PLAY,
    "in_play": Phase.IN_PLAY,
    "rain": Phase.RAIN,
    "stumps": Phase.STUMPS,
    "innings_break": Phase.INNINGS_BREAK,
    "super_over": Phase.SUPER_OVER,
    "finished": Phase.FINISHED,
}


async def discovered(boards: Any, kind: str, domain: str = "crex") -> DiscoveredMatch:
    boards.world.advance(max(0, 10 - boards.world.tick))
    truth = next(match for match in boards.world.matches() if match["kind"] == kind)
    key = truth["key"] if domain == "crex" else str(truth["number"])
    listed = await boards.domains.adapter(domain).discover(boards.way)
    return next(match for match in listed if match.match_key == key)


def same(ball: BallEvent, true: dict[str, Any], *, tick: int) -> bool:
    """Whether the ball is what the site shows at that tick: a corrected one is wrong at first."""
    if "first_shown_as" in true and tick < true["corrected_tick"]:
        return True
    said = (ball.ball, ball.legal_balls, ball.runs, ball.extras, ball.is_wicket, ball.text)
    expected = (true["ball"], true["legal_balls"], true["runs"], true["extras"], true["is_wicket"])
    return said[:5] == expected and (said[5] == true["outcome"] or true["outcome"] == "wd1")


def innings_of(snapshot: MatchSnapshot) -> list[tuple[int, int, int, int]]:
    return [(each.number, each.runs, each.wickets, each.overs.legal_balls) for each in snapshot.innings]


@pytest.mark.parametrize("kind", KINDS)
async def test_crex_reads_every_moment_as_it_is_and_misses_no_ball(
    build_scoreboards: Callable[..., Any], kind: str
) -> None:
    boards = build_scoreboards()
    match = await discovered(boards, kind)
    adapter, seen = boards.domains.adapter("crex"), {}
    end = next(each["end_tick"] for each in boards.world.matches() if each["kind"] == kind)

    while boards.world.tick < end + EVERY_TICKS:
        snapshot = await adapter.fetch_match(match, boards.way)
        truth = boards.world.match(match.match_key)
        sides = {
            team.short_name: side for team, side in zip(snapshot.teams, ("team_a", "team_b"), strict=True)
        }
        expected = [(e["number"], e["runs"], e["wickets"], e["legal_balls"]) for e in truth["innings"]]
        assert snapshot.phase is PHASES[truth["phase"]], truth["phase"]
        assert innings_of(snapshot) == expected
        assert [each.side for each in snapshot.innings] == [sides[e["side"]] for e in truth["innings"]]
        true_balls = {(b["innings"], b["over"], b["delivery"]): b for b in truth["balls"]}
        for ball in snapshot.balls:
            key = (ball.key.innings, ball.key.over, ball.key.delivery)
            assert same(ball, true_balls[key], tick=boards.world.tick), (ball, true_balls[key])
            seen[key] = ball
        boards.world.advance(EVERY_TICKS)
        boards.clock.advance(EVERY_TICKS)

    late = 60 if kind == "late" else 0  # the balls of its first minute were never shown as a list
    missing = [key for key, ball in true_balls.items() if key not in seen and ball["tick"] > late]
    assert missing == []
    assert snapshot.status is (MatchStatus.ABANDONED if kind == "abandoned" else MatchStatus.COMPLETED)
    assert snapshot.result == truth["result"]


@pytest.mark.parametrize("kind", ["plain", "rain", "corrected", "super_over", "abandoned", "short"])
async def test_the_pavilion_reads_every_moment_as_it_is(
    build_scoreboards: Callable[..., Any], kind: str
) -> None:
    boards = build_scoreboards()
    match = await discovered(boards, kind, "pavilion")
    adapter = boards.domains.adapter("pavilion")
    key = next(each["key"] for each in boards.world.matches() if each["kind"] == kind)
    end = next(each["end_tick"] for each in boards.world.matches() if each["kind"] == kind)

    while boards.world.tick < end + EVERY_TICKS:
        snapshot = await adapter.fetch_match(match, boards.way)
        truth = boards.world.match(key)
        expected = [(e["number"], e["runs"], e["wickets"], e["legal_balls"]) for e in truth["innings"]]
        assert innings_of(snapshot) == expected
        assert snapshot.phase is PHASES[truth["phase"]], truth["phase"]
        true_balls = {(b["innings"], b["over"], b["delivery"]): b for b in truth["balls"]}
        for ball in snapshot.balls:
            place = (ball.key.innings, ball.key.over, ball.key.delivery)
            assert same(ball, true_balls[place], tick=boards.world.tick)
        boards.world.advance(EVERY_TICKS * 3)

    listed = await adapter.fetch_balls(match, boards.way, innings=1)
    assert [b.key.delivery for b in listed] == [b["delivery"] for b in truth["balls"] if b["innings"] == 1]


async def test_both_domains_name_the_same_fixtures_and_the_same_team_a(scoreboards: Any) -> None:
    scoreboards.world.advance(100)
    crex, pavilion = (scoreboards.domains.adapter(domain) for domain in ("crex", "pavilion"))
    ours = {match.fixture: match for match in await crex.discover(scoreboards.way)}
    theirs = {match.fixture: match for match in await pavilion.discover(scoreboards.way)}

    assert ours.keys() == theirs.keys()
    for fixture, match in ours.items():
        one = await crex.fetch_match(match, scoreboards.way)
        other = await pavilion.fetch_match(theirs[fixture], scoreboards.way)
        assert [team.short_name for team in one.teams] == [team.short_name for team in other.teams]


async def test_names_come_from_the_code_book_and_a_code_without_one_is_said_so(
    build_scoreboards: Callable[..., Any],
) -> None:
    nameless = build_scoreboards(names_call="")
    named = build_scoreboards()
    nameless.world.advance(100)
    named.world.advance(100)

    without = await nameless.domains.adapter("crex").fetch_match(
        await discovered(nameless, "plain"), nameless.way
    )
    complete = await named.domains.adapter("crex").fetch_match(await discovered(named, "plain"), named.way)

    assert without.unknown_codes
    assert all(batter.code and not batter.name for batter in without.batters)
    assert without.confidence_in("batters") < STATED
    assert complete.unknown_codes == ()
    assert all(batter.name for batter in complete.batters)
    assert complete.teams[0].name and complete.title


async def test_toss_and_ground_that_come_late_are_asked_for_until_they_are_there(scoreboards: Any) -> None:
    match = await discovered(scoreboards, "late")
    adapter = scoreboards.domains.adapter("crex")

    early = await adapter.fetch_match(match, scoreboards.way)
    scoreboards.world.advance(120)
    scoreboards.clock.advance(120)
    later = await adapter.fetch_match(match, scoreboards.way)
    scoreboards.clock.advance(120)
    asked = scoreboards.way.asked.count(match.url.partition("localhost")[2].replace("/live", "/info"))
    await adapter.fetch_match(match, scoreboards.way)

    assert early.toss is None and early.venue == ""
    assert later.toss is not None and later.venue
    again = scoreboards.way.asked.count(match.url.partition("localhost")[2].replace("/live", "/info"))
    assert again == asked == 2, "once it is complete, nobody asks again"


async def test_the_scorecard_comes_with_names_and_adds_up(scoreboards: Any) -> None:
    match = await discovered(scoreboards, "plain")
    scoreboards.world.advance(500)

    snapshot = await scoreboards.domains.adapter("crex").fetch_match(match, scoreboards.way, with_card=True)

    innings = snapshot.card[0]
    assert innings.score == snapshot.innings[0]
    assert all(line.name for line in (*innings.batters, *innings.bowlers) if line.code)
    assert sum(line.wickets for line in innings.bowlers) == innings.score.wickets
    assert sum(line.overs.legal_balls for line in innings.bowlers) == innings.score.overs.legal_balls
    out = [line for line in innings.batters if line.state == "out"]
    assert len(out) == innings.score.wickets
    assert all(line.dismissal.fell_at_runs is not None for line in out)


async def test_a_match_the_site_does_not_know_is_no_record(scoreboards: Any) -> None:
    known = await discovered(scoreboards, "plain")
    unknown = DiscoveredMatch("crex", "ZZZ", known.url, MatchStatus.LIVE)

    with pytest.raises(CannotRead) as refused:
        await scoreboards.domains.adapter("crex").fetch_match(unknown, scoreboards.way)

    assert refused.value.reason is Missing.NO_RECORD


async def test_a_token_that_changed_is_learnt_again_from_the_page(scoreboards: Any) -> None:
    match = await discovered(scoreboards, "plain")
    adapter = scoreboards.domains.adapter("crex")
    adapter._memory.headers["authorization"] = "yesterday's"

    snapshot = await adapter.fetch_match(match, scoreboards.way)

    assert snapshot.status is MatchStatus.LIVE


async def test_a_token_nobody_can_learn_is_a_refusal_and_no_endless_asking(scoreboards: Any) -> None:
    match = await discovered(scoreboards, "plain")
    adapter = scoreboards.domains.adapter("crex")
    adapter._memory.headers["authorization"] = "yesterday's"
    adapter._learn_access = lambda page: None

    for _ in range(3):
        with pytest.raises(PageBlocked):
            await adapter.fetch_match(match, scoreboards.way)

    assert scoreboards.way.asked.count("/live-matches") == 2, "the first list, and one attempt to learn"
