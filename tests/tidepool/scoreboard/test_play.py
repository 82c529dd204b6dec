"""Matches as they are played: repeatable, complete, and by the laws of the game."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest

from tidepool.scoreboard.delivery import outcome_of
from tidepool.scoreboard.fixture import Fixture, Kind, fixture_of
from tidepool.scoreboard.play import play
from tidepool.scoreboard.standing import standing_at

MATCHES = 36


def fixtures() -> list[Fixture]:
    return [fixture_of(index, seed=7, plain=False) for index in range(MATCHES)]


def of_kind(kind: Kind) -> Fixture:
    return next(fixture for fixture in fixtures() if fixture.kind is kind)


def test_the_same_seed_plays_the_same_match() -> None:
    first = [play(fixture) for fixture in fixtures()]

    play.cache_clear()

    assert first == [play(fixture) for fixture in fixtures()]


@pytest.mark.parametrize("fixture", fixtures(), ids=lambda fixture: f"{fixture.key}-{fixture.kind}")
def test_every_over_but_the_last_of_an_innings_has_six_legal_balls_and_time_moves_on(
    fixture: Fixture,
) -> None:
    deliveries = play(fixture).deliveries

    overs = [list(balls) for _, balls in groupby(deliveries, key=lambda one: (one.innings, one.over))]
    for over, following in pairwise(overs):
        legal = sum(ball.outcome.is_legal for ball in over)
        assert [ball.place for ball in over] == list(range(1, len(over) + 1))
        assert legal == 6 or following[0].innings != over[0].innings
    assert all(earlier.tick < later.tick for earlier, later in pairwise(deliveries))


@pytest.mark.parametrize("fixture", fixtures(), ids=lambda fixture: f"{fixture.key}-{fixture.kind}")
def test_the_book_at_the_end_agrees_with_the_sum_of_all_balls(fixture: Fixture) -> None:
    course = play(fixture)

    end = standing_at(fixture, course.end_tick)

    assert end.phase == "finished"
    for innings, (runs, wickets) in zip(end.innings, course.totals, strict=True):
        balls = [ball for ball in course.deliveries if ball.innings == innings.number]
        assert innings.runs == runs == sum(ball.outcome.runs for ball in balls)
        assert innings.wickets == wickets == sum(ball.outcome.is_wicket for ball in balls)
        assert sum(line.runs for line in innings.batting) == sum(ball.outcome.bat for ball in balls)


@pytest.mark.parametrize(
    ("token", "runs", "extras", "is_legal"),
    [
        ("0", 0, 0, True),
        ("4", 4, 0, True),
        ("w", 0, 0, True),
        ("wd", 1, 1, False),
        ("wd2", 2, 2, False),
        ("nb", 1, 1, False),
        ("nb4", 5, 1, False),
        ("lb1", 1, 1, True),
        ("b2", 2, 2, True),
    ],
)
def test_an_outcome_means_what_scorers_mean(token: str, runs: int, extras: int, is_legal: bool) -> None:
    outcome = outcome_of(token)

    assert (outcome.runs, outcome.extras, outcome.is_legal) == (runs, extras, is_legal)


@pytest.mark.parametrize(
    ("kind", "phases"),
    [
        (Kind.RAIN, {"rain"}),
        (Kind.STUMPS, {"stumps"}),
        (Kind.SUPER_OVER, {"super_over", "innings_break"}),
        (Kind.ABANDONED, {"rain", "finished"}),
        (Kind.PLAIN, {"toss", "in_play", "innings_break", "finished"}),
    ],
)
def test_each_kind_goes_through_its_phases(kind: Kind, phases: set[str]) -> None:
    fixture = of_kind(kind)

    seen = {standing_at(fixture, tick).phase for tick in range(play(fixture).end_tick + 1)}

    assert phases <= seen


def test_after_stumps_the_match_leaves_the_list_and_comes_back() -> None:
    fixture = of_kind(Kind.STUMPS)

    listed = [standing_at(fixture, tick).is_listed for tick in range(play(fixture).end_tick)]

    changes = [now for before, now in pairwise(listed) if before != now]
    assert changes == [True, False, True]


def test_a_corrected_ball_is_shown_wrong_first_and_right_later() -> None:
    fixture = of_kind(Kind.CORRECTED)
    wrong = play(fixture).misstatements[0]
    ball = play(fixture).deliveries[wrong.number]

    before, after = standing_at(fixture, ball.tick), standing_at(fixture, wrong.until)

    at_first = before.innings[-1].overs[ball.over][ball.place - 1]
    assert at_first.outcome.token == wrong.token != ball.outcome.token
    assert after.innings[-1].overs[ball.over][ball.place - 1] == ball
    assert before.innings[-1].runs != after.innings[-1].runs or at_first.outcome.is_wicket


def test_a_super_over_follows_a_tie_and_the_chasers_bat_first_in_it() -> None:
    fixture = of_kind(Kind.SUPER_OVER)

    end = standing_at(fixture, play(fixture).end_tick)

    assert end.innings[0].runs == end.innings[1].runs
    first, second = end.innings[0].side, end.innings[1].side
    assert [innings.side for innings in end.innings] == [first, second, second, first]
    assert "Super Over" in end.result
