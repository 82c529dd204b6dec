"""`limpet verify`: the proof that nothing was lost."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated

import typer

from limpet.cli.counting import counted
from limpet.cli.opening import read_kept, verb_app

if TYPE_CHECKING:
    from limpet.record.verify import Verification
    from limpet.settings import Settings

app = verb_app()


@app.command()
def verify(as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> int:
    """Prove the ledger: every run balances, every verdict has its evidence, every file matches its hash.

    Exits 0 only when all of that holds, 1 when anything does not.

    \b
    Examples:
      limpet verify
      limpet verify --json | jq .problems
    """
    found = asyncio.run(_verify(read_kept()))
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=2, default=str))
    else:
        _print(found)
    return 0 if found.is_sound else 1


async def _verify(settings: Settings) -> Verification:
    from limpet.assembly import app_checks, open_ledger  # noqa: PLC0415 - help need not wait for it

    async with open_ledger(settings) as ledger:
        return await ledger.verify(app_checks=app_checks())


def _print(found: Verification) -> None:
    for name, count in found.counts.items():
        typer.echo(f"  {count:>9,}  {name.replace('_', ' ')}")
    for note in found.notes:
        typer.echo(f"  note: {note}")
    for problem in found.problems:
        typer.echo(f"  PROBLEM {problem.kind} {problem.subject}: {problem.message}")
    typer.echo("The ledger balances." if found.is_sound else f"{counted(len(found.problems), 'problem')}.")
