"""How a match stands at one moment: what a scorer would have in the book."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from tidepool.scoreboard.delivery import BALLS_PER_OVER, Delivery
from tidepool.scoreboard.fixture import PLAYERS_PER_SIDE, Fixture
from tidepool.scoreboard.play import batting_side, play

RESULT_LISTED_TICKS = 30  # how long a finished match stays on the list of live ones
NIGHT_LISTED_TICKS = 15


@dataclass(slots=True)
class Batting:
    """One batter's part of an innings."""

    place: int
    runs: int = 0
    balls: int = 0
    fours: int = 0
    sixes: int = 0
    out: tuple[int, int, int] | None = (
        None  # legal balls and runs of the innings when he fell, bowler's place
    )


@dataclass(slots=True)
class Bowling:
    """One bowler's part of an innings."""

    place: int
    runs: int = 0
    balls: int = 0
    wickets: int = 0
    dots: int = 0


@dataclass(slots=True)
class Innings:
    """One innings so far."""

    number: int
    side: int  # 0 or 1, in the order of the fixture
    runs: int = 0
    wickets: int = 0
    legal_balls: int = 0
    batting: list[Batting] = field(default_factory=list)
    bowling: dict[int, Bowling] = field(default_factory=dict)
    overs: dict[int, list[Delivery]] = field(default_factory=dict)
    score_after: dict[int, tuple[int, int]] = field(default_factory=dict)  # by over
    striker: int = 0
    partner: int = 1

    @property
    def overs_text(self) -> str:
        return f"{self.legal_balls // BALLS_PER_OVER}.{self.legal_balls % BALLS_PER_OVER}"

    @property
    def is_super_over(self) -> bool:
        return self.number > 2


@dataclass(frozen=True, slots=True)
class Standing:
    """One match at one moment."""

    fixture: Fixture
    phase: str  # not_started, toss, in_play, rain, stumps, innings_break, super_over, finished
    innings: tuple[Innings, ...]
    last: Delivery | None
    result: str
    is_abandoned: bool
    is_listed: bool

    @property
    def current(self) -> Innings | None:
        return self.innings[-1] if self.innings else None

    @property
    def is_live(self) -> bool:
        return self.phase not in ("not_started", "finished")

    @property
    def target(self) -> int | None:
        return self.innings[0].runs + 1 if len(self.innings) == 2 else None


def standing_at(fixture: Fixture, tick: int) -> Standing:
    """Return how the match stands at that tick."""
    course = play(fixture)
    bowled = bisect_right(course.deliveries, tick, key=lambda delivery: delivery.tick)
    wrong = tuple((each.number, each.token) for each in course.misstatements if tick < each.until)
    phase = _phase(fixture, tick)
    innings = _book(fixture, bowled, tuple(each for each in wrong if each[0] < bowled))
    return Standing(
        fixture=fixture,
        phase=phase,
        innings=_opened(fixture, phase, innings),
        last=innings[-1].overs[max(innings[-1].overs)][-1] if innings else None,
        result=course.result if phase == "finished" else "",
        is_abandoned=course.is_abandoned and phase == "finished",
        is_listed=_is_listed(fixture, tick, phase),
    )


def _phase(fixture: Fixture, tick: int) -> str:
    course = play(fixture)
    if tick < fixture.start_tick:
        return "not_started"
    if tick >= course.end_tick:
        return "finished"
    for pause in course.pauses:
        if pause.start <= tick < pause.end:
            return pause.word
    if tick < course.deliveries[0].tick:
        return "toss"
    bowled = bisect_right(course.deliveries, tick, key=lambda delivery: delivery.tick)
    return "super_over" if course.deliveries[bowled - 1].innings > 2 else "in_play"


def _is_listed(fixture: Fixture, tick: int, phase: str) -> bool:
    course = play(fixture)
    if phase == "finished":
        return tick < course.end_tick + RESULT_LISTED_TICKS
    if phase == "stumps":
        night = next(pause for pause in course.pauses if pause.word == "stumps")
        return tick < night.start + NIGHT_LISTED_TICKS
    return phase != "not_started"


def _opened(fixture: Fixture, phase: str, innings: tuple[Innings, ...]) -> tuple[Innings, ...]:
    """Add the innings about to begin: during a break its score stands at nought already."""
    if phase != "innings_break" or not innings:
        return innings
    number = innings[-1].number + 1
    return (*innings, Innings(number, batting_side(fixture, number), batting=[Batting(0), Batting(1)]))


@lru_cache(maxsize=2048)
def _book(fixture: Fixture, bowled: int, wrong: tuple[tuple[int, str], ...]) -> tuple[Innings, ...]:
    stated = dict(wrong)
    book: list[Innings] = []
    for number, delivery in enumerate(play(fixture).deliveries[:bowled]):
        if not book or book[-1].number != delivery.innings:
            opening = [Batting(0), Batting(1)]
            book.append(Innings(delivery.innings, batting_side(fixture, delivery.innings), batting=opening))
        _enter(book[-1], delivery.stated_as(stated[number]) if number in stated else delivery)
    return tuple(book)


def _enter(innings: Innings, delivery: Delivery) -> None:
    outcome = delivery.outcome
    innings.overs.setdefault(delivery.over, []).append(delivery)
    innings.runs += outcome.runs
    innings.legal_balls = delivery.legal_balls
    _enter_batting(innings, delivery)
    bowling = innings.bowling.setdefault(delivery.bowler, Bowling(delivery.bowler))
    bowling.runs += outcome.bat + (outcome.extras if outcome.extra in ("wd", "nb") else 0)
    bowling.balls += outcome.is_legal
    bowling.wickets += outcome.is_wicket
    bowling.dots += outcome.is_legal and outcome.runs == 0
    innings.score_after[delivery.over] = (innings.runs, innings.wickets)
    over_ended = outcome.is_legal and delivery.ball == BALLS_PER_OVER
    if outcome.crosses != over_ended:
        innings.striker, innings.partner = innings.partner, innings.striker


def _enter_batting(innings: Innings, delivery: Delivery) -> None:
    outcome, striker = delivery.outcome, innings.batting[innings.striker]
    striker.runs += outcome.bat
    striker.balls += outcome.extra != "wd"
    striker.fours += outcome.bat == 4
    striker.sixes += outcome.bat == 6
    if outcome.is_wicket:
        innings.wickets += 1
        striker.out = (delivery.legal_balls, innings.runs, delivery.bowler)
        if len(innings.batting) < PLAYERS_PER_SIDE:
            innings.batting.append(Batting(len(innings.batting)))
            innings.striker = len(innings.batting) - 1
