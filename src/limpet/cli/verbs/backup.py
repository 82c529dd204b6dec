"""`limpet backup`: the data directory in one file, proven."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from limpet.cli.opening import verb_app

app = verb_app()


@app.command()
def backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where it goes, such as limpet.tar; must not exist.")
    ],
) -> None:
    """Write ledger, evidence and files as of one moment into one file, and read it back. Others may go on working.

    \b
    Examples:
      limpet backup /backup/limpet-$(date +%F).tar
      limpet restore /backup/limpet-2026-11-16.tar --data-dir /var/lib/limpet
    """
    from limpet.cli.safekeeping import back_up_now  # noqa: PLC0415 - help need not wait for it

    typer.echo(back_up_now(file))
