"""The first site's scorecard, sC4: a list, one object per innings, players as dotted text."""

from __future__ import annotations

from typing import Any

from tidepool.scoreboard.crex_live import score_text
from tidepool.scoreboard.fixture import PLAYERS_PER_SIDE, Side
from tidepool.scoreboard.standing import Batting, Innings, Standing

CAUGHT, BOWLED = 2, 3


def card_answer(standing: Standing) -> list[dict[str, Any]]:
    """Return what `sC4.php` says."""
    return [_innings(standing, innings) for innings in standing.innings]


def _innings(standing: Standing, innings: Innings) -> dict[str, Any]:
    batting, fielding = standing.fixture.sides[innings.side], standing.fixture.sides[1 - innings.side]
    return {
        "c": batting.code,
        "d": score_text(innings),
        "a": ",".join(_bowler(fielding, innings, place) for place in range(6, PLAYERS_PER_SIDE)),
        "b": ",".join(_batter(batting, fielding, innings, place) for place in range(PLAYERS_PER_SIDE)),
    }


def _bowler(side: Side, innings: Innings, place: int) -> str:
    code, line = side.players[place].code, innings.bowling.get(place)
    if line is None:
        return code
    return f"{code}.{line.runs}.{line.balls}.0.{line.wickets}"


def _batter(side: Side, fielding: Side, innings: Innings, place: int) -> str:
    code = side.players[place].code
    if place >= len(innings.batting):
        return code
    line = innings.batting[place]
    text = f"{code}.{line.runs}.{line.balls}.{line.fours}.{line.sixes}"
    return f"{text}.{_fall(line, fielding)}" if line.out else text


def _fall(line: Batting, fielding: Side) -> str:
    assert line.out is not None
    ball, score, bowler = line.out
    how = CAUGHT if line.place % 2 == 0 else BOWLED
    fielder = fielding.players[(line.place + 3) % PLAYERS_PER_SIDE].code if how == CAUGHT else ""
    return f"{ball}.{score}.{how}.{fielding.players[bowler].code}.{fielder}/{line.runs}.{line.balls}/"
