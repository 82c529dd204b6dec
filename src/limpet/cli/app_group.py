"""A verb whose sub-commands are the apps: `limpet run prices`, `limpet gaps judgments`."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from limpet.errors import UsageError


class AppsByName(TyperGroup):
    """The apps as sub-commands; an unknown one is answered in our own words."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the app's command, or say which apps there are."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            known = ", ".join(sorted(self.commands))
            raise UsageError(f"There is no app {args[0]!r}.", fix=f"Known apps: {known}.")
        return super().resolve_command(ctx, args)


def ask_for_an_app(context: typer.Context) -> None:
    """Say that the app is missing when only the verb was said."""
    if context.invoked_subcommand is None:
        raise UsageError("Missing argument 'APP'.", fix=f"`{context.command_path} --help` lists the apps.")
