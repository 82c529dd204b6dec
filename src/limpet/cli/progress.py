"""What a person sees of a run while it goes: a bar on a terminal, plain lines elsewhere, a table at the end."""

from __future__ import annotations

import time
from collections import Counter

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from limpet.cli.terminal import Terminal, words
from limpet.record.entry import Run, Settlement
from limpet.target import JobState

_STYLES = {
    "succeeded": "green",
    "no_record": "cyan",
    "skipped": "dim",
    "failed": "red",
    "dropped": "yellow",
    "quarantined": "magenta",
}
_LINE_EVERY_SECONDS = 10.0


class BarProgress:
    """A live bar with rate, time left and outcome counts."""

    def __init__(self, console: Terminal) -> None:
        self._console = console
        self._counts: Counter[str] = Counter()
        self._started = time.monotonic()
        self._bar = Progress(
            TextColumn("{task.description}", style="bold"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[counts]}"),
            console=console,
        )
        self._task = TaskID(0)

    def started(self, run: Run, *, remaining: int) -> None:
        self._started = time.monotonic()
        self._task = self._bar.add_task(f"run {run.id} {run.app}", total=remaining, rate="", counts="")
        self._bar.start()

    def settled(self, settlement: Settlement) -> None:
        self._counts[settlement.outcome.value] += 1
        done = sum(self._counts.values())
        rate = done / max(time.monotonic() - self._started, 0.001)
        self._bar.update(self._task, completed=done, rate=f"{rate:.1f}/s", counts=_coloured(self._counts))

    def held(self, lane: str, reason: str, seconds: float) -> None:
        self._console.print(words((f"{lane} rests for {seconds:.0f} s", "yellow"), f" ({reason})"))

    def finished(self, run: Run) -> None:
        self._bar.stop()
        self._console.print(summary_table(run))


class LineProgress:
    """Plain lines for logs and pipes: one every few seconds, none that overwrite each other."""

    def __init__(self, console: Terminal) -> None:
        self._console = console
        self._counts: Counter[str] = Counter()
        self._total = 0
        self._started = self._spoke = time.monotonic()

    def started(self, run: Run, *, remaining: int) -> None:
        self._total = remaining
        self._console.print(f"run {run.id} {run.app}: {remaining} of {run.planned} targets to walk")

    def settled(self, settlement: Settlement) -> None:
        self._counts[settlement.outcome.value] += 1
        now = time.monotonic()
        if now - self._spoke >= _LINE_EVERY_SECONDS:
            self._spoke = now
            self._console.print(self._line(now))

    def _line(self, now: float) -> str:
        done = sum(self._counts.values())
        rate = done / max(now - self._started, 0.001)
        left = (self._total - done) / rate if rate else 0.0
        counts = " ".join(f"{word}={count}" for word, count in sorted(self._counts.items()))
        return f"{done}/{self._total} {rate:.1f}/s {left:.0f} s left {counts}"

    def held(self, lane: str, reason: str, seconds: float) -> None:
        self._console.print(f"{lane} rests for {seconds:.0f} s ({reason})")

    def finished(self, run: Run) -> None:
        self._console.print(summary_table(run))


def progress_for(console: Terminal) -> BarProgress | LineProgress:
    """Return the bar on a terminal, plain lines otherwise."""
    return BarProgress(console) if console.is_terminal else LineProgress(console)


def summary_table(run: Run) -> Table:
    """Return the run's outcome words with their counts; they add up to what was planned."""
    title = f"run {run.id} · {run.source_id or run.app} · {run.state.value}"
    table = Table(title=title, title_justify="left", show_edge=False, min_width=len(title) + 2)
    table.add_column("outcome")
    table.add_column("targets", justify="right")
    for state in JobState:
        count = run.counts.get(state.value, 0)
        if count or state is JobState.SUCCEEDED:
            table.add_row(state.value, f"{count:,}", style=_STYLES.get(state.value, ""))
    table.add_section()
    table.add_row("planned", f"{run.planned:,}", style="bold")
    return table


def _coloured(counts: Counter[str]) -> str:
    return " ".join(
        f"[{_STYLES.get(word, '')}]{word} {count}[/]" if word in _STYLES else f"{word} {count}"
        for word, count in sorted(counts.items())
    )
