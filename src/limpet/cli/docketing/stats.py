"""`limpet dockets stats`: how the numbers of a year ended."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.cli.docketing.choosing import only_other_years
from limpet.cli.opening import read_kept

if TYPE_CHECKING:
    from limpet.apps.dockets.stats import YearStats
    from limpet.settings import Settings


def stats(
    year: Annotated[str | None, typer.Option(help="Only this year, such as 25.")] = None,
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Show per register and year what was asked for and how it ended; exits with 1 when it does not add up.

    \b
    Examples:
      limpet dockets stats --year 25
      limpet dockets stats --json
    """
    from limpet.apps.dockets.case_identifier import full_year  # noqa: PLC0415 - help need not wait for it

    found, years = asyncio.run(_read(read_kept(), full_year(year) if year else None, source))
    if as_json:
        typer.echo(json.dumps([_plain(each) for each in found], indent=2))
    elif years and not found:
        typer.echo(only_other_years(years))
    else:
        _print(found)
    return 0 if all(each.crawl.is_balanced for each in found) else 1


async def _read(
    settings: Settings, year: int | None, source: str | None
) -> tuple[list[YearStats], list[int]]:
    from limpet.apps.dockets.gaps import years_known  # noqa: PLC0415
    from limpet.apps.dockets.stats import year_stats  # noqa: PLC0415
    from limpet.assembly import open_ledger  # noqa: PLC0415
    from limpet.cli.source_naming import check_named  # noqa: PLC0415

    async with open_ledger(settings) as ledger:
        await check_named(ledger, source, app="dockets")
        found = await ledger.read(partial(year_stats, year=year, source_id=source))
        return found, await ledger.read(partial(years_known, source_id=source))


def _plain(each: YearStats) -> dict[str, Any]:
    plain: dict[str, Any] = asdict(each) | {"last_attempt_at": each.last_attempt_at.isoformat()}
    crawl: dict[str, Any] = plain.pop("crawl")
    return plain | crawl | {"is_balanced": each.crawl.is_balanced}


def _print(found: list[YearStats]) -> None:
    """Write a few lines a register: eleven columns do not fit into a terminal."""
    if not found:
        typer.echo("No number was asked for yet. Begin with: limpet run dockets --year 25 --max-cases 50")
    for each in found:
        crawl = each.crawl
        typer.echo(f"{each.source_id}: {each.prefix} of {each.year}, {crawl.start_id} to {crawl.end_id}")
        typer.echo(
            f"  asked {crawl.total_attempted:,} = {crawl.success_count:,} succeeded + "
            f"{crawl.no_record_count:,} no_record + {crawl.failed_count:,} failed"
        )
        typer.echo(f"  {each.entries:,} entries, {each.versions:,} versions, {each.documents:,} documents")
        if each.vanished:
            typer.echo(f"  {each.vanished:,} on record here are denied by the court today")
