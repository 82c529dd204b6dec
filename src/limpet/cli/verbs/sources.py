"""`limpet sources`: the switch of a source, beside what the configuration says about it."""

from __future__ import annotations

from typing import Annotated

import typer

from limpet.cli.opening import verb_app
from limpet.cli.reasons import said

app = verb_app()

Source = Annotated[str, typer.Argument(metavar="SOURCE", help="As `limpet list sources` shows it.")]
Reason = Annotated[str, typer.Option("--reason", callback=said, help="Why; kept in the audit log.")]


@app.callback()
def sources() -> None:
    """Switch a source off and on. A site that refuses us three times in five minutes is switched off by itself.

    \b
    Examples:
      limpet list sources
      limpet sources disable shop --reason "they asked us to wait"
      limpet sources enable shop --reason "they wrote that it was a mistake"
    """


@app.command()
def enable(source: Source, reason: Reason) -> None:
    """Switch a source on again; its terms, its robots.txt and its adapter still have their say."""
    from limpet.cli.switching import enable_source  # noqa: PLC0415 - help need not wait for it

    enable_source(source, reason)
    typer.echo(f"{source} is on.")


@app.command()
def disable(source: Source, reason: Reason) -> None:
    """Switch a source off, whatever the configuration says; what is under way is skipped."""
    from limpet.cli.switching import disable_source  # noqa: PLC0415

    disable_source(source, reason)
    typer.echo(f"{source} is off. Switch it on with: limpet sources enable {source} --reason ...")
