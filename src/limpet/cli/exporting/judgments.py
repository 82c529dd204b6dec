"""`limpet export judgments`: the archive as a table, or the judgments themselves in a ZIP."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Literal

import typer

from limpet.cli.exporting.placing import opened
from limpet.cli.opening import read_kept

if TYPE_CHECKING:
    from limpet.apps.judgments.case_filter import CaseFilter
    from limpet.settings import Settings

Form = Literal["csv", "jsonl", "parquet", "xlsx", "zip"]


def export_judgments(
    form: Annotated[
        Form, typer.Option("--format", help="csv, jsonl, parquet, xlsx, or zip with the PDFs.")
    ] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write; - is standard output.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    downloaded: Annotated[bool, typer.Option("--downloaded", help="Only cases whose PDF is stored.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write every case of the archive as a table, or the stored PDFs as a ZIP with a manifest.

    CSV and JSON lines go to standard output unless --output names a file; Parquet, XLSX and ZIP go to
    judgments.parquet, judgments.xlsx and judgments.zip here. A file appears only when it is whole. No
    cell can act as a formula.

    \b
    Examples:
      limpet export judgments > cases.csv
      limpet export judgments --format xlsx -o cases.xlsx
      limpet export judgments --format zip --source unreported_judgments
    """
    from limpet.apps.judgments.case_filter import CaseFilter  # noqa: PLC0415 - help need not wait for it

    place = output or Path("-" if form in ("csv", "jsonl") else f"judgments.{form}")
    wanted = CaseFilter(source_id=source, is_downloaded=True if downloaded else None)
    with opened(place, force=force) as out:
        packed: Counter[str] = Counter()
        size = asyncio.run(_write(read_kept(), form, wanted, out, packed))
    if str(place) != "-":
        typer.echo(f"Wrote {place} ({size:,} bytes).")
    if packed["missing"] or packed["damaged"]:
        typer.echo(
            f"Of {packed.total():,} stored PDFs {packed['missing']:,} are missing on the disk and "
            f"{packed['damaged']:,} damaged; manifest.csv names them. "
            "One comes back with: limpet run judgments --token TOKEN",
            err=True,
        )


async def _write(
    settings: Settings, form: Form, wanted: CaseFilter, out: IO[bytes], packed: Counter[str]
) -> int:
    from limpet.apps.judgments.exports import Archive, export  # noqa: PLC0415
    from limpet.assembly import open_ledger  # noqa: PLC0415
    from limpet.cli.source_naming import check_named  # noqa: PLC0415

    size = 0
    async with open_ledger(settings) as ledger:
        await check_named(ledger, wanted.source_id, app="judgments")
        async for piece in export(Archive(ledger, settings.data_dir), form, wanted, packed=packed):
            size += out.write(piece)
    out.flush()
    return size
