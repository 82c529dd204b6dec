"""What the verb `targets` does once it is known what is meant."""

from __future__ import annotations

import asyncio
import csv
import getpass
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import typer

from limpet.assembly import House, assemble
from limpet.cli import event_loop
from limpet.cli.counting import counted
from limpet.cli.in_ledger import ask, decide
from limpet.cli.listing import FIRST_ROWS, print_rows, say_how_many
from limpet.cli.opening import read_kept, read_settings
from limpet.cli.plain import harmless
from limpet.cli.walking import walk_and_report
from limpet.configuration import load_config
from limpet.engine.import_table import COLUMNS, unknown_columns
from limpet.engine.importing import Importer, LineResult
from limpet.errors import FileUnreadable, UnknownSource, UsageError
from limpet.record.editing_targets import (
    TargetFilter,
    count_targets,
    delete_targets,
    edit_targets,
    list_targets,
)
from limpet.record.entry import NewRun
from limpet.record.keeping_sources import all_sources
from limpet.record.ledger import Selection
from limpet.target.outcome import Trigger
from limpet.target.schedule import parse_schedule

_EVERY_ONE = 1_000_000


def bring_in(text: str, source: str | None, *, as_json: bool) -> int:
    """Import the lines and print what became of each; 1 when any was wrong."""
    results = asyncio.run(_bring_in(text, source))
    if not results:
        raise UsageError("No address is in it.", fix="Give one address a line, or a table with a column url.")
    if unknown := unknown_columns(text):
        typer.echo(f"Not read, because nobody knows what they mean: {', '.join(unknown)}.", err=True)
    if as_json:
        typer.echo(json.dumps([asdict(result) for result in results], indent=2))
    else:
        _print_results(results)
    return 1 if any(result.result == "error" for result in results) else 0


def read_table(file: Path) -> str:
    """Return the text of a table, or say why it cannot be read."""
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as exc:
        raise FileUnreadable(
            f"Cannot read {file}: {exc.strerror}.", fix="Name a CSV file, or - to paste."
        ) from exc
    except UnicodeDecodeError as exc:
        raise FileUnreadable(f"{file} is not UTF-8 text.", fix="Save it as CSV in UTF-8.") from exc


def show_targets(wanted: TargetFilter, *, limit: int | None, as_json: bool) -> None:
    """Print targets: every one for machines, and for people the first of them unless they say how many."""
    _check_source(wanted.source_id)
    most = limit or (_EVERY_ONE if as_json else FIRST_ROWS)
    rows = [asdict(row) for row in ask(partial(list_targets, wanted=wanted, limit=most))]
    if as_json:
        typer.echo(json.dumps(rows, default=str, indent=2))
    elif rows:
        shown = ("id", "source_id", "status", "priority", "last_status", "consecutive_failures", "url")
        print_rows([{name: _shown(row, name) for name in shown} for row in rows])
        if len(rows) == most:
            say_how_many(most, ask(partial(count_targets, wanted=wanted)))
    else:
        typer.echo("No such target. Add one: limpet targets add URL --source SOURCE")


def _shown(row: Mapping[str, object], name: str) -> object:
    return f"{row[name]}, blocked" if name == "status" and row["blocked"] else row[name]


def _check_source(source_id: str | None) -> None:
    """Raise UnknownSource for one that neither the ledger nor the config knows: a mistyped name is not an empty one."""
    if source_id is None:
        return
    settings = read_kept()
    configured = load_config(settings.config).sources if settings.config else ()
    known = {*(each.id for each in ask(all_sources)), *(each.source.id for each in configured)}
    if source_id not in known:
        near = get_close_matches(source_id, known, n=1)
        fix = (
            f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(sorted(known)[:8]) or 'none yet'}."
        )
        raise UnknownSource(f"There is no source {source_id[:80]!r}.", fix=fix)


def export_targets(wanted: TargetFilter, *, limit: int) -> None:
    """Write targets as the CSV that `import` reads."""
    _check_source(wanted.source_id)
    writer = csv.writer(sys.stdout, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in ask(partial(list_targets, wanted=wanted, limit=limit)):
        writer.writerow([row.url, row.source_id, row.priority, row.schedule or "", ";".join(row.tags)])


def changes_from(
    *, priority: int | None, schedule: str | None, tags: str | None, notes: str | None
) -> dict[str, object]:
    """Return what is to change; at least one thing must."""
    changes: dict[str, object] = {}
    if priority is not None:
        changes["priority"] = priority
    if schedule is not None:
        changes["schedule"] = (schedule and _checked(schedule)) or None
    if tags is not None:
        changes["tags"] = [tag.strip() for tag in tags.split(";") if tag.strip()]
    if notes is not None:
        changes["notes"] = notes
    if not changes:
        raise UsageError("Nothing is to change.", fix="Use --priority, --schedule, --tags or --notes.")
    return changes


def edit_now(ids: Sequence[int], changes: Mapping[str, object], reason: str) -> int:
    """Change targets in the name of whoever is logged in."""
    return decide(edit_targets, ids=ids, changes=changes, reason=reason)


def delete_now(ids: Sequence[int], reason: str) -> int:
    """Delete targets in the name of whoever is logged in."""
    return decide(delete_targets, ids=ids, reason=reason)


def recheck_now(ids: Sequence[int], reason: str) -> int:
    """Walk these targets in a run of their own; what succeeds is active again."""
    return event_loop.run(_recheck(list(ids), reason))


async def _recheck(ids: list[int], reason: str) -> int:
    async with assemble(read_kept()) as house:
        chosen = Selection(target_ids=ids, statuses=("active", "broken", "stale", "paused"))
        await _refuse_blocked(house, ids)
        new = NewRun(
            app=await _app_of(house, ids), source_id=None, trigger=Trigger.RECHECK, params={"reason": reason}
        )
        run = await house.desk.plan(new, chosen=chosen)
        return await walk_and_report(house, house.app(run.app), run)


async def _refuse_blocked(house: House, ids: Sequence[int]) -> None:
    """Say so beforehand: a run would skip them, and its figures say little of why."""
    rows = await house.ledger.read(partial(list_targets, wanted=TargetFilter(ids=ids), limit=len(ids)))
    if blocked := " ".join(str(row.id) for row in rows if row.blocked):
        raise UsageError(
            f"Blocked, and so never visited: {blocked}.",
            fix=f"Take it back first: limpet targets unblock {blocked} --reason ...",
        )


async def _app_of(house: House, ids: Sequence[int]) -> str:
    rows = await house.ledger.read(partial(list_targets, wanted=TargetFilter(ids=ids), limit=len(ids)))
    apps = {house.catalogue.get(row.source_id).app for row in rows}
    if len(apps) != 1:
        raise UsageError(
            "These are not targets of one app.", fix="Name targets that exist, of one app at a time."
        )
    return apps.pop()


async def _bring_in(text: str, source: str | None) -> list[LineResult]:
    async with assemble(read_settings()) as house:
        importer = Importer(house.ledger, house.catalogue, house.apps)
        return await importer.bring_in(text, source_id=source, by=getpass.getuser())


def _print_results(results: Sequence[LineResult]) -> None:
    for result in results:
        if result.result == "error":
            url = " ".join(harmless(result.url[:100]).split())
            typer.echo(f"line {result.number}: {url}: {result.detail}", err=True)
        elif result.result == "duplicate":
            typer.echo(f"line {result.number}: duplicate of target {result.target_id}")
    counts = Counter(result.result for result in results)
    told = (counted(counts[result], result) for result in ("duplicate", "error"))
    typer.echo(f"{counts['created']:,} created, {', '.join(told)}.")


def _checked(schedule: str) -> str:
    parse_schedule(schedule)
    return schedule
