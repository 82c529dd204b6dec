"""The live page as rendered: the score from its markup, for when the page's own data could not be overheard."""

from __future__ import annotations

from datetime import datetime

from selectolax.lexbor import LexborHTMLParser

from limpet.apps.matches.balls import Overs, parse_overs
from limpet.apps.matches.models.crex.events import break_in, ending_in
from limpet.apps.matches.models.crex.scores import score_of
from limpet.apps.matches.record import (
    DERIVED,
    BatterLine,
    DiscoveredMatch,
    InningsScore,
    MatchSnapshot,
    MatchStatus,
    Phase,
    in_order,
)
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.select import every, first, maybe, text_of

UNNUMBERED = 0  # the page shows the innings under way and does not say which it is


def read_live_page(tree: LexborHTMLParser, match: DiscoveredMatch, *, observed_at: datetime) -> MatchSnapshot:
    """Return what the page shows. It shows one innings, and names neither balls' innings nor who batted first."""
    first(tree, ".match-header", field="match")
    event = text_of(maybe(tree, ".result-box span"))
    teams = in_order(*match.teams) if match.teams else None
    batting, score = _score(tree)
    side = next((i for i, team in enumerate(teams or ()) if batting in (team.short_name, team.name)), None)
    status = ending_in(event) or MatchStatus.LIVE
    innings: tuple[InningsScore, ...] = ()
    if score is not None and side is not None:
        runs, wickets, overs = score
        innings = (InningsScore(UNNUMBERED, "team_b" if side else "team_a", runs, wickets, overs),)
    elif not event:
        raise CannotRead(Missing.SELECTOR_NOT_FOUND, "score: neither a score nor an event on the page")
    return MatchSnapshot(
        domain_id=match.domain_id,
        match_key=match.match_key,
        observed_at=observed_at,
        status=status,
        phase=Phase.FINISHED if status.is_over else break_in(event) or Phase.IN_PLAY,
        title=match.title,
        teams=teams,
        innings=innings,
        result=event if status.is_over else "",
        batters=_batters(tree),
        metadata={"label": match.label, "series": match.series},
        confidence={"score": DERIVED, "innings": 0.0, "batters": DERIVED},
    )


def _score(tree: LexborHTMLParser) -> tuple[str, tuple[int, int, Overs] | None]:
    """Return the first block that holds a score: the second may be the toss or the run rate."""
    for block in every(tree, ".team-content"):
        runs = score_of(text_of(maybe(block, ".runs span:nth-child(1)")))
        overs = parse_overs(text_of(maybe(block, ".runs span:nth-child(2)")))
        if runs is not None and overs is not None:
            return text_of(maybe(block, ".team-name")), (runs[0], runs[1], overs)
    return "", None


def _batters(tree: LexborHTMLParser) -> tuple[BatterLine, ...]:
    lines = []
    for box in every(tree, "app-match-live-player .batsmen-partnership"):
        figures = [text_of(node).strip("()") for node in every(box, ".batsmen-score p")]
        if len(figures) == 2 and all(figure.isdecimal() for figure in figures):
            name, strike = text_of(maybe(box, ".batsmen-name p")), maybe(box, ".circle-strike-icon")
            runs, balls = map(int, figures)
            lines.append(BatterLine("", name, runs, balls, is_on_strike=strike is not None))
    return tuple(lines)
