"""`limpet dockets stats`: how the numbers of a year ended."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.cli.opening import read_settings

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

    found = asyncio.run(_read(read_settings(), full_year(year) if year else None, source))
    if as_json:
        typer.echo(json.dumps([_plain(each) for each in found], indent=2))
    else:
        _print(found)
    return 0 if all(each.crawl.is_balanced for each in found) else 1


async def _read(settings: Settings, year: int | None, source: str | None) -> list[YearStats]:
    from limpet.apps.dockets.stats import year_stats  # noqa: PLC0415
    from limpet.assembly import open_ledger  # noqa: PLC0415

    async with open_ledger(settings) as ledger:
        return await ledger.read(partial(year_stats, year=year, source_id=source))


def _plain(each: YearStats) -> dict[str, Any]:
    plain: dict[str, Any] = asdict(each) | {"last_attempt_at": each.last_attempt_at.isoformat()}
    crawl: dict[str, Any] = plain.pop("crawl")
    return plain | crawl | {"is_balanced": each.crawl.is_balanced}


def _print(found: list[YearStats]) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    if not found:
        typer.echo("No number was asked for yet. Begin with: limpet run dockets --year 25 --max-cases 50")
        return
    table = Table(show_edge=False)
    for column in ("source", "from", "to"):
        table.add_column(column)
    for column in (
        "asked",
        "succeeded",
        "no_record",
        "failed",
        "entries",
        "versions",
        "documents",
        "vanished",
    ):
        table.add_column(column, justify="right")
    for each in found:
        crawl = each.crawl
        counts = (
            crawl.total_attempted,
            crawl.success_count,
            crawl.no_record_count,
            crawl.failed_count,
            each.entries,
            each.versions,
            each.documents,
            each.vanished,
        )
        table.add_row(each.source_id, crawl.start_id, crawl.end_id, *(f"{count:,}" for count in counts))
    Console().print(table)
