"""`limpet restore`: a backup put where nothing is yet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from limpet.cli.opening import verb_app

app = verb_app()


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `limpet backup` wrote.")],
    check: Annotated[bool, typer.Option("--check", help="Only prove the file; restore nothing.")] = False,
) -> int:
    """Put a backup into an empty data directory and prove it there: every run balances, every file matches its hash.

    \b
    Examples:
      limpet restore limpet.tar --check
      limpet restore limpet.tar --data-dir /var/lib/limpet
    """
    from limpet.cli.safekeeping import check_now, restore_now  # noqa: PLC0415 - help need not wait for it

    if check:
        typer.echo(check_now(file))
        return 0
    sentence, is_sound = restore_now(file)
    typer.echo(sentence)
    return 0 if is_sound else 1
