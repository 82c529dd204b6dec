"""`limpet run`: one run in the foreground, by the app whose targets are walked."""

from __future__ import annotations

import typer

from limpet.cli.app_group import AppsByName, ask_for_an_app
from limpet.cli.opening import verb_app
from limpet.cli.running.dockets import run_dockets
from limpet.cli.running.judgments import run_judgments
from limpet.cli.running.matches import run_matches
from limpet.cli.running.prices import run_prices

app = verb_app()
app.command("prices")(run_prices)
app.command("dockets")(run_dockets)
app.command("matches")(run_matches)
app.command("judgments")(run_judgments)


@app.callback(cls=AppsByName, invoke_without_command=True)
def run(context: typer.Context) -> None:
    """Walk an app's targets once, politely, and record what was found.

    Each app has its own options: `limpet run prices --help`.

    \b
    Examples:
      limpet run prices
      limpet run prices --source shop --limit 20
      limpet run judgments --mode new
      limpet run dockets --year 25 --start 30 --max-cases 50
      limpet run matches
    """
    ask_for_an_app(context)
