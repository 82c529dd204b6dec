"""`limpet show`: one run, with every reason and the jobs that need a look."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli.opening import read_kept, verb_app

if TYPE_CHECKING:
    from limpet.settings import Settings

app = verb_app()


@app.command()
def show(
    run_id: Annotated[
        int, typer.Argument(metavar="RUN", help="The run's number, as `limpet list` shows it.")
    ],
    state: Annotated[str | None, typer.Option(help="Only jobs in this state, such as failed.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many jobs.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Show one run: counts that add up to what was planned, reasons, and its jobs.

    \b
    Examples:
      limpet show 3
      limpet show 3 --state failed --limit 100
    """
    asyncio.run(_show(read_kept(), run_id, state, limit=limit, as_json=as_json))


async def _show(settings: Settings, run_id: int, state: str | None, *, limit: int, as_json: bool) -> None:
    from limpet.cli.showing import print_run, run_report  # noqa: PLC0415 - help need not wait for it

    report = await run_report(settings, run_id, state, limit=limit)
    if as_json:
        typer.echo(json.dumps(report.to_json(), default=str, indent=2))
    else:
        print_run(report)
