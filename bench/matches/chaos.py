"""The third proof: Chromium killed again and again, a source down, 429s, Redis restarted - and nothing is lost."""

from __future__ import annotations

import argparse
import os
import time

from bench.matches.bars import Bars
from bench.matches.ground import Domain
from bench.matches.kept_redis import kept_redis
from bench.matches.matchday import Matchday, judge_balls, judge_grades, matchday
from bench.matches.troubles import AUDITED_AS, Troublemaker, chromium_of, is_alive

RECOVERED_WITHIN_SECONDS = 30.0
WELL_WITHIN_SECONDS = 60.0
LONGEST_SECONDS = 24 * 3600.0


def prove_chaos(asked: argparse.Namespace) -> Bars:
    """Break everything for as long as asked, and ask of each trouble how long it took and what was written down."""
    bars = Bars(f"chaos over {asked.matches} matches, {asked.browser} by browser too, {asked.minutes:g} min")
    domains = [
        Domain("crex", 100),
        Domain("crex_browser", 90, at_once=4, most_matches=asked.browser, every_seconds=5),
        Domain("pavilion", 80),
    ]
    # A breaker rests 60 s by default: with that, no source could be back within 30.
    settings = {"LIMPET_CIRCUIT_BREAKER_TIMEOUT_SECONDS": "10"}
    with (
        kept_redis() as redis,
        matchday(asked, *domains, LIMPET_REDIS_URL=redis.url, **settings) as day,
    ):
        day.play(asked.warm_up)
        trouble = Troublemaker(day, redis, minutes=asked.minutes)
        _wreak(day, trouble)
        finding = day.compare()
        grade = day.witness.grades[-1]
        bars.true("healthy at the end", grade == "healthy", found=grade, asked="healthy")
        _judge_troubles(bars, trouble, day)
        judge_balls(bars, finding)
        judge_grades(bars, day.witness)
        bars.note(f"machine load {os.getloadavg()[0]:.1f}")
        _judge_what_is_left(bars, day, trouble.browsers | chromium_of(day.limpet.pid))
    return bars


def _wreak(day: Matchday, trouble: Troublemaker) -> None:
    """Look on while things are broken, and until the grade is good again."""
    day.since = time.monotonic()
    trouble.begin()
    day.play(LONGEST_SECONDS, while_true=trouble.is_at_work)
    day.until = time.monotonic()
    day.play(WELL_WITHIN_SECONDS, while_true=lambda: day.witness.grades[-1] != "healthy")


def _judge_what_is_left(bars: Bars, day: Matchday, browsers: set[tuple[int, float]]) -> None:
    """Stop Limpet, and ask that no browser outlives it and its ledger is sound."""
    day.limpet.stop()
    bars.none("browser processes left behind", [pid for pid, began in browsers if is_alive(pid, began)])
    code = day.limpet.verify().returncode
    bars.true("limpet verify", code == 0, found=f"exit {code}", asked="exit 0")


def _judge_troubles(bars: Bars, trouble: Troublemaker, day: Matchday) -> None:
    written = day.reader.rows("SELECT action_type, trigger_condition, outcome FROM recovery_audit")
    for what, times in trouble.took.items():
        spent = ", ".join(f"{each:.1f}" for each in times)
        bars.note(f"{what}: {len(times)} times, well again after {spent} s")
        bars.at_most(f"well again after {what}", max(times), RECOVERED_WITHIN_SECONDS, unit=" s")
        action, word = AUDITED_AS[what]
        noted = [row for row in written if row["action_type"] == action and word in row["trigger_condition"]]
        bars.true(
            f"audit entries for {what}",
            len(noted) >= len(times),
            found=str(len(noted)),
            asked=f"at least {len(times)}",
        )
    missing = [what for what in AUDITED_AS if what not in trouble.took]
    bars.none("troubles that were not made", list(missing))
    bars.none("troubles that never passed", list(trouble.never_over))
