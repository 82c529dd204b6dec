"""`limpet list`: what the ledger holds, at a glance."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from limpet.cli.opening import read_kept, read_settings, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command("list")
def list_what(
    what: Annotated[
        Literal["runs", "sources", "sites"], typer.Argument(help="runs, sources or sites.")
    ] = "runs",
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List runs (newest first), the configured sources, or the sites we can read.

    \b
    Examples:
      limpet list
      limpet list sources
      limpet list runs --limit 5 --json
    """
    settings = read_kept() if what == "runs" else read_settings()
    rows = asyncio.run(_rows(settings, what, limit))
    if as_json:
        typer.echo(json.dumps(rows, default=str, indent=2))
    else:
        _print(rows, what)


async def _rows(settings: Settings, what: str, limit: int) -> list[dict[str, object]]:
    from limpet.cli.listing import run_rows, site_rows, source_rows  # noqa: PLC0415 - help need not wait for it

    if what == "sites":
        return site_rows(settings)[:limit]
    if what == "sources":
        return (await source_rows(settings))[:limit]
    return await run_rows(settings, limit)


def _print(rows: list[dict[str, object]], what: str) -> None:
    from limpet.cli.listing import print_rows  # noqa: PLC0415

    if rows:
        print_rows(rows)
    else:
        typer.echo(f"No {what} yet. `limpet run prices` starts a run; `limpet init` writes a config.")
