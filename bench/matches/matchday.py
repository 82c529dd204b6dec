"""A day of matches: the ground, Limpet, and everybody who looks on, started together and ended together."""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.matches.bars import Bars
from bench.matches.gauge import Gauge
from bench.matches.ground import Domain, Ground
from bench.matches.limpet_process import Limpet
from bench.matches.origin import OriginLog
from bench.matches.reader import LedgerReader
from bench.matches.referee import Finding, compare
from bench.matches.steadiness import slope_per_minute
from bench.matches.witness import Witness

LOOK_SECONDS = 0.1
WEIGH_SECONDS = 5.0
SETTLE_SECONDS = 10.0  # a ball of the last moments may still be on its way when we stop counting
STEADY_MINUTES = 3.0  # below that, caches that fill look like growth
MOST_GROWTH = 0.15  # of memory, from the first sample to the last
MOST_NEW_PROCESSES = 2.0


@dataclass(slots=True)
class Matchday:
    """What a proof has at hand."""

    folder: Path
    ground: Ground
    limpet: Limpet
    reader: LedgerReader
    gauge: Gauge
    origin_gauge: Gauge
    witness: Witness
    settle_seconds: float
    since: float = 0.0
    until: float = 0.0

    def play(self, seconds: float, *, while_true: Callable[[], bool] | None = None) -> None:
        """Look on for so long, or until it is no longer so."""
        began, weighed = time.monotonic(), 0.0
        while (now := time.monotonic()) - began < seconds and (while_true is None or while_true()):
            self.reader.look()
            if now - weighed > WEIGH_SECONDS:
                self.gauge.look()
                self.origin_gauge.look()
                weighed = now
            time.sleep(max(0.0, LOOK_SECONDS - (time.monotonic() - now)))

    def measure(self, seconds: float) -> None:
        """Look on, and count what happens from here to there."""
        self.gauge.begin()
        self.origin_gauge.begin()
        self.witness.is_measuring = True
        self.since = time.monotonic()
        self.play(seconds)
        self.until = time.monotonic()
        self.gauge.look()
        self.origin_gauge.look()
        self.witness.is_measuring = False

    def compare(self) -> Finding:
        """Hold every ball that happened so far against what the ledger shows, a little later."""
        until = time.monotonic()
        self.play(self.settle_seconds)
        truth = {match["key"]: self.ground.balls(match["key"]) for match in self.ground.matches()}
        finding = compare(truth, self.reader.shown, self.reader.seen, since=self.since, until=until)
        delays = compare(
            truth, self.reader.shown, self.reader.seen, since=self.since, until=self.until
        ).delays
        return Finding(finding.balls, finding.missing, finding.wrong, finding.invented, delays)


@contextmanager
def matchday(asked: argparse.Namespace, *domains: Domain, **settings: str) -> Iterator[Matchday]:
    """Open a ground, let Limpet watch it, and end both; nothing is left unless it was asked for."""
    with ExitStack() as stack:
        folder = asked.keep or Path(tempfile.mkdtemp(prefix="matchday-"))
        folder.mkdir(parents=True, exist_ok=True)
        if asked.keep is None:
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
        ground = Ground(folder, matches=asked.matches, tick_seconds=asked.tick)
        stack.callback(ground.stop)
        ground.write_config(*domains)
        limpet = stack.enter_context(Limpet(folder, polling_seconds=asked.polling, **settings))
        origin = OriginLog(
            ground.access_log, keys={str(each["number"]): each["key"] for each in ground.matches()}
        )
        reader = LedgerReader(folder / "data" / "limpet.db")
        stack.callback(reader.close)
        witness = stack.enter_context(Witness(limpet, ground, origin))
        settle = min(SETTLE_SECONDS, asked.minutes * 60)
        yield Matchday(folder, ground, limpet, reader, Gauge(limpet.pid), Gauge(ground.pid), witness, settle)


def judge_balls(bars: Bars, finding: Finding) -> None:
    """Ask that no ball was missed, wrong or invented."""
    bars.note(finding.sentence())
    bars.true("balls were bowled", finding.balls > 0, found=str(finding.balls), asked="more than 0")
    bars.none("balls missed", list(finding.missing))
    bars.none("balls wrong", list(finding.wrong))
    bars.none("balls invented", list(finding.invented))


def judge_grades(bars: Bars, witness: Witness) -> None:
    """Ask that every grade shown was the oracle's."""
    bars.true(
        "the grade was asked for", bool(witness.grades), found=f"{len(witness.grades)} samples", asked="some"
    )
    bars.none("samples in which the grade is not the oracle's", witness.disagreements)
    told = ", ".join(f"{grade} {witness.grades.count(grade)}" for grade in sorted(set(witness.grades)))
    bars.note(f"grades: {told}; the oracle could not tell between two in {witness.unsure} samples")
    if witness.lost:
        bars.note(f"samples that could not be had: {dict(witness.lost)}")


def judge_steadiness(bars: Bars, gauge: Gauge, minutes: float, *, is_asked: bool = True) -> None:
    """Ask that processes and memory stay flat; too short a time says nothing and is not judged."""
    is_judged = is_asked and minutes >= STEADY_MINUTES
    for name, samples in (("memory", gauge.memory_mb), ("memory of Limpet alone", gauge.own_memory_mb)):
        # The second half: what is known of a match, and caches, fill at first.
        half = len(samples) // 2
        slope = slope_per_minute(list(zip(gauge.at[half:], samples[half:], strict=True)))
        bars.note(f"{name}: median {statistics.median(samples):.0f} MB, slope {slope:+.2f} MB a minute")
        growth = slope * minutes / statistics.median(samples)
        bars.at_most(f"growth of {name}", 100 * growth, 100 * MOST_GROWTH, unit=" %", judged=is_judged)
    slope = slope_per_minute(list(zip(gauge.at, map(float, gauge.processes), strict=True)))
    low, high = min(gauge.processes), max(gauge.processes)
    bars.note(f"processes: {low} to {high}, slope {slope:+.3f} a minute")
    bars.at_most("new processes by that slope", slope * minutes, MOST_NEW_PROCESSES, judged=is_judged)


def report_cost(bars: Bars, day: Matchday, matches: int) -> None:
    """Report what it cost."""
    took = day.until - day.since
    cores, memory = day.gauge.cpu_seconds / took, statistics.median(day.gauge.memory_mb)
    bars.note(f"limpet: {cores:.2f} cores, {1000 * cores / matches:.1f} ms of a core each second for a match")
    bars.note(
        f"memory: {memory:.0f} MB, at most {max(day.gauge.memory_mb):.0f}; {memory / matches:.2f} MB for a match"
    )
    bars.note(
        f"origin: {day.origin_gauge.cpu_seconds / took:.2f} cores; machine load {os.getloadavg()[0]:.1f}"
    )
