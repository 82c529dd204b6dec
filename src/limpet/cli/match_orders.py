"""What `limpet matches` reads from the ledger, and the orders it leaves there."""

from __future__ import annotations

import asyncio
import getpass
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from rich.table import Table

from limpet.apps.matches.care_log import give_order, order_outcome
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.tenure import is_anybody_watching
from limpet.apps.matches.views import (
    balls_of,
    conflicts_of,
    get_match,
    latest_snapshot,
    list_matches,
    monitors_of,
)
from limpet.assembly import open_ledger
from limpet.cli.monitoring import score_line
from limpet.cli.opening import read_kept
from limpet.cli.terminal import Terminal, words
from limpet.errors import NotThere, UsageError
from limpet.record.ledger import Ledger

PATIENCE_SECONDS = 10.0


def match_rows(state: str | None) -> list[dict[str, Any]]:
    """Return matches for a table or for JSON."""
    if state is not None and state not in set(MatchState):
        raise UsageError(f"There is no state {state!r}.", fix=f"One of {', '.join(MatchState)}.")

    async def read() -> list[dict[str, Any]]:
        async with open_ledger(read_kept()) as ledger:
            lines = await ledger.read(partial(list_matches, state=state))
            return [await _row(ledger, line.match_id) for line in lines]

    return asyncio.run(read())


async def _row(ledger: Ledger, match_id: str) -> dict[str, Any]:
    line = await ledger.read(partial(get_match, match_id=match_id))
    snapshot = await ledger.read(partial(latest_snapshot, match_id=match_id))
    assert line is not None
    return {
        "match": line.match_id,
        "title": line.title,
        "score": score_line(dict(snapshot.normalized_payload)) if snapshot else "",
        "status": line.status,
        "state": line.state,
        "age": _age(line.last_scraper_update, ledger.clock.now()),
        "no.": line.sequence_number,
    }


def match_story(match_id: str) -> dict[str, Any]:
    """Return everything about one match, or raise NotThere."""

    async def read() -> dict[str, Any]:
        async with open_ledger(read_kept()) as ledger:
            line = await ledger.read(partial(get_match, match_id=match_id))
            if line is None:
                raise NotThere(
                    f"No match {match_id!r} was ever seen.", fix="`limpet matches list` shows them."
                )
            ours = line.match_id
            snapshot = await ledger.read(partial(latest_snapshot, match_id=ours))
            return {
                **await _row(ledger, ours),
                "snapshot": snapshot.to_dict() if snapshot else None,
                "balls": await ledger.read(partial(balls_of, match_id=ours)),
                "sources": await ledger.read(partial(monitors_of, match_id=ours)),
                "conflicts": await ledger.read(partial(conflicts_of, match_id=ours, limit=10)),
            }

    return asyncio.run(read())


def print_match(story: dict[str, Any], *, balls: int) -> None:
    """Print one match for people."""
    console = Terminal()
    console.print(words((story["title"], "bold"), f" ({story['match']})"))
    console.print(
        f"{story['score'] or 'no score yet'}; {story['status']}, {story['state']}, age {story['age']}"
    )
    snapshot = story["snapshot"]
    if snapshot and (told := snapshot["provenance"].get("score")):
        console.print(f"score by {told['source']}, confidence {told['confidence']:g}")
    if balls and story["balls"]:
        console.print("balls: " + " ".join(map(_ball, story["balls"][-balls:])))
    table = Table(show_edge=False)
    for column in ("source", "state", "scrapes", "failures", "last update"):
        table.add_column(column)
    for row in story["sources"]:
        updated = row["last_update_time"]
        table.add_row(
            row["monitor_id"],
            row["state"],
            str(row["total_scrapes"]),
            str(row["total_failures"]),
            updated.isoformat(timespec="seconds") if updated else "never",
        )
    console.print(table)
    for each in story["conflicts"]:
        told = (
            f": {each['chosen_source']} says {each['chosen_value']}, "
            f"{each['other_source']} {each['other_value']}"
        )
        console.print(words((each["field"], "yellow"), told))


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an order; None as long as nobody carried it out."""

    outcome: str | None
    is_anybody_watching: bool


def give(action: str, match_id: str | None, reason: str) -> Answer:
    """Leave an order, wait a little for whoever watches, and return what came of it."""

    async def order() -> Answer:
        async with open_ledger(read_kept()) as ledger:
            if match_id is not None and await ledger.read(partial(get_match, match_id=match_id)) is None:
                raise NotThere(
                    f"No match {match_id!r} was ever seen.", fix="`limpet matches list` shows them."
                )
            given = partial(
                give_order,
                action=action,
                match_id=match_id,
                by=getpass.getuser(),
                reason=reason,
                now=ledger.clock.now(),
            )
            number = await ledger.write(given)
            if not await is_anybody_watching(ledger):
                return Answer(None, is_anybody_watching=False)
            return Answer(await _outcome(ledger, number), is_anybody_watching=True)

    return asyncio.run(order())


async def _outcome(ledger: Ledger, number: int) -> str | None:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                outcome = await ledger.read(partial(order_outcome, order_id=number))
                if outcome is not None:
                    return outcome
                await ledger.clock.sleep(0.1)  # another process carries it out: only the ledger can tell
    except TimeoutError:
        return None


def _age(moment: datetime | None, now: datetime) -> str:
    return "never" if moment is None else f"{max(0.0, (now - moment).total_seconds()):.0f} s"


def _ball(row: dict[str, Any]) -> str:
    return f"{row['over']}.{row['ball']}:{row['outcome'] or row['runs']}"
