"""`limpet gaps dockets`: holes in a year's numbers, and what kind of holes they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.cli.docketing.choosing import only_other_years
from limpet.cli.opening import read_kept

if TYPE_CHECKING:
    from limpet.apps.dockets.gaps import RegisterGaps
    from limpet.observe.gaps import Hole
    from limpet.settings import Settings

MOST_SHOWN = 12


def gaps_of_dockets(
    year: Annotated[str | None, typer.Option(help="Only this year, such as 25.")] = None,
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 when anything is unanswered.")
    ] = False,
) -> int:
    """Tell how every number of a year stands: on record, absent by the court's word, never asked for, or failed.

    A hole the court vouches for is an answer; the others are work left, and the last line says which command does
    it. Nothing is fetched.

    \b
    Examples:
      limpet gaps dockets --year 25
      limpet gaps dockets --json --strict
    """
    found, years = asyncio.run(_look(read_kept(), source, year))
    if as_json:
        typer.echo(json.dumps([_for_machines(each) for each in found], indent=2))
    elif years and not found:
        typer.echo(only_other_years(years))
    elif not found:
        typer.echo("No number is known yet. Find out how far a year goes: limpet dockets probe --year 25")
    else:
        for each in found:
            _tell(each)
    return int(strict and any(not each.is_whole for each in found))


async def _look(
    settings: Settings, source: str | None, year: str | None
) -> tuple[list[RegisterGaps], list[int]]:
    from limpet.apps.dockets.case_identifier import full_year  # noqa: PLC0415 - help need not wait for it
    from limpet.apps.dockets.gaps import find_gaps, registers, years_known  # noqa: PLC0415
    from limpet.assembly import open_ledger  # noqa: PLC0415
    from limpet.cli.source_naming import check_named  # noqa: PLC0415

    wanted = full_year(year) if year is not None else None
    async with open_ledger(settings) as ledger:
        await check_named(ledger, source, app="dockets")
        known = await ledger.read(partial(registers, source_id=source, year=wanted))
        found = [await ledger.read(partial(find_gaps, register=each)) for each in known]
        return found, await ledger.read(partial(years_known, source_id=source))


def _tell(gaps: RegisterGaps) -> None:
    end = "" if gaps.is_probed else ", the highest on record: nobody has looked for the end"
    typer.echo(f"{gaps.register.source_id}: {gaps.register}, 1 to {gaps.upper_bound}{end}")
    typer.echo(f"  on record  {gaps.succeeded:,}")
    for word, holes in (("absent", gaps.absent), ("failed", gaps.failed), ("unasked", gaps.unasked)):
        if holes:
            typer.echo(f"  {word:<9}  {_count(holes):,}: {_listed(holes)}")
    typer.echo("  Every number is answered." if gaps.is_whole else f"  To go on: {gaps.backfill}")


def _count(holes: Sequence[Hole]) -> int:
    return sum(hole.count for hole in holes)


def _listed(holes: Sequence[Hole]) -> str:
    widest = sorted(holes, key=lambda hole: (-hole.count, hole.first))[:MOST_SHOWN]
    more = f" and {len(holes) - len(widest)} smaller" if len(holes) > len(widest) else ""
    return ", ".join(map(str, sorted(widest, key=lambda hole: hole.first))) + more


def _for_machines(gaps: RegisterGaps) -> dict[str, Any]:
    return {
        "source": gaps.register.source_id,
        "prefix": gaps.register.prefix,
        "year": gaps.register.year,
        "upper_bound": gaps.upper_bound,
        "is_probed": gaps.is_probed,
        "succeeded": gaps.succeeded,
        "no_record": _count(gaps.absent),
        "failed": _count(gaps.failed),
        "unasked": _count(gaps.unasked),
        "absent": [[hole.first, hole.last] for hole in gaps.absent],
        "unanswered": [[hole.first, hole.last] for hole in (*gaps.failed, *gaps.unasked)],
        "backfill": None if gaps.is_whole else gaps.backfill,
    }
