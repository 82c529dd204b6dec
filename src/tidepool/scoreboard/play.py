"""A match played from the first ball to the result, as a function of its fixture alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tidepool.draw import draw
from tidepool.scoreboard.delivery import BALLS_PER_OVER, Delivery, outcome_of
from tidepool.scoreboard.fixture import PLAYERS_PER_SIDE, Fixture, Kind

FIRST_BALL_AFTER = 4  # ticks from the start to the first ball
FASTEST, SLOWEST = 3, 7  # ticks from ball to ball
OVER_BREAK, INNINGS_BREAK, SUPER_OVER_BREAK = 3, 25, 20
RAIN_TICKS, NIGHT_TICKS, ABANDONED_AFTER = 60, 240, 45
CORRECTED_AFTER = 11
MOST_WICKETS = PLAYERS_PER_SIDE - 1
_TOKENS = (
    "0", "0", "0", "0", "0", "0", "1", "1", "1", "1", "1", "1", "2", "2", "3", "4", "4", "4", "6", "6",
    "w", "wd", "wd2", "nb", "nb4", "lb1", "lb4", "b2", "0", "w",
)  # fmt: skip
_WRONG = {"0": "1", "1": "4", "2": "w", "3": "2", "4": "6", "6": "4", "lb1": "1", "w": "0"}


@dataclass(frozen=True, slots=True)
class Pause:
    """A time without play, from its first tick up to, but not including, its last."""

    word: str  # rain, stumps, innings_break
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Misstatement:
    """A ball shown wrong from when it is bowled until it is put right."""

    number: int  # among all deliveries of the match
    token: str
    until: int


@dataclass(frozen=True, slots=True)
class Play:
    """Everything that will happen in one match."""

    deliveries: tuple[Delivery, ...]
    pauses: tuple[Pause, ...]
    misstatements: tuple[Misstatement, ...]
    totals: tuple[tuple[int, int], ...]  # runs and wickets of each innings
    end_tick: int
    result: str
    is_abandoned: bool = False


@dataclass(slots=True)
class _Course:
    """A match under way, while it is being invented."""

    fixture: Fixture
    tick: int
    deliveries: list[Delivery]
    pauses: list[Pause]
    totals: list[tuple[int, int]]

    def pause(self, word: str, ticks: int) -> None:
        self.pauses.append(Pause(word, self.tick + 1, self.tick + ticks))
        self.tick += ticks


@lru_cache(maxsize=1024)
def play(fixture: Fixture) -> Play:
    """Play the match."""
    course = _Course(fixture, fixture.start_tick + FIRST_BALL_AFTER, [], [], [])
    if fixture.kind is Kind.ABANDONED:
        _innings(course, 1, overs=6)
        course.pause("rain", ABANDONED_AFTER)
        return _over(course, "Match abandoned due to rain (no result)", is_abandoned=True)
    _innings(course, 1, overs=fixture.overs)
    course.pause("innings_break", INNINGS_BREAK)
    _innings(course, 2, overs=fixture.overs, chases=course.totals[0][0])
    if course.totals[0][0] == course.totals[1][0]:
        _super_over(course)
    return _over(course, _result(course))


def batting_side(fixture: Fixture, innings: int) -> int:
    """Return 0 or 1: the side that chased bats first in a super over."""
    first, second = fixture.bats_first, 1 - fixture.bats_first
    return (first, second, second, first)[innings - 1]


def _super_over(course: _Course) -> None:
    course.pause("innings_break", SUPER_OVER_BREAK)
    _innings(course, 3, overs=1)
    course.pause("innings_break", SUPER_OVER_BREAK)
    _innings(course, 4, overs=1, chases=course.totals[2][0], may_tie=False)


def _innings(
    course: _Course, number: int, *, overs: int, chases: int | None = None, may_tie: bool = True
) -> None:
    runs = wickets = legal = 0
    most_wickets = 2 if number > 2 else MOST_WICKETS
    for over in range(overs):
        _interruption(course, number, over)
        place, ball = 0, 0
        while ball < BALLS_PER_OVER:
            place += 1
            left = overs * BALLS_PER_OVER - legal
            token = _token(course, number, over, place, runs=runs, chases=chases, left=left, may_tie=may_tie)
            if token == "w" and wickets + 1 > most_wickets:
                token = "0"
            outcome = outcome_of(token)
            legal += outcome.is_legal
            bowler = PLAYERS_PER_SIDE - 1 - over % 5
            course.deliveries.append(
                Delivery(number, over, place, ball + 1, legal, bowler, outcome, course.tick)
            )
            ball += outcome.is_legal
            runs, wickets = runs + outcome.runs, wickets + outcome.is_wicket
            course.tick += FASTEST + _chance(course, SLOWEST - FASTEST + 1, number, over, place)
            if wickets == most_wickets or (chases is not None and runs > chases):
                course.totals.append((runs, wickets))
                return
        course.tick += OVER_BREAK
    course.totals.append((runs, wickets))


def _interruption(course: _Course, innings: int, over: int) -> None:
    if innings == 1 and over == 3 and course.fixture.kind is Kind.RAIN:
        course.pause("rain", RAIN_TICKS)
    if innings == 1 and over == 4 and course.fixture.kind is Kind.STUMPS:
        course.pause("stumps", NIGHT_TICKS)


def _token(
    course: _Course,
    innings: int,
    over: int,
    place: int,
    *,
    runs: int,
    chases: int | None,
    left: int,
    may_tie: bool,
) -> str:
    token = _TOKENS[_chance(course, len(_TOKENS), "token", innings, over, place)]
    if course.fixture.kind is not Kind.SUPER_OVER or chases is None:
        return token
    if not may_tie:
        return "6" if left == 1 or runs + 6 > chases else token
    return _tied(token, needed=chases - runs, left=left)


def _tied(token: str, *, needed: int, left: int) -> str:
    """Return an outcome that keeps a tie within reach: every run that is needed, and never one more."""
    if left == 1 or needed <= 0:
        return str(max(0, min(6, needed))) if needed != 5 else "5"
    outcome = outcome_of(token)
    after = needed - outcome.runs
    if token == "w" or after < 0:
        return "0" if needed <= 4 * (left - 1) else "4"
    if after > 4 * (left - 1):
        return "6" if needed >= 6 else str(needed)
    return token


def _chance(course: _Course, below: int, *about: object) -> int:
    return draw(below, course.fixture.seed, course.fixture.index, *about)


def _over(course: _Course, result: str, *, is_abandoned: bool = False) -> Play:
    return Play(
        tuple(course.deliveries),
        tuple(course.pauses),
        tuple(_misstatements(course)),
        tuple(course.totals),
        course.tick + 2,
        result,
        is_abandoned,
    )


def _misstatements(course: _Course) -> Iterator[Misstatement]:
    if course.fixture.kind is not Kind.CORRECTED:
        return
    for number, delivery in enumerate(course.deliveries):
        wrong = _WRONG.get(delivery.outcome.token)
        if number % 17 == 5 and wrong:
            yield Misstatement(number, wrong, delivery.tick + CORRECTED_AFTER)


def _result(course: _Course) -> str:
    names = [course.fixture.sides[batting_side(course.fixture, n)].name for n in (1, 2, 3, 4)]
    totals = course.totals
    if len(totals) == 4:
        winner = names[3] if totals[3][0] > totals[2][0] else names[2]
        return f"Match tied ({winner} won the Super Over)"
    if totals[1][0] > totals[0][0]:
        return f"{names[1]} won by {MOST_WICKETS - totals[1][1]} wickets"
    if totals[1][0] == totals[0][0]:
        return "Match tied"
    return f"{names[0]} won by {totals[0][0] - totals[1][0]} runs"
