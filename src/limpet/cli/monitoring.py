"""The match monitor on a terminal: a table that keeps itself fresh, plain lines for logs and pipes."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.live import Live
from rich.table import Table
from rich.text import Text

from limpet.apps.matches.grading import HealthGrade
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.health import HealthSummary, health_summary
from limpet.apps.matches.monitor.watch import Board
from limpet.apps.matches.monitor.watching import MatchMonitor
from limpet.assembly import House
from limpet.cli.terminal import Terminal, words
from limpet.clock import is_set_within
from limpet.engine.signals import graceful_stop
from limpet.errors import RunBusy, UsageError

_LOOK_EVERY_SECONDS = 0.5
_LINE_EVERY_SECONDS = 10.0
_MOST_ROWS = 40
_STYLES = {
    HealthGrade.HEALTHY: "green",
    HealthGrade.RECOVERING: "cyan",
    HealthGrade.DEGRADED: "yellow",
    HealthGrade.FAILING: "red",
}


async def watch_matches(house: House, *, seconds: float | None) -> int:
    """Watch until a signal comes or the time is over; return 0 unless the monitor ended up failing."""
    if not house.monitor.has_work:
        raise UsageError(
            "No source of matches may be visited.",
            fix='Add one with app = "matches" to the config file; `limpet list sources` says what is shut.',
        )
    stop, console = house.desk.crew.stop, Terminal()
    try:
        with graceful_stop(stop, drain_seconds=house.settings.drain_seconds):
            async with asyncio.TaskGroup() as group:
                group.create_task(house.monitor.watch(stop))
                group.create_task(_show(house.monitor, console, stop))
                if seconds is not None:
                    group.create_task(_stop_after(stop, seconds))
    except* RunBusy as busy:
        raise UsageError(
            "Another process watches already.", fix="Stop it first, or look at it: `limpet matches list`."
        ) from busy
    console.print(_account(house.monitor.room))
    return 1 if house.monitor.room.grading.grade is HealthGrade.FAILING else 0


async def _stop_after(stop: asyncio.Event, seconds: float) -> None:
    await is_set_within(stop, seconds)
    stop.set()


async def _show(monitor: MatchMonitor, console: Terminal, stop: asyncio.Event) -> None:
    if not console.is_terminal:
        await _again_and_again(stop, _LINE_EVERY_SECONDS, lambda: console.print(_line(monitor.room)))
        return
    with Live(console=console, auto_refresh=False) as live, _log_above_the_table():
        await _again_and_again(
            stop, _LOOK_EVERY_SECONDS, lambda: live.update(match_table(monitor.room), refresh=True)
        )


@contextmanager
def _log_above_the_table() -> Iterator[None]:
    """Let only warnings come to the screen, above the table; the log file has every line."""
    screens = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]
    before = [(each, each.level, each.stream) for each in screens]
    for each in screens:
        each.setStream(sys.stderr)  # the table's own, as long as it stands
        each.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for each, level, stream in before:
            each.setStream(stream)
            each.setLevel(level)


async def _again_and_again(stop: asyncio.Event, seconds: float, show: Callable[[], None]) -> None:
    while not stop.is_set():
        await is_set_within(stop, seconds)
        show()


def match_table(room: ControlRoom) -> Table:
    """Return the matches as they stand now, live ones first."""
    summary = health_summary(room)
    table = Table(title=_headline(summary), title_justify="left", show_edge=False)
    for column in ("match", "score", "status", "last"):
        table.add_column(column, no_wrap=True)
    for column in ("age", "balls", "no."):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("sources", no_wrap=True)
    boards = sorted(room.boards.values(), key=lambda board: (not board.is_live, board.title))
    for board in boards[:_MOST_ROWS]:
        table.add_row(*_row(board, now=room.clock.monotonic()))
    if len(boards) > _MOST_ROWS:
        table.caption = f"and {len(boards) - _MOST_ROWS} more"
    return table


def _headline(summary: HealthSummary) -> Text:
    grade, stats = summary.grade, summary.freshness_stats
    style = _STYLES[grade]
    ages = f"median {stats.median:.1f} s, oldest {stats.max:.1f} s" if stats.count else "no live match"
    return words((grade.value, style), f": {stats.count} live, {ages}; {summary.active_tasks} under way")


def _row(board: Board, *, now: float) -> tuple[str | Text, ...]:
    payload = board.latest.normalized_payload if board.latest else {}
    event = payload.get("last_event") or {}
    sources = words(
        *(
            (f"{domain} ", "red" if watch.record.state is MatchState.PAUSED else "")
            for domain, watch in sorted(board.watches.items())
        )
    )
    return (
        board.title[:44],
        score_line(payload),
        str(payload.get("phase", board.status)).replace("_", " "),
        str(event.get("description", ""))[:24],
        f"{board.age_seconds(now):.1f} s",
        str(len(board.balls)),
        str(board.sequence),
        sources,
    )


def score_line(payload: object) -> str:
    """Return both sides' scores in a few words."""
    if not isinstance(payload, dict):
        return ""
    teams, scores = payload.get("teams", {}), payload.get("score", {})
    return "  ".join(
        f"{teams.get(side, {}).get('short_name') or side} {score['runs']}/{score['wickets']} ({score['overs']})"
        for side, score in scores.items()
    )


def _line(room: ControlRoom) -> str:
    summary = health_summary(room)
    balls = sum(room.tally.balls.values())
    return (
        f"{summary.grade.value}: {summary.freshness_stats.count} live of {len(room.boards)}, "
        f"median {summary.freshness_stats.median:.1f} s, {balls} balls, {sum(room.tally.updates.values())} updates"
    )


def _account(room: ControlRoom) -> str:
    tally = room.tally
    asked = sum(count for (_, status), count in tally.scrapes.items() if status != "held")
    failed = sum(count for (_, status), count in tally.scrapes.items() if status == "failure")
    return (
        f"Watched {len(room.boards)} matches: {asked} scrapes, {failed} failed, {sum(tally.updates.values())} "
        f"updates, {sum(tally.balls.values())} balls, {len(room.recoveries.entries)} recoveries."
    )
