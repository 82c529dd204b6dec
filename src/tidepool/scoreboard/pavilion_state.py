"""What the second site says of a match, in its own words and its own order of sides."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from tidepool.scoreboard.delivery import Delivery
from tidepool.scoreboard.fixture import Kind, Side
from tidepool.scoreboard.standing import Innings, Standing

LOCAL = timezone(timedelta(hours=5, minutes=30))
OVERS_SHOWN = 4
TOO_MANY = 1.08  # what the wrong site makes of a score
STATES = {
    "not_started": "PRE",
    "toss": "LIVE",
    "in_play": "LIVE",
    "super_over": "LIVE",
    "rain": "DELAY",
    "stumps": "STUMPS",
    "innings_break": "INNINGS_BREAK",
    "finished": "POST",
}


def listed_match(standing: Standing, *, starts_at: datetime) -> dict[str, Any]:
    """Return one row of the list."""
    fixture = standing.fixture
    return {
        "id": fixture.number,
        "href": f"/matches/{fixture.number}/{fixture.slug}",
        "state": STATES[standing.phase],
        "title": _title(standing),
        "label": fixture.label,
        "series": fixture.series,
        # Home is the second side of the other site's address.
        "home": _team(fixture.sides[1]),
        "away": _team(fixture.sides[0]),
        "startsAt": starts_at.astimezone(LOCAL).isoformat(),
    }


def match_state(standing: Standing, *, starts_at: datetime) -> dict[str, Any]:
    """Return everything the page of a match holds."""
    fixture = standing.fixture
    has_toss = standing.phase != "not_started"
    return {
        **listed_match(standing, starts_at=starts_at),
        "format": fixture.format,
        "venue": {"name": fixture.ground[0], "town": fixture.ground[1]},
        "toss": {"winner": fixture.sides[fixture.toss_won_by].name, "elected": fixture.toss_choice}
        if has_toss
        else None,
        "innings": [_innings(standing, innings) for innings in standing.innings],
        "note": standing.result or None,
        "abandoned": standing.is_abandoned,
        "recentBalls": _recent(standing),
    }


def all_balls(standing: Standing, *, innings: str) -> list[dict[str, Any]]:
    """Return every ball of one innings, or of all."""
    return [
        _ball(ball)
        for each in standing.innings
        if innings in ("", str(each.number))
        for over in sorted(each.overs)
        for ball in each.overs[over]
    ]


def _recent(standing: Standing) -> list[dict[str, Any]]:
    """Return the balls of the last overs, newest first."""
    overs = [each.overs[over] for each in standing.innings for over in sorted(each.overs)][-OVERS_SHOWN:]
    return [_ball(ball) for over in reversed(overs) for ball in reversed(over)]


def _title(standing: Standing) -> str:
    home, away = standing.fixture.sides[1], standing.fixture.sides[0]
    return f"{home.name} v {away.name}, {standing.fixture.label}, {standing.fixture.series} 2026"


def _team(side: Side) -> dict[str, Any]:
    return {"id": f"t-{side.short.lower()}", "name": side.name, "abbr": side.short}


def _innings(standing: Standing, innings: Innings) -> dict[str, Any]:
    is_wrong = standing.fixture.kind is Kind.DISAGREEING
    side = standing.fixture.sides[innings.side]
    return {
        "order": innings.number,
        "teamId": f"t-{side.short.lower()}",
        "runs": round(innings.runs * TOO_MANY) + 1 if is_wrong and innings.runs else innings.runs,
        "wickets": innings.wickets,
        "overs": float(innings.overs_text),  # a number: 12.3 means twelve overs and three balls
        "superOver": innings.is_super_over,
        "batting": [
            {
                "name": side.players[line.place].name,
                "runs": line.runs,
                "balls": line.balls,
                "fours": line.fours,
                "sixes": line.sixes,
                "out": line.out is not None,
                "onStrike": standing.phase != "finished" and place == innings.striker and line.out is None,
            }
            for place, line in enumerate(innings.batting)
        ],
    }


def _ball(ball: Delivery) -> dict[str, Any]:
    outcome = ball.outcome
    return {
        "innings": ball.innings,
        "over": ball.over + 1,
        "n": f"{ball.over}.{ball.ball}",
        "place": ball.place,
        "runs": outcome.runs,
        "extras": {"type": outcome.extra, "runs": outcome.extras} if outcome.extra else None,
        "wicket": outcome.is_wicket,
    }
