"""`limpet export dockets`: cases and entries as two tables."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from limpet.cli.exporting.placing import opened
from limpet.cli.opening import read_kept

if TYPE_CHECKING:
    from limpet.apps.dockets.exports import ExportTable, Wanted
    from limpet.settings import Settings

Form = Literal["csv", "jsonl", "parquet"]
Which = Literal["both", "cases", "entries"]


def export_dockets(
    *,
    form: Annotated[Form, typer.Option("--format", help="csv, jsonl or parquet.")] = "csv",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A folder; with --table it may be - for standard output.")
    ] = Path("dockets"),
    table: Annotated[Which, typer.Option(help="cases, entries, or both.")] = "both",
    year: Annotated[str | None, typer.Option(help="Only this year, such as 25.")] = None,
    prefix: Annotated[str | None, typer.Option(help="Only this register, such as IMM.")] = None,
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Every version of an entry, removed ones too.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
) -> None:
    """Write cases.<format> and docket_entries.<format> into a folder.

    Every number that was asked for is a row of cases, also those without a record. A file appears only when it is
    whole; no CSV cell can act as a formula. Parquet needs nothing installed beside Limpet.

    \b
    Examples:
      limpet export dockets --year 25
      limpet export dockets --format parquet -o archive
      limpet export dockets --table entries --format jsonl -o -
    """
    from limpet.apps.dockets.case_identifier import full_year  # noqa: PLC0415 - help need not wait for it
    from limpet.apps.dockets.exports import CASES, ENTRIES, Wanted  # noqa: PLC0415

    wanted = Wanted(source, prefix.upper() if prefix else None, full_year(year) if year else None, history)
    chosen = {"both": (CASES, ENTRIES), "cases": (CASES,), "entries": (ENTRIES,)}[table]
    to_pipe = str(output) == "-"
    if to_pipe and len(chosen) > 1:
        raise typer.BadParameter("Standard output takes one table: add --table cases or --table entries.")
    if not to_pipe:
        output.mkdir(parents=True, exist_ok=True)
    settings = read_kept()
    for each in chosen:
        place = output if to_pipe else output / f"{each.name}.{form}"
        asyncio.run(_write(settings, form, each, wanted, place, force=force))


async def _write(
    settings: Settings, form: Form, table: ExportTable, wanted: Wanted, place: Path, *, force: bool
) -> None:
    from limpet.apps.dockets.exports import export  # noqa: PLC0415
    from limpet.assembly import open_ledger  # noqa: PLC0415
    from limpet.cli.source_naming import check_named  # noqa: PLC0415

    size = 0
    async with open_ledger(settings) as ledger:
        await check_named(ledger, wanted.source_id, app="dockets")
        with opened(place, force=force) as out:
            async for piece in export(ledger, form, table, wanted):
                size += out.write(piece)
            out.flush()
    if str(place) != "-":
        typer.echo(f"Wrote {place} ({size:,} bytes).")
