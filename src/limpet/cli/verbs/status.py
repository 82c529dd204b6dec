"""`limpet status`: who works and at what."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli.counting import counted
from limpet.cli.opening import read_kept, verb_app
from limpet.cli.plain import harmless

if TYPE_CHECKING:
    from limpet.record.setting_aside import SetAside
    from limpet.record.staff import WorkerStanding
    from limpet.settings import Settings

app = verb_app()


@app.command()
def status(
    workers: Annotated[bool, typer.Option("--workers", help="Each worker with the lanes it holds.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Show who is alive, what each is doing, who leads, and jobs that nobody came back from.

    \b
    Examples:
      limpet status
      limpet status --workers
    """
    found, aside, now = asyncio.run(_staff(read_kept()))
    if as_json:
        told = {"workers": [asdict(each) for each in found], "set_aside": [asdict(each) for each in aside]}
        typer.echo(json.dumps(told, default=str, indent=2))
        return
    if not found:
        typer.echo("Nobody is at work. `limpet serve` starts everything; `limpet worker` one more worker.")
    for each in found:
        _tell(each, now, in_full=workers)
    _tell_set_aside(aside)


async def _staff(settings: Settings) -> tuple[list[WorkerStanding], list[SetAside], datetime]:
    from limpet.assembly import open_ledger  # noqa: PLC0415 - help need not wait for it
    from limpet.record.setting_aside import poisoned  # noqa: PLC0415
    from limpet.record.staff import staff  # noqa: PLC0415

    async with open_ledger(settings) as ledger:
        return await ledger.read(staff), await ledger.read(poisoned), ledger.clock.now()


def _tell(worker: WorkerStanding, now: datetime, *, in_full: bool) -> None:
    silent = max((now - worker.heard_at).total_seconds(), 0.0)
    targets = sum(held.targets for held in worker.lanes)
    leads = f", leads: {', '.join(worker.leads)}" if worker.leads else ""
    typer.echo(
        f"{worker.id}  heard {silent:.0f} s ago, {counted(len(worker.lanes), 'lane')}, "
        f"{counted(targets, 'target')}{leads}"
    )
    for held in worker.lanes if in_full else ():
        typer.echo(f"    run {held.run_id}  {held.lane}  {counted(held.targets, 'target')}")


def _tell_set_aside(aside: list[SetAside]) -> None:
    if aside:
        typer.echo(f"\n{counted(len(aside), 'job')} set aside: taken again and again, and never finished.")
    for each in aside:
        typer.echo(
            harmless(f"    job {each.job_id} of run {each.run_id}, target {each.target_id}: {each.url}")
        )
        typer.echo(harmless(f"        {each.details.splitlines()[0]}"))
    if aside:
        typer.echo(f'    release one: limpet targets recheck {aside[0].target_id} --reason "mended"')
