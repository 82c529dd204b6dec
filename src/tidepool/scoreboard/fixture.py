"""A fixture: who plays whom, when, and what will be special about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tidepool.draw import draw, pick
from tidepool.scoreboard.names import FIRST_NAMES, GROUNDS, LAST_NAMES, SERIES, SIDES

PLAYERS_PER_SIDE = 11
FIRST_KEY = 35_532  # "RF0" in base 36
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Kind(StrEnum):
    """What a match is there to show."""

    PLAIN = "plain"
    RAIN = "rain"  # play stops, the score stands still, play goes on
    CORRECTED = "corrected"  # some balls are first shown wrong and put right later
    STUMPS = "stumps"  # leaves the list of live matches over night and comes back
    SUPER_OVER = "super_over"
    LATE = "late"  # fields come one after the other: no toss, no ground, no ball list, no names at first
    DISAGREEING = "disagreeing"  # the second site counts more than a twentieth too many
    LAGGING = "lagging"  # the second site is half a minute behind
    ABANDONED = "abandoned"
    UPCOMING = "upcoming"  # begins much later than the others
    BARE = "bare"  # the first site shows no list of balls (`rb`), only its last three overs as text
    SHORT = "short"  # five overs a side: soon over


KINDS = tuple(Kind)
OVERS = {Kind.SHORT: 5, Kind.SUPER_OVER: 5, Kind.STUMPS: 30}


@dataclass(frozen=True, slots=True)
class Player:
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Side:
    code: str
    name: str
    short: str
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match before a ball is bowled. `sides` stand in the order of the address, not of the batting."""

    index: int
    seed: int
    kind: Kind
    key: str
    number: int  # the second site's own id
    series: str
    series_key: str
    label: str
    sides: tuple[Side, Side]
    ground: tuple[str, str]
    start_tick: int
    overs: int
    toss_won_by: int  # 0 or 1
    bats_first: int  # 0 or 1

    @property
    def slug(self) -> str:
        words = f"{self.sides[0].short} vs {self.sides[1].short} {self.label} {self.series} 2026"
        return words.lower().replace(" ", "-")

    @property
    def path(self) -> str:
        """Where the first site shows it, without the last word (live, scorecard, info)."""
        codes = "/".join(side.code for side in self.sides)
        label = self.label.replace(" ", "-")
        return f"/scoreboard/{self.key}/{self.series_key}/{label}/{codes}/{self.slug}"

    @property
    def toss_choice(self) -> str:
        return "bat" if self.toss_won_by == self.bats_first else "bowl"

    @property
    def format(self) -> str:
        return "T20" if self.overs == 20 else f"{self.overs} overs"


@lru_cache(maxsize=4096)
def fixture_of(index: int, *, seed: int, plain: bool) -> Fixture:
    """Return the fixture of that number, always the same one."""
    kind = Kind.PLAIN if plain else KINDS[index % len(KINDS)]
    home = draw(len(SIDES), seed, "home", index)
    away = (home + 1 + draw(len(SIDES) - 1, seed, "away", index)) % len(SIDES)
    return Fixture(
        index=index,
        seed=seed,
        kind=kind,
        key=base36(FIRST_KEY + index * 37),
        number=90_000 + index,
        series=pick(SERIES, seed, "series", index),
        series_key=base36(1_700 + draw(1_000, seed, "series key", index)),
        label=f"{ordinal(index + 1)} Match",
        sides=(_side(home, index), _side(away, index)),
        ground=pick(GROUNDS, seed, "ground", index),
        start_tick=600 if kind is Kind.UPCOMING else index % 10,
        overs=OVERS.get(kind, 20),
        toss_won_by=draw(2, seed, "toss", index),
        bats_first=draw(2, seed, "bats", index),
    )


def _side(number: int, match: int) -> Side:
    name, short = SIDES[number]
    # Codes of digits alone are as common as others, and are no numbers.
    code = str(10 + number) if number % 4 == 0 else base36(450 + number * 31)
    return Side(code, name, short, tuple(_player(number, place, match) for place in range(PLAYERS_PER_SIDE)))


def _player(side: int, place: int, match: int) -> Player:
    number = side * PLAYERS_PER_SIDE + place
    name = f"{pick(FIRST_NAMES, 'first', number)} {LAST_NAMES[(place * 2 + side) % len(LAST_NAMES)]}"
    return Player(str(300 + number) if number % 5 == 0 else base36(4_000 + number * 7), name)


def base36(number: int) -> str:
    """Write a number in base 36, as the site's keys are."""
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
    return text or "0"


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 11th."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
