"""The pavilion's pages: one JSON inside each, in words and an order of its own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal
from urllib.parse import urljoin

from limpet.apps.matches.balls import BallEvent, BallKey, parse_overs
from limpet.apps.matches.models.outcomes import Outcome, ball_event
from limpet.apps.matches.models.telling import ScoreboardPage, last_event
from limpet.apps.matches.record import (
    BatterLine,
    DiscoveredMatch,
    ExtraKind,
    InningsCard,
    InningsScore,
    MatchList,
    MatchSnapshot,
    MatchStatus,
    Phase,
    Side,
    Team,
    Toss,
    in_order,
)
from limpet.extract import Missing
from limpet.extract.document import open_document
from limpet.extract.failure import CannotRead
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.extract.structured.state import script_json
from limpet.fetch.page import Page

VERSION = "1.0.0"
DOMAIN = "pavilion"
STATE = "script#pavilion-state"
_PHASES = {
    "PRE": Phase.NOT_STARTED,
    "LIVE": Phase.IN_PLAY,
    "DELAY": Phase.RAIN,
    "STUMPS": Phase.STUMPS,
    "INNINGS_BREAK": Phase.INNINGS_BREAK,
    "POST": Phase.FINISHED,
}
_EXTRAS = {
    "wd": ExtraKind.WIDE,
    "nb": ExtraKind.NO_BALL,
    "lb": ExtraKind.LEG_BYE,
    "b": ExtraKind.BYE,
    "pen": ExtraKind.PENALTY,
}


class PavilionPages(ScoreboardPage):
    """Reads the list, a match, or the balls of an innings."""

    def record(self, page: Page) -> Any:
        """Return what the page states, or raise CannotRead."""
        if page.media_type == "application/json":
            return tuple(read_balls(page))
        state = state_of(page)
        if "matches" in state:
            return MatchList(tuple(read_list(state, page, domain_id=DOMAIN)))
        return read_match(state, domain_id=DOMAIN, observed_at=page.fetched_at)


PAGE = PavilionPages()


def state_of(page: Page) -> Mapping[str, Any]:
    """Return the JSON inside the page, or break off."""
    try:
        state = script_json(open_document(page), STATE)
    except BadJson as wrong:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"{STATE}: {wrong}") from wrong
    if not isinstance(state, dict) or not ({"match", "matches"} & state.keys()):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"{STATE} holds neither match nor matches")
    return state


def read_list(state: Mapping[str, Any], page: Page, *, domain_id: str) -> list[DiscoveredMatch]:
    """Return every match the list shows."""
    return [_listed(match, page, domain_id) for match in state["matches"] if isinstance(match, dict)]


def read_match(state: Mapping[str, Any], *, domain_id: str, observed_at: datetime) -> MatchSnapshot:
    """Return how the match of a page stands."""
    match = state.get("match")
    if not isinstance(match, dict) or match.get("state") not in _PHASES:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, "match: no known state")
    teams, sides = _teams(match)
    innings, card = _innings(match, sides)
    status, phase = _status(match), _PHASES[match["state"]]
    if phase is Phase.IN_PLAY and innings and innings[-1].is_super_over:
        phase = Phase.SUPER_OVER
    balls = tuple(sorted(_balls(match.get("recentBalls")), key=lambda ball: ball.key))
    at_crease = [line for line in card[-1].batters if line.state == "batting"] if card else []
    return MatchSnapshot(
        domain_id=domain_id,
        match_key=str(match.get("id", "")),
        observed_at=observed_at,
        status=status,
        phase=phase,
        title=_text(match.get("title")),
        teams=teams,
        innings=innings,
        current_innings=innings[-1].number if innings else None,
        toss=_toss(match.get("toss")),
        venue=", ".join(
            filter(None, (_text((match.get("venue") or {}).get(part)) for part in ("name", "town")))
        ),
        start_time=_moment(match.get("startsAt")),
        last_event=last_event(phase, balls, result=_text(match.get("note"))),
        result=_text(match.get("note")) if status.is_over else "",
        target_runs=innings[0].runs + 1 if len(innings) == 2 else None,
        batters=tuple(at_crease),
        balls=balls,
        card=card,
        metadata={
            "series": _text(match.get("series")),
            "label": _text(match.get("label")),
            "match_type": _text(match.get("format")),
        },
    )


def read_balls(page: Page) -> list[BallEvent]:
    """Return the balls of an answer that lists them."""
    try:
        facts = loads(page.body)
    except BadJson as wrong:
        raise CannotRead(Missing.NOT_PARSABLE, "the list of balls is not JSON") from wrong
    if not isinstance(facts, dict) or not isinstance(facts.get("balls"), list):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, "no list of balls")
    return sorted(_balls(facts["balls"]), key=lambda ball: ball.key)


def _listed(match: Mapping[str, Any], page: Page, domain_id: str) -> DiscoveredMatch:
    teams, _ = _teams(match)
    return DiscoveredMatch(
        domain_id=domain_id,
        match_key=str(match.get("id", "")),
        url=urljoin(page.final_url, _text(match.get("href"))),
        status=_status(match),
        title=_text(match.get("title")),
        teams=teams,
        label=_text(match.get("label")),
        series=_text(match.get("series")),
        start_time=_moment(match.get("startsAt")),
    )


def _teams(match: Mapping[str, Any]) -> tuple[tuple[Team, Team], dict[str, Side]]:
    try:
        home, away = (
            Team(_text(match[name]["id"]), _text(match[name]["name"]), _text(match[name]["abbr"]))
            for name in ("home", "away")
        )
    except (KeyError, TypeError) as wrong:
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"home or away: {wrong!r}") from wrong
    first, second = in_order(home, away)
    return (first, second), {first.code: "team_a", second.code: "team_b"}


def _status(match: Mapping[str, Any]) -> MatchStatus:
    state = match.get("state")
    if state == "POST":
        gone = match.get("abandoned") is True or "abandoned" in _text(match.get("note")).casefold()
        return MatchStatus.ABANDONED if gone else MatchStatus.COMPLETED
    return MatchStatus.UPCOMING if state == "PRE" else MatchStatus.LIVE


def _innings(
    match: Mapping[str, Any], sides: Mapping[str, Side]
) -> tuple[tuple[InningsScore, ...], tuple[InningsCard, ...]]:
    scores, cards = [], []
    for facts in match.get("innings") or ():
        # A JSON number: 12.3 means twelve overs and three balls, so its digits are read, not its value.
        overs = parse_overs(str(facts.get("overs")))
        side, number = sides.get(_text(facts.get("teamId"))), facts.get("order")
        runs, wickets = facts.get("runs"), facts.get("wickets")
        if overs is None or side is None or not all(isinstance(n, int) for n in (number, runs, wickets)):
            raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"innings: cannot be read: {str(facts)[:120]}")
        score = InningsScore(number, side, runs, wickets, overs, facts.get("superOver") is True)
        scores.append(score)
        cards.append(InningsCard(number, side, score, tuple(_batters(facts.get("batting")))))
    return tuple(scores), tuple(cards)


def _batters(rows: Any) -> list[BatterLine]:
    lines = []
    for row in rows if isinstance(rows, list) else ():
        figures = [row.get(name) for name in ("runs", "balls", "fours", "sixes")]
        if all(isinstance(figure, int) for figure in figures):
            runs, balls, fours, sixes = figures
            state: Literal["out", "batting"] = "out" if row.get("out") else "batting"
            on_strike = row.get("onStrike") is True
            name = _text(row.get("name"))
            lines.append(BatterLine("", name, runs, balls, fours, sixes, state, is_on_strike=on_strike))
    return lines


def _balls(rows: Any) -> list[BallEvent]:
    found = [_ball(row) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [ball for ball in found if ball is not None]


def _ball(row: Mapping[str, Any]) -> BallEvent | None:
    """Return the ball, or nothing when its place or its outcome is not certain."""
    extra = row.get("extras") or {}
    kind = _EXTRAS.get(_text(extra.get("type"))) if extra else None
    numbers = [row.get("innings"), row.get("over"), row.get("place"), row.get("runs"), extra.get("runs", 0)]
    over_text, _, ball_text = _text(row.get("n")).partition(".")
    if (extra and kind is None) or not all(isinstance(n, int) for n in numbers) or not ball_text.isdecimal():
        return None
    innings, over, place, runs, extras = numbers
    if str(over - 1) != over_text:
        return None
    outcome = Outcome(runs, extras, kind, row.get("wicket") is True)
    number = int(ball_text)
    key = BallKey(innings, over - 1, place)
    return ball_event(key, number, number if outcome.is_legal else number - 1, outcome)


def _toss(facts: Any) -> Toss | None:
    winner = _text(facts.get("winner")) if isinstance(facts, dict) else ""
    return Toss(winner, "bat" if facts.get("elected") == "bat" else "bowl") if winner else None


def _moment(value: Any) -> datetime | None:
    """Return a moment that has its zone; one without is no moment."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
