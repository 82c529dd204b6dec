"""`limpet gaps judgments`: holes in numbers, quiet months, and judgments that are known but not stored."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.cli.opening import read_kept

if TYPE_CHECKING:
    from limpet.apps.judgments.gaps import JudgmentGaps
    from limpet.observe.gaps import Numbering
    from limpet.settings import Settings


def gaps_of_judgments(
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 when there is any gap.")] = False,
) -> int:
    """Find holes in neutral citations and cause numbers, quiet months, and judgments not stored yet.

    A sequence of which less than half is known is counted but not listed: not every cause ends in a judgment.
    A month is quiet when chance would hardly explain so few, measured by the months around it and the same
    month of other years; half a year of history is needed to tell. Nothing is fetched; the last line says which
    command would, if any can.

    \b
    Examples:
      limpet gaps judgments
      limpet gaps judgments --json --strict
    """
    found = asyncio.run(_look(read_kept(), source))
    if as_json:
        typer.echo(json.dumps([_for_machines(each) for each in found], indent=2))
    elif not found:
        typer.echo("No case is known yet. Fetch the index first: limpet judgments sync")
    else:
        for each in found:
            _tell(each)
    return int(strict and any(not each.is_whole for each in found))


async def _look(settings: Settings, source: str | None) -> list[JudgmentGaps]:
    from limpet.apps.judgments.gaps import find_gaps, sources_with_cases  # noqa: PLC0415 - help need not wait
    from limpet.assembly import open_ledger  # noqa: PLC0415
    from limpet.cli.source_naming import check_named  # noqa: PLC0415

    now = datetime.now(UTC)
    async with open_ledger(settings) as ledger:
        await check_named(ledger, source, app="judgments")
        asked = [source] if source else await ledger.read(sources_with_cases)
        found = [await ledger.read(partial(find_gaps, source_id=each, now=now)) for each in asked]
    return [each for each in found if each.cases]


def _tell(gaps: JudgmentGaps) -> None:
    typer.echo(f"{gaps.source_id}: {gaps.cases} cases known, {gaps.not_downloaded} of them to be downloaded.")
    for numbering in gaps.holes:
        typer.echo(f"  missing  {_named(numbering)}  ({numbering.known} of {numbering.last} known)")
    for month in gaps.quiet_months:
        typer.echo(f"  quiet    {month}: {month.count} judgments where about {month.expected:.0f} are usual")
    if gaps.sparse:
        unknown = sum(numbering.missing for numbering in gaps.sparse)
        sequences = "1 sequence is" if len(gaps.sparse) == 1 else f"{len(gaps.sparse)} sequences are"
        typer.echo(f"  {sequences} known too sparsely to tell (numbers unseen: {unknown}).")
    if gaps.is_whole:
        typer.echo("  Nothing seems to be missing.")
    elif gaps.backfill:
        typer.echo(f"  To fill what can be filled: {gaps.backfill}")
    else:
        typer.echo("  Everything the index names is stored: the court may never have published the rest.")


def _named(numbering: Numbering) -> str:
    holes = ", ".join(str(hole) for hole in numbering.holes)
    return f"{numbering.name}: {holes}"


def _for_machines(gaps: JudgmentGaps) -> dict[str, Any]:
    return {
        "source": gaps.source_id,
        "cases": gaps.cases,
        "not_downloaded": gaps.not_downloaded,
        "holes": [_numbers(each) for each in gaps.holes],
        "sparse": [_numbers(each) for each in gaps.sparse],
        "quiet_months": [
            {"month": str(month), "count": month.count, "expected": month.expected}
            for month in gaps.quiet_months
        ],
        "backfill": gaps.backfill,
    }


def _numbers(numbering: Numbering) -> dict[str, Any]:
    return {
        "sequence": numbering.name,
        "known": numbering.known,
        "last": numbering.last,
        "missing": [[hole.first, hole.last] for hole in numbering.holes],
    }
