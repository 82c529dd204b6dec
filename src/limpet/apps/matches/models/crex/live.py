"""sV3: how a match stands, from one flat object of one-letter fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from limpet.apps.matches.balls import BallEvent, Overs
from limpet.apps.matches.models.crex.code_book import CodeBook
from limpet.apps.matches.models.crex.events import break_in, ending_in
from limpet.apps.matches.models.crex.recent import batting_codes, batting_now, recent_balls
from limpet.apps.matches.models.crex.scores import Score, score_of, whole, wholes, words
from limpet.apps.matches.models.telling import last_event
from limpet.apps.matches.record import (
    DERIVED,
    DOUBTFUL,
    BatterLine,
    BowlerLine,
    DiscoveredMatch,
    InningsCard,
    InningsScore,
    MatchSnapshot,
    MatchStatus,
    Phase,
    Side,
    Team,
    Toss,
    in_order,
)
from limpet.extract import Missing
from limpet.extract.failure import CannotRead

OTHER: Mapping[Side, Side] = {"team_a": "team_b", "team_b": "team_a"}


@dataclass(frozen=True, slots=True)
class Beside:
    """What is known of a match from elsewhere: its list entry, its info page, its scorecard, earlier answers."""

    match: DiscoveredMatch
    toss: Toss | None = None
    toss_winner_code: str = ""
    venue: str = ""
    series: str = ""
    card: tuple[InningsCard, ...] = ()
    bats_first: Side | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Scene:
    """The sides and the innings, found out before anything else can be placed."""

    teams: tuple[Team, Team]
    sides: Mapping[str, Side]  # by code
    bats_first: Side
    is_certain: bool
    innings: tuple[InningsScore, ...]
    phase: Phase
    status: MatchStatus
    event: str

    @property
    def current(self) -> InningsScore | None:
        return self.innings[-1] if self.innings else None


def read_live(facts: Any, beside: Beside, book: CodeBook, *, observed_at: datetime) -> MatchSnapshot:
    """Return the match as sV3 states it, or break off when the answer is none."""
    scene = _scene(_checked(facts), beside, book)
    balls = _balls(facts, scene)
    batters, bowler = _batters(facts, book), _bowler(facts, book)
    unknown = [batter.code for batter in batters if not batter.name]
    unknown += [bowler.code] if bowler and not bowler.name else []
    unknown += [team.code for team in scene.teams if not team.name]
    for card in beside.card:
        unknown += [batter.code for batter in card.batters if not batter.name]
        unknown += [line.code for line in card.bowlers if not line.name]
    return MatchSnapshot(
        domain_id=beside.match.domain_id,
        match_key=beside.match.match_key,
        observed_at=observed_at,
        status=scene.status,
        phase=scene.phase,
        title=_title(scene.teams, beside.match.label),
        teams=scene.teams,
        innings=scene.innings,
        current_innings=scene.current.number if scene.current else None,
        toss=beside.toss,
        venue=beside.venue,
        start_time=beside.match.start_time,
        last_event=last_event(scene.phase, balls, result=scene.event),
        result=scene.event if scene.status.is_over else "",
        target_runs=_target(scene.innings),
        batters=batters,
        bowler=bowler,
        balls=balls,
        card=beside.card,
        metadata={**_metadata(facts, beside, book), **beside.metadata},
        confidence=_confidence(scene, unknown),
        unknown_codes=tuple(dict.fromkeys(unknown)),
    )


def batting_first(snapshot: MatchSnapshot) -> Side | None:
    """Return who batted first when the answer itself left no doubt, so that later ones need not ask."""
    certain = snapshot.confidence_in("score") >= DERIVED and snapshot.innings
    return snapshot.innings[0].side if certain else None


def team_codes(facts: Any) -> tuple[str, str]:
    """Return both codes of `CD.11`; codes of digits alone are codes all the same."""
    codes = words(_checked(facts).get("a")).split(".")
    if len(codes) != 2 or not all(codes):
        raise CannotRead(
            Missing.PAGE_STRUCTURE_CHANGED, f"a: two team codes expected, not {facts.get('a')!r}"
        )
    return codes[0], codes[1]


def player_codes(facts: Any) -> list[str]:
    """Return the codes of those who bat and bowl now."""
    named = _checked(facts)
    return [code for code in (*words(named.get("p")).split("."), words(named.get("b"))) if code]


def _checked(facts: Any) -> Mapping[str, Any]:
    if facts == {}:
        raise CannotRead(Missing.NO_RECORD, "the site knows no such match: the answer is empty")
    if not isinstance(facts, dict) or "a" not in facts or not ({"j", "B"} & facts.keys()):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, "not an sV3 answer: the fields a, j, B are missing")
    return facts


def _scene(facts: Mapping[str, Any], beside: Beside, book: CodeBook) -> _Scene:
    codes = team_codes(facts)
    listed = {team.code: team for team in beside.match.teams or ()}
    teams = in_order(*(book.team(code, otherwise=listed.get(code)) for code in codes))
    sides: dict[str, Side] = {teams[0].code: "team_a", teams[1].code: "team_b"}
    event = words(facts.get("B"))
    scores = [score_of(facts.get(name)) for name in ("j", "k")]
    if scores[0] is None and words(facts.get("j")):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"j: no score in {facts.get('j')!r}")
    stage = break_in(event)
    has_second = _has_begun(scores[1]) or stage is Phase.INNINGS_BREAK
    extra = [score for text in words(facts.get("so")).split(",") if (score := score_of(text))]
    under_way = None if extra else scores[_has_begun(scores[1])]
    first, is_certain = _bats_first(
        facts, beside, sides, codes, in_second=_has_begun(scores[1]), now=under_way
    )
    innings = []
    if _has_begun(scores[0]) or has_second or batting_codes(facts):
        main = [scores[0], scores[1]] if has_second else [scores[0]]
        order = (first, OTHER[first], OTHER[first], first)
        for number, score in enumerate([*main, *extra], start=1):
            if score is not None:
                runs, wickets, overs, declared = score
                innings.append(
                    InningsScore(number, order[number - 1], runs, wickets, overs, number > 2, declared)
                )
    status = ending_in(event) or _status(beside.match, bool(innings))
    return _Scene(
        teams, sides, first, is_certain, tuple(innings), _phase(status, stage, bool(extra)), status, event
    )


def _bats_first(
    facts: Mapping[str, Any],
    beside: Beside,
    sides: Mapping[str, Side],
    codes: tuple[str, str],
    *,
    in_second: bool,
    now: Score | None,
) -> tuple[Side, bool]:
    """Return who batted first and whether somebody said so: j is the first innings, not the first team's."""
    if beside.bats_first is not None:
        return beside.bats_first, True
    if beside.card:
        return beside.card[0].side, True
    batting = sides.get(batting_now(facts, now[2])) if now is not None else None
    if batting is not None:
        return (OTHER[batting] if in_second else batting), True
    if beside.toss is not None and beside.toss_winner_code in sides:
        winner = sides[beside.toss_winner_code]
        return (winner if beside.toss.decision == "bat" else OTHER[winner]), True
    return sides[codes[0]], False


def _has_begun(score: Score | None) -> bool:
    return score is not None and (score[0], score[1], score[2].legal_balls) != (0, 0, 0)


def _status(match: DiscoveredMatch, has_innings: bool) -> MatchStatus:
    return (
        MatchStatus.LIVE if has_innings or match.status is not MatchStatus.UPCOMING else MatchStatus.UPCOMING
    )


def _phase(status: MatchStatus, stage: Phase | None, in_super_over: bool) -> Phase:
    if status.is_over:
        return Phase.FINISHED
    if status is MatchStatus.UPCOMING:
        return Phase.NOT_STARTED
    return stage or (Phase.SUPER_OVER if in_super_over else Phase.IN_PLAY)


def _balls(facts: Mapping[str, Any], scene: _Scene) -> tuple[BallEvent, ...]:
    if not scene.is_certain:
        return ()  # a ball of the wrong innings would be worse than one that comes a little later
    played = [each for each in scene.innings if each.overs.legal_balls or each.runs]
    current = played[-1] if played else scene.current
    return recent_balls(
        facts,
        innings_of={each.side: each.number for each in scene.innings if not each.is_super_over},
        super_innings_of={each.side: each.number for each in scene.innings if each.is_super_over},
        sides=scene.sides,
        current=current.number if current else None,
        over_under_way=current.overs.over + 1 if current else 0,
    )


def _batters(facts: Mapping[str, Any], book: CodeBook) -> tuple[BatterLine, ...]:
    lines = []
    codes = words(facts.get("p")).split(".")
    for code, score, shots in zip(codes, ("q", "s"), ("r", "t"), strict=False):
        figures = wholes(facts.get(score), 2)
        if not code or figures is None:
            continue
        runs, balls = figures
        fours, sixes = wholes(facts.get(shots), 2) or (0, 0)
        on_strike = words(facts.get(score)).endswith("*")
        lines.append(BatterLine(code, book.player(code), runs, balls, fours, sixes, is_on_strike=on_strike))
    return tuple(lines)


def _bowler(facts: Mapping[str, Any], book: CodeBook) -> BowlerLine | None:
    code, figures = words(facts.get("b")), wholes(facts.get("c"), 3)
    if not code or figures is None:
        return None
    runs, balls, wickets = figures
    return BowlerLine(code, book.player(code), Overs(balls), runs=runs, wickets=wickets)


def _title(teams: tuple[Team, Team], label: str) -> str:
    names = [team.name or team.short_name for team in teams]
    return f"{names[0]} vs {names[1]} - {label}".rstrip(" -") if all(names) else ""


def _target(innings: tuple[InningsScore, ...]) -> int | None:
    return innings[0].runs + 1 if len(innings) == 2 else None


def _metadata(facts: Mapping[str, Any], beside: Beside, book: CodeBook) -> dict[str, Any]:
    back, plus, spread = words(facts.get("R")).partition("+")
    known: dict[str, Any] = {
        "series": beside.series or beside.match.series,
        "label": beside.match.label,
        "favourite": book.team(code).short_name if (code := words(facts.get("F")).lstrip("^")) else "",
    }
    first, more = whole(back), whole(spread)
    if plus and first is not None and more is not None:
        known["odds"] = {"back": first, "lay": first + more}
    return {name: value for name, value in known.items() if value}


def _confidence(scene: _Scene, unknown: list[str]) -> dict[str, float]:
    confidence: dict[str, float] = {}
    if not scene.is_certain:
        confidence |= dict.fromkeys(("score", "innings", "current_innings", "last_event"), DOUBTFUL)
    if any(team.code in unknown for team in scene.teams):
        known_short = all(team.short_name for team in scene.teams)
        confidence |= dict.fromkeys(("teams", "title"), DERIVED if known_short else DOUBTFUL)
    if set(unknown) - {team.code for team in scene.teams}:
        confidence |= dict.fromkeys(("batters", "bowler"), DERIVED)
    return confidence
