"""sC4: the scorecard, one object per innings, every player a dotted text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from limpet.apps.matches.balls import Overs
from limpet.apps.matches.models.crex.code_book import CodeBook
from limpet.apps.matches.models.crex.scores import score_of, whole, wholes, words
from limpet.apps.matches.scorecard import (
    BatterLine,
    BowlerLine,
    Dismissal,
    InningsCard,
    InningsScore,
    Side,
)
from limpet.extract import Missing
from limpet.extract.failure import CannotRead

_HOW = {1: "bowled", 2: "caught", 3: "bowled", 4: "run_out", 5: "lbw", 6: "stumped"}
_BATTING_PARTS = 5


def read_card(facts: Any, sides: Mapping[str, Side], book: CodeBook) -> tuple[InningsCard, ...]:
    """Return the innings in order; an entry that cannot be read costs that entry, not the card."""
    if not isinstance(facts, list):
        raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, "not an sC4 answer: a list of innings was expected")
    cards = []
    for number, innings in enumerate(facts, start=1):
        side = sides.get(words(innings.get("c"))) if isinstance(innings, dict) else None
        if side is None:
            raise CannotRead(Missing.PAGE_STRUCTURE_CHANGED, f"innings {number} names no known side (c)")
        cards.append(_innings(number, side, innings, book))
    return tuple(cards)


def codes_on_card(facts: Any) -> list[str]:
    """Return the code of every player on the card, as far as it can be read."""
    innings = [each for each in facts if isinstance(each, dict)] if isinstance(facts, list) else []
    return [text.partition(".")[0] for each in innings for name in "ab" for text in _entries(each.get(name))]


def _innings(number: int, side: Side, facts: Mapping[str, Any], book: CodeBook) -> InningsCard:
    score = score_of(facts.get("d"))
    batters = [_batter(text, book) for text in _entries(facts.get("b"))]
    bowlers = [_bowler(text, book) for text in _entries(facts.get("a"))]
    return InningsCard(
        number,
        side,
        InningsScore(number, side, score[0], score[1], score[2], number > 2, score[3]) if score else None,
        tuple(line for line in batters if line is not None),
        tuple(line for line in bowlers if line is not None),
    )


def _entries(value: Any) -> list[str]:
    """Return the entries, whether they come as a list or as one text."""
    listed = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return [entry.strip() for entry in listed if isinstance(entry, str) and entry.strip()]


def _batter(text: str, book: CodeBook) -> BatterLine | None:
    """Read `37X`, `37X.44.39.7.0`, or the same with how it ended."""
    parts = text.partition("/")[0].split(".")
    code, figures = parts[0], wholes(".".join(parts[1:_BATTING_PARTS]), 4)
    if len(parts) == 1:
        return BatterLine(code, book.player(code), state="yet_to_bat")
    if figures is None:
        return None
    runs, balls, fours, sixes = figures
    line = BatterLine(code, book.player(code), runs, balls, fours, sixes)
    if len(parts) == _BATTING_PARTS:
        return line
    return replace(line, state="out", dismissal=_dismissal(parts, book))


def _dismissal(parts: list[str], book: CodeBook) -> Dismissal:
    rest = [*parts[_BATTING_PARTS:], "", "", "", "", ""]
    ball, score, how, bowler, fielder = rest[:5]
    return Dismissal(
        kind=_HOW.get(whole(how) or 0, "out"),
        bowler=book.player(bowler) or bowler,
        fielder=book.player(fielder) or fielder,
        fell_at_runs=whole(score),
        fell_at_ball=whole(ball),
    )


def _bowler(text: str, book: CodeBook) -> BowlerLine | None:
    """Read `T8.35.24.0.2`: runs, balls - not overs -, maidens, wickets; a bare code has not bowled."""
    code, _, rest = text.partition(".")
    figures = wholes(rest, 4)
    if figures is None:
        return None
    runs, balls, maidens, wickets = figures
    return BowlerLine(code, book.player(code), Overs(balls), maidens, runs, wickets)
