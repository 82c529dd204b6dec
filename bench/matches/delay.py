"""The second proof: a hundred matches asked every second, and how soon each ball is to be heard in the API."""

from __future__ import annotations

import argparse

from bench.matches.bars import Bars
from bench.matches.ground import Domain
from bench.matches.matchday import judge_balls, judge_grades, judge_steadiness, matchday, report_cost
from bench.matches.referee import compare, heard_at
from bench.matches.spectators import Spectators

P95_SECONDS = 2.0


def prove_delay(asked: argparse.Namespace) -> Bars:
    """Listen to every match in the API, and hold what is heard against what happened at the origin."""
    bars = Bars(f"{asked.matches} matches every {asked.polling:g} s, {asked.minutes:g} min")
    with matchday(asked, Domain("crex", 100)) as day:
        day.play(asked.warm_up)
        with Spectators(day.limpet.url, token=day.limpet.token, how_many=asked.matches) as spectators:
            day.measure(asked.minutes * 60)
            finding = day.compare()
        truth = {match: day.ground.balls(match) for match in spectators.shown}
        heard = compare(
            truth, spectators.shown, heard_at(truth, spectators.scores), since=day.since, until=day.until
        )
        bars.note(f"in the API, {len(truth)} matches listened to: {heard.sentence()}")
        bars.at_most("p95 from the origin to the API", heard.delay(0.95), P95_SECONDS, unit=" s")
        bars.at_most("p95 from the origin to the ledger", finding.delay(0.95), P95_SECONDS, unit=" s")
        bars.none("balls the API does not show", list(heard.missing))
        judge_balls(bars, finding)
        judge_grades(bars, day.witness)
        judge_steadiness(bars, day.gauge, asked.minutes, is_asked=False)
        report_cost(bars, day, asked.matches)
    return bars
