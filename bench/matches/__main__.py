"""Measure the match monitor: python -m bench.matches [--matches 100] [--browser 10] [--minutes 10] [--polling 1]."""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.matches.gauge import Gauge
from bench.matches.ground import Domain, Ground
from bench.matches.limpet_process import Limpet
from bench.matches.reader import LedgerReader
from bench.matches.referee import Finding, compare, heard_at
from bench.matches.spectators import Spectators

LOOK_SECONDS = 0.1
SETTLE_SECONDS = 6.0  # a ball of the last moments may still be on its way when we stop counting


def wishes() -> argparse.Namespace:
    """Return what was asked for."""
    line = argparse.ArgumentParser(prog="python -m bench.matches", description=__doc__)
    line.add_argument("--matches", type=int, default=100, help="matches by direct data (default 100)")
    line.add_argument("--browser", type=int, default=0, help="how many of them also by browser (default 0)")
    line.add_argument("--pavilion", action="store_true", help="the second source as well")
    line.add_argument("--minutes", type=float, default=2.0, help="how long (default 2)")
    line.add_argument("--polling", type=float, default=1.0, help="seconds between two questions (default 1)")
    line.add_argument(
        "--tick", type=float, default=0.93, help="seconds of a tick; a ball takes 3 to 7 (default 0.93)"
    )
    line.add_argument("--warm-up", type=float, default=15.0, help="seconds not counted (default 15)")
    line.add_argument("--spectators", type=int, default=0, help="how many matches to listen to in the API")
    line.add_argument("--keep", type=Path, help="leave config, ledger and logs in this folder")
    return line.parse_args()


def main() -> int:
    """Run it and print what came of it; 1 when a ball was missed."""
    asked = wishes()
    folder = asked.keep or Path(tempfile.mkdtemp(prefix="matchday-"))
    folder.mkdir(parents=True, exist_ok=True)
    ground = Ground(folder, matches=asked.matches, tick_seconds=asked.tick)
    try:
        domains = [Domain("crex", 100)]
        if asked.pavilion:
            domains.append(Domain("pavilion", 80))
        if asked.browser:
            most = asked.browser
            domains.append(Domain("crex_browser", 90, at_once=4, most_matches=most, every_seconds=10))
        ground.write_config(*domains)
        return measure(ground, folder, asked)
    finally:
        ground.stop()
        if asked.keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def measure(ground: Ground, folder: Path, asked: argparse.Namespace) -> int:
    """Let Limpet watch for as long as was asked, and judge it."""
    with Limpet(folder, polling_seconds=asked.polling) as limpet:
        gauge, origin = Gauge(limpet.pid), Gauge(ground.pid)
        reader = LedgerReader(folder / "data" / "limpet.db")
        _watch(reader, gauge, asked.warm_up)
        with Spectators(limpet.url, token=limpet.token, how_many=asked.spectators) as spectators:
            gauge.begin()
            origin.begin()
            since = time.monotonic()
            _watch(reader, gauge, asked.minutes * 60)
            until = time.monotonic()
            gauge.look()
            origin.look()
            _watch(reader, None, SETTLE_SECONDS)
        truth = {match["key"]: ground.balls(match["key"]) for match in ground.matches()}
        finding = compare(truth, reader.shown, reader.seen, since=since, until=until)
        _report(finding, gauge, origin, asked, until - since)
        if asked.spectators:
            heard = {match: balls for match, balls in truth.items() if match in spectators.shown}
            seen = heard_at(heard, spectators.scores)
            told = compare(heard, spectators.shown, seen, since=since, until=until)
            print(f"in the API, {len(heard)} matches listened to: {told.sentence()}")
        grades = spectators.grades or ["not asked"]
        print(f"grades seen: {', '.join(sorted(set(grades)))}; snapshots {reader.count('live_match_data')}")
        return 0 if finding.is_flawless else 1


def _watch(reader: LedgerReader, gauge: Gauge | None, seconds: float) -> float:
    """Look at the ledger again and again; return when it began."""
    began = time.monotonic()
    sampled = 0.0
    while (now := time.monotonic()) - began < seconds:
        reader.look()
        if gauge is not None and now - sampled > 5.0:
            gauge.look()
            sampled = now
        time.sleep(max(0.0, LOOK_SECONDS - (time.monotonic() - now)))
    return began


def _report(finding: Finding, gauge: Gauge, origin: Gauge, asked: argparse.Namespace, took: float) -> None:
    matches = asked.matches
    print(
        f"{matches} matches by data, {asked.browser} also by browser, {took:.0f} s at {asked.polling:g} s polling"
    )
    print(finding.sentence())
    for missed in finding.missing[:10]:
        print("  missed", missed)
    for wrong in finding.wrong[:10]:
        print("  wrong", wrong)
    for invented in finding.invented[:10]:
        print("  invented", invented)
    cores, memory = gauge.cpu_seconds / took, statistics.median(gauge.memory_mb)
    print(f"limpet: {cores:.2f} cores ({1000 * cores / matches:.1f} ms of a second for each match)")
    print(
        f"memory: {memory:.0f} MB, at most {max(gauge.memory_mb):.0f} ({memory / matches:.2f} MB for each match)"
    )
    print(f"processes: {min(gauge.processes)} to {max(gauge.processes)}")
    print(f"origin: {origin.cpu_seconds / took:.2f} cores; machine load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    sys.exit(main())
