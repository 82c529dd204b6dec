"""`limpet gaps`: what an archive probably lacks, by app."""

from __future__ import annotations

import typer

from limpet.cli.app_group import AppsByName, ask_for_an_app
from limpet.cli.gapping.dockets import gaps_of_dockets
from limpet.cli.gapping.judgments import gaps_of_judgments
from limpet.cli.opening import verb_app

app = verb_app()
app.command("dockets")(gaps_of_dockets)
app.command("judgments")(gaps_of_judgments)


@app.callback(cls=AppsByName, invoke_without_command=True)
def gaps(context: typer.Context) -> None:
    """Find what an archive probably lacks, and print the command that would fetch it.

    \b
    Examples:
      limpet gaps dockets --year 25
      limpet gaps judgments
      limpet gaps judgments --source unreported_judgments --json
    """
    ask_for_an_app(context)
