"""The first site's live answer, sV3: one flat object of one-letter names, with all its traps.

Scores lack their closing bracket, a session is a list of words or a bare number, a missing field may be
absent or empty, the last three overs stand in no order, and over 10.0 is the sixth ball of over 9.
"""

from __future__ import annotations

from typing import Any

from tidepool.draw import draw
from tidepool.scoreboard.delivery import Delivery
from tidepool.scoreboard.fixture import Fixture, Kind, Player
from tidepool.scoreboard.standing import Batting, Innings, Standing

OVERS_SHOWN = 3
LATE_TICKS = 60
_WORDS = {"innings_break": "Innings Break", "stumps": "Stumps", "rain": "d"}


def live_answer(standing: Standing, *, tick: int) -> dict[str, Any]:
    """Return what `sV3.php` says."""
    fixture = standing.fixture
    facts: dict[str, Any] = {
        "a": ".".join(side.code for side in fixture.sides),
        "B": _event(standing),
        "F": _favourite(fixture),
        "R": f"{50 + draw(45, fixture.seed, fixture.index, tick // 30)}+2",
        "wp": f"{fixture.sides[0].code},{20_000 + tick},{19_000 + tick // 2},1",
        "L": "",
        "st": "1",
        "tti": str(tick),
        **_session(fixture, tick),
        **_scores(standing),
    }
    if standing.current is not None:
        facts |= _at_the_crease(standing, standing.current)
        facts |= _recent(standing)
    return facts if tick >= shown_from(fixture) else _not_yet(facts)


def shown_from(fixture: Fixture) -> int:
    """Return the first tick at which the site lists balls of this match."""
    return fixture.start_tick + (LATE_TICKS if fixture.kind is Kind.LATE else 0)


def score_text(innings: Innings) -> str:
    """Return a score as the site writes it, its bracket left open."""
    return f"{innings.runs}/{innings.wickets}({innings.overs_text}"


def _event(standing: Standing) -> str:
    if standing.phase == "finished":
        return standing.result
    if standing.phase in _WORDS:
        return _WORDS[standing.phase]
    if standing.last is None:
        return "B" if standing.phase == "toss" else ""
    return "^2" if standing.last.outcome.is_wicket else standing.last.outcome.token


def _favourite(fixture: Fixture) -> str:
    side = fixture.sides[fixture.index % 2]
    return (f"^{side.code}", side.code, side.short)[fixture.index % 3]


def _session(fixture: Fixture, tick: int) -> dict[str, Any]:
    over = 6 + tick // 60
    if fixture.index % 2:
        return {"D": over, "Z": f"{over * 8}+2", "S": f"{over}.{over * 7}.{over * 8}.{over * 6}.{over * 9}"}
    return {"D": f"{over},{over + 4}", "Z": f"{over * 8}+2,{over * 9}+3", "S": ""}


def _scores(standing: Standing) -> dict[str, Any]:
    main = [innings for innings in standing.innings if not innings.is_super_over]
    extra = [innings for innings in standing.innings if innings.is_super_over]
    facts: dict[str, Any] = {
        "j": score_text(main[0]) if main else "0/0(0.0",
        "k": score_text(main[1]) if len(main) > 1 else "0/0(0.0",
    }
    if standing.current is not None:
        facts["v"] = standing.current.overs_text
    if extra:
        facts["so"] = ",".join(map(score_text, extra))
    return facts


def _at_the_crease(standing: Standing, innings: Innings) -> dict[str, Any]:
    batting, fielding = standing.fixture.sides[innings.side], standing.fixture.sides[1 - innings.side]
    pair = [innings.batting[innings.striker], innings.batting[innings.partner]]
    first, second = sorted(pair, key=lambda one: one.place)
    facts = {
        "p": f"{batting.players[first.place].code}.{batting.players[second.place].code}",
        "q": _batter(first, on_strike=first is pair[0]),
        "s": _batter(second, on_strike=second is pair[0]),
        "r": f"{first.fours}.{first.sixes}.0",
        "t": f"{second.fours}.{second.sixes}.0",
        "i": f"{first.runs + second.runs}/{innings.overs_text}*",
    }
    if standing.last is None or standing.last.innings != innings.number:
        return facts | {"b": "", "c": ""}
    bowling = innings.bowling[standing.last.bowler]
    bowler: Player = fielding.players[bowling.place]
    return facts | {
        "b": bowler.code,
        "c": f"{bowling.runs}.{bowling.balls}.{bowling.wickets}.{bowling.dots}",
    }


def _batter(batter: Batting, *, on_strike: bool) -> str:
    return f"{batter.runs}.{batter.balls}" + ("*" if on_strike else "")


def _recent(standing: Standing) -> dict[str, Any]:
    """Return the last overs twice: as objects, newest first, and as three texts in no order."""
    shown = [
        (innings, over, innings.overs[over]) for innings in standing.innings for over in sorted(innings.overs)
    ][-OVERS_SHOWN:]
    texts = [f"{over + 1}:" + ".".join(ball.outcome.token for ball in balls) for _, over, balls in shown]
    order = draw(len(texts) or 1, standing.fixture.index, len(texts), texts[-1] if texts else "")
    texts = [*texts[order:], *texts[:order], "", "", ""][:OVERS_SHOWN]
    facts: dict[str, Any] = dict(zip("lmn", texts, strict=True))
    facts["A"] = texts[0].partition(":")[2]
    if standing.fixture.kind is Kind.BARE:
        return facts
    return facts | {"rb": [_over(standing, *each) for each in reversed(shown)]}


def _over(standing: Standing, innings: Innings, over: int, balls: list[Delivery]) -> dict[str, Any]:
    runs, wickets = innings.score_after[over]
    return {
        "o": over + 1,
        "r": sum(ball.outcome.runs for ball in balls),
        "ts": f"{runs}/{wickets}",
        "bt": standing.fixture.sides[innings.side].code,
        "b": [{"d": ball.ball, "t": ball.tick, "u": ball.outcome.token} for ball in balls],
    }


def _not_yet(facts: dict[str, Any]) -> dict[str, Any]:
    """Take away what this match shows late: some of it is absent, some of it empty."""
    for name in ("rb", "p", "b", "c"):
        facts.pop(name, None)
    return facts | dict.fromkeys(("l", "m", "n", "q", "s"), "")
