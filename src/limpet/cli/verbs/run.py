"""`limpet run`: one run in the foreground, by the app whose targets are walked."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from limpet.cli.opening import verb_app
from limpet.cli.running.dockets import run_dockets
from limpet.cli.running.prices import run_prices
from limpet.errors import UsageError


class AppsByName(TyperGroup):
    """The apps as sub-commands; an unknown one is answered in our own words."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the app's command, or say which apps there are."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            known = ", ".join(sorted(self.commands))
            raise UsageError(f"There is no app {args[0]!r}.", fix=f"Known apps: {known}.")
        return super().resolve_command(ctx, args)


app = verb_app()
app.command("prices")(run_prices)
app.command("dockets")(run_dockets)


@app.callback(cls=AppsByName, invoke_without_command=True)
def run(context: typer.Context) -> None:
    """Walk an app's targets once, politely, and record what was found.

    Each app has its own options: `limpet run prices --help`.

    \b
    Examples:
      limpet run prices
      limpet run prices --source shop --limit 20
      limpet run dockets --year 25 --start 30 --max-cases 50
    """
    if context.invoked_subcommand is None:
        raise UsageError("Missing argument 'APP'.", fix="`limpet run --help` lists the apps.")
