"""The latest overs, from the list of balls (`rb`) or from the three texts `l`, `m`, `n`."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from limpet.apps.matches.balls import BallEvent, Overs
from limpet.apps.matches.models.crex.scores import whole, words
from limpet.apps.matches.models.outcomes import Outcome, balls_of_over, outcome_of
from limpet.apps.matches.scorecard import Side


def batting_codes(facts: Mapping[str, Any]) -> dict[int, str]:
    """Return who bats by over number, as far as the list of balls says; keys are over numbers from 1."""
    return {number: words(over.get("bt")) for number, over in _overs(facts) if words(over.get("bt"))}


def batting_now(facts: Mapping[str, Any], overs: Overs) -> str:
    """Return who bats, when the list of balls has come as far as the score: else it tells of the innings before."""
    batting = batting_codes(facts)
    newest = [number for number in (overs.over + 1, overs.over) if number in batting]
    return batting[newest[0]] if newest else ""


def recent_balls(
    facts: Mapping[str, Any],
    *,
    innings_of: Mapping[Side, int],
    sides: Mapping[str, Side],
    super_innings_of: Mapping[Side, int],
    current: int | None,
    over_under_way: int,
) -> tuple[BallEvent, ...]:
    """Return the balls the answer still shows, oldest first.

    `innings_of` and `super_innings_of` say which innings of the match a side's are; `current` and
    `over_under_way` (from 1) place the overs of the older texts, which name no side.
    """
    balls: dict[tuple[int, int, int], BallEvent] = {}
    if isinstance(facts.get("rb"), list):
        for number, over in _overs(facts):
            side = sides.get(words(over.get("bt")))
            place = super_innings_of if number == 1 and super_innings_of else innings_of
            if side is not None and side in place:
                _add(balls, balls_of_over(place[side], number - 1, _listed(over.get("b"))))
    elif current is not None:
        for number, outcomes in _texts(facts):
            innings = current if number <= over_under_way else current - 1
            if innings >= 1:
                _add(balls, balls_of_over(innings, number - 1, outcomes))
    return tuple(balls[key] for key in sorted(balls))


def _add(balls: dict[tuple[int, int, int], BallEvent], more: list[BallEvent]) -> None:
    balls.update({(ball.key.innings, ball.key.over, ball.key.delivery): ball for ball in more})


def _overs(facts: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    listed = facts.get("rb")
    overs = [over for over in listed if isinstance(over, dict)] if isinstance(listed, list) else []
    return [(number, over) for over in overs if (number := whole(over.get("o")))]


def _listed(balls: Any) -> list[Outcome | None]:
    """Return the outcomes of one over; a list that does not begin with the first ball cannot be numbered."""
    rows = [row for row in balls if isinstance(row, dict)] if isinstance(balls, list) else []
    if not rows or whole(rows[0].get("d")) != 1:
        return []
    outcomes: list[Outcome | None] = []
    legal = 0
    for row in rows:
        outcome = outcome_of(words(row.get("u")))
        # Wides and no-balls repeat the number of the ball; another number means that balls are left out.
        if outcome is not None and whole(row.get("d")) != legal + 1:
            outcome = None
        outcomes.append(outcome)
        legal += outcome.is_legal if outcome else 0
    return outcomes


def _texts(facts: Mapping[str, Any]) -> list[tuple[int, list[Outcome | None]]]:
    """Return `43:0.0.0.1.0.0` by over number: which of the three is the oldest, nobody can rely on."""
    overs = []
    for name in ("l", "m", "n"):
        number, colon, balls = words(facts.get(name)).partition(":")
        if colon and whole(number):
            overs.append((whole(number) or 0, [outcome_of(each) for each in balls.split(".") if each]))
    # The same number twice: the same over of two innings, and no telling which is which.
    numbers = [number for number, _ in overs]
    return sorted(
        ((number, balls) for number, balls in overs if numbers.count(number) == 1), key=itemgetter(0)
    )
