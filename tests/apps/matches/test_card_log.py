"""Scorecards: a version only when something changed, and what it was."""

from __future__ import annotations

from typing import Any

from limpet.apps.matches.balls import Overs
from limpet.apps.matches.card_log import CardLog
from limpet.apps.matches.scorecard import BatterLine, BowlerLine, InningsCard, InningsScore


def card(runs: int, *batters: BatterLine, wickets: int = 0) -> InningsCard:
    score = InningsScore(1, "team_a", runs, wickets, Overs(6))
    return InningsCard(1, "team_a", score, batters, (BowlerLine("T8", "Starc", Overs(6), runs=runs),))


def learn(log: CardLog, each: InningsCard, domain: str = "crex", rank: float = 100) -> list[Any]:
    return log.take([each], domain_id=domain, rank=rank)


def test_the_first_card_is_version_one_with_everything_new() -> None:
    (kept,) = learn(CardLog(), card(4, BatterLine("37X", "Kohli", 4, 6)))

    assert kept.version == 1
    assert kept.changes["batters"]["37X"]["new"]["runs"] == 4
    assert kept.card["bowlers"]["T8"]["overs"] == "1.0"


def test_an_unchanged_card_is_no_version() -> None:
    log = CardLog()
    learn(log, card(4, BatterLine("37X", "Kohli", 4, 6)))

    assert learn(log, card(4, BatterLine("37X", "Kohli", 4, 6))) == []


def test_a_change_names_the_figure_from_and_to_and_who_got_out() -> None:
    log = CardLog()
    learn(log, card(4, BatterLine("37X", "Kohli", 4, 6)))

    (kept,) = learn(log, card(5, BatterLine("37X", "Kohli", 5, 7, state="out"), wickets=1))

    assert kept.version == 2
    assert kept.changes["batters"]["37X"]["runs"] == {"from": 4, "to": 5}
    assert kept.changes["wickets"] == ["37X"]
    assert kept.changes["score"]["to"]["wickets"] == 1


def test_a_lesser_source_does_not_overwrite_a_better_one() -> None:
    log = CardLog()
    learn(log, card(5))

    assert learn(log, card(4), "second", 80) == []
    assert len(learn(log, card(6), "crex", 100)) == 1
