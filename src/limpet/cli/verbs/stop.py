"""`limpet stop`: the emergency stop."""

from __future__ import annotations

from typing import Annotated

import typer

from limpet.cli.opening import verb_app
from limpet.cli.reasons import said

app = verb_app()

What = Annotated[str, typer.Argument(metavar="WHAT", help="`everything`, or the name of an app.")]
Reason = Annotated[str, typer.Option("--reason", callback=said, help="Why; kept in the audit log.")]


@app.callback()
def stop() -> None:
    """The emergency stop: nothing more is asked of any site until it is released. Restarts do not release it.

    \b
    Examples:
      limpet stop now everything --reason "we are in somebody's way"
      limpet stop now prices --reason "prices come out wrong"
      limpet stop release everything --reason "cleared with them"
      limpet stop list
    """


@app.command()
def now(what: What, reason: Reason) -> None:
    """Stop now: what is on the wire is finished, everything else is skipped."""
    from limpet.cli.halting import halt_now  # noqa: PLC0415 - help need not wait for it

    halt_now(what, reason)
    typer.echo(f"Stopped: {what}. Go on with: limpet stop release {what} --reason ...")


@app.command()
def release(what: What, reason: Reason) -> None:
    """Let it go on; other switches still hold."""
    from limpet.cli.halting import release_now  # noqa: PLC0415

    release_now(what, reason)
    typer.echo(f"Released: {what}.")


@app.command("list")
def list_stops() -> None:
    """Say what is stopped."""
    from limpet.cli.halting import stops  # noqa: PLC0415

    for sentence in stops() or ["Nothing is stopped."]:
        typer.echo(sentence)
