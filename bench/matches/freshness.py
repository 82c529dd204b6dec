"""The first proof: forty matches by data, ten of them by browser too, fresh, flat, and graded as the oracle does."""

from __future__ import annotations

import argparse
from itertools import groupby

from bench.matches.bars import Bars
from bench.matches.ground import Domain
from bench.matches.matchday import (
    Matchday,
    judge_balls,
    judge_grades,
    judge_steadiness,
    matchday,
    report_cost,
)
from bench.matches.oracle import share_of

MEDIAN_SECONDS, P95_SECONDS = 3.0, 6.0
BACK_WITHIN_SECONDS = 180.0
FILLED_WITHIN_SECONDS = 30.0  # the first match that answers makes it healthy; the others follow
# Failing is acted upon at once: it is seen only while a browser is being replaced.
WALK = ["healthy", "degraded", "recovering", "healthy"]
SITES = ("crex", "crexapi", "pavilion")


def prove_freshness(asked: argparse.Namespace) -> Bars:
    """Watch for as long as asked; then, if asked, let every source be silent and see all four grades."""
    bars = Bars(f"{asked.matches} matches by data, {asked.browser} by browser too, {asked.minutes:g} min")
    domains = [Domain("crex", 100), Domain("pavilion", 80)]
    if asked.browser:
        domains.append(Domain("crex_browser", 90, at_once=4, most_matches=asked.browser, every_seconds=10))
    with matchday(asked, *domains) as day:
        day.play(asked.warm_up)
        day.measure(asked.minutes * 60)
        finding = day.compare()
        if asked.outage:
            _fall_silent(day, asked.outage, bars)
            day.play(FILLED_WITHIN_SECONDS)
            missed = f"balls of that silence missed {FILLED_WITHIN_SECONDS:g} s later"
            bars.none(missed, list(day.compare().missing))
        _judge_freshness(bars, day)
        judge_balls(bars, finding)
        judge_grades(bars, day.witness)
        judge_steadiness(bars, day.gauge, asked.minutes)
        report_cost(bars, day, asked.matches)
        if asked.browser:
            _judge_browser(bars, day, asked.browser)
    return bars


def _judge_freshness(bars: Bars, day: Matchday) -> None:
    witness = day.witness
    for whose, ages in (("by the origin's log", witness.ages), ("as /status tells", witness.told_ages)):
        bars.below(
            f"median age {whose}", share_of(ages, 0.5) if ages else float("nan"), MEDIAN_SECONDS, unit=" s"
        )
        bars.below(
            f"p95 of ages {whose}", share_of(ages, 0.95) if ages else float("nan"), P95_SECONDS, unit=" s"
        )
    bars.note(f"slowest answer of /status: {1000 * witness.slowest_answer:.0f} ms")


def _judge_browser(bars: Bars, day: Matchday, wanted: int) -> None:
    shown = day.reader.rows(
        "SELECT match_id FROM match_monitors WHERE domain_id = 'crex_browser' AND total_scrapes > 0"
    )
    bars.true("matches seen by browser", len(shown) >= wanted, found=str(len(shown)), asked=f"{wanted}")


def _fall_silent(day: Matchday, seconds: float, bars: Bars) -> None:
    """Let every source fail for a while: the grade must walk through all four words, and come back."""
    first = len(day.witness.grades)
    for site in SITES:
        day.ground.set_fault(site, "server_error_500")
    day.play(seconds)
    day.ground.clear_faults()
    day.play(BACK_WITHIN_SECONDS, while_true=lambda: day.witness.grades[-1] != "healthy")
    seen = [grade for grade in day.witness.grades[first:] if grade != "failing"]
    walked = [grade for grade, _ in groupby(["healthy", *seen])]
    bars.true(
        f"grades in {seconds:g} s of silence",
        walked == WALK,
        found=" > ".join(walked),
        asked=" > ".join(WALK),
    )
