"""`limpet status`: who works and at what."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.cli.opening import read_settings, verb_app

if TYPE_CHECKING:
    from limpet.record.staff import WorkerStanding
    from limpet.settings import Settings

app = verb_app()


@app.command()
def status(
    workers: Annotated[bool, typer.Option("--workers", help="Each worker with the lanes it holds.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Show who is alive, what each is doing, and who leads.

    \b
    Examples:
      limpet status
      limpet status --workers
    """
    found, now = asyncio.run(_staff(read_settings()))
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in found], default=str, indent=2))
        return
    if not found:
        typer.echo("Nobody is at work. `limpet serve` starts everything; `limpet worker` one more worker.")
    for each in found:
        _tell(each, now, in_full=workers)


async def _staff(settings: Settings) -> tuple[list[WorkerStanding], datetime]:
    from limpet.assembly import open_ledger  # noqa: PLC0415 - help need not wait for it
    from limpet.record.staff import staff  # noqa: PLC0415

    async with open_ledger(settings) as ledger:
        return await ledger.read(staff), ledger.clock.now()


def _tell(worker: WorkerStanding, now: datetime, *, in_full: bool) -> None:
    silent = max((now - worker.heard_at).total_seconds(), 0.0)
    targets = sum(held.targets for held in worker.lanes)
    leads = f", leads: {', '.join(worker.leads)}" if worker.leads else ""
    typer.echo(
        f"{worker.id}  heard {silent:.0f} s ago, {_count(len(worker.lanes), 'lane')}, "
        f"{_count(targets, 'target')}{leads}"
    )
    for held in worker.lanes if in_full else ():
        typer.echo(f"    run {held.run_id}  {held.lane}  {_count(held.targets, 'target')}")


def _count(number: int, thing: str) -> Any:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
